// Package compare finds out where another move generator is wrong: not that its perft is off by 30, but which move is
// missing or extra in which position, and which rule that breaks.
//
//	report, err := compare.New(program, compare.Options{Depth: 4}).Compare(ctx, engine.Path{Root: pos})
//	for _, d := range report.Differences {
//		fmt.Println(d.Kind, d.Move, d.Position().FEN(), d.Verdict)
//	}
//
// Depth by depth, the counts below each move of the root are compared. A move whose count differs for the first time is
// followed down, always to the first child that differs, until lists of moves differ: no position nearer to the root
// along that move shows its fault. Castling may be written with the king's or the rook's square, and promotions in either
// case or as four moves without a letter; neither is a difference. A move that is listed twice is.
//
// What cancels out, a move missing here and one too many there below the same move, does not show in counts. Where these
// agree, the lists of moves one ply on are compared, too; further down it is the suites, with a position for each
// trap of the rules, that leave nothing to cancel out.
//
// Source: https://www.chessprogramming.org/Perft, Divide
package compare
