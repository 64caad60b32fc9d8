// Package compare finds the positions in which another move generator is wrong, the moves that are missing or extra there, and the
// rules that decide about them.
//
//	report, err := compare.New(program, compare.Options{Depth: 4}).Compare(ctx, engine.Path{Root: pos})
//	for _, d := range report.Differences {
//		fmt.Println(d.Kind, d.Move, d.Position().FEN(), d.Verdict)
//	}
//
// The counts below each root move are compared depth by depth. A move whose count differs is followed down, to the first child that
// differs, until the lists of moves differ. Castling may be written with the king's or the rook's square, and promotions in
// either case or as four moves without a letter, without being a difference. A move that is listed twice is a difference.
//
// A missing move and an extra one below the same move can cancel each other out in the counts. Where counts agree, the lists of
// moves one ply on are compared as well. For greater depths there are the suites, with a position for each trap of the rules.
//
// Source: https://www.chessprogramming.org/Perft, Divide
package compare
