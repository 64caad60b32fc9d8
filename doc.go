// Package fianchetto is a legal move generator for chess engines: positions, moves, attacks and
// checks, exchanges, repetitions and draws, notation and hashing, for standard chess and Chess960,
// without allocation.
//
// A page shows how legal moves are found: https://fianchetto-chess.github.io/fianchetto/
//
//	pos, err := fianchetto.ParseFEN("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
//	moves := pos.AppendLegal(nil)
//	next := pos.After(moves[0])        // pos is unchanged
//	centipawns := pos.SEE(moves[0])    // the gain on the target square
//	status := next.Status(nil)         // checkmate, stalemate, a draw, or ongoing
//
// By task:
//
//   - Reading and writing: [ParseFEN], [Setup], [ParseUCIPosition], [Position.ParseUCI],
//     [Position.ParseSAN], [Position.UCI], [Position.SAN], [Position.MarshalBinary].
//   - Moves: [Position.AppendLegal], in stages [Position.AppendNoisy] and [Position.AppendQuiets],
//     several queries of one node [Generator]; [Position.IsLegal] for a move from a hash table,
//     [Position.IsLegalQuiet] for a killer, [Position.MoveBetween] for a mouse.
//   - Making: [Position.CopyMake] into the next ply's position, [Position.Make] with
//     [Position.Unmake] in place, [Position.After] as a value, [Position.CopyNull] for a null move.
//   - Looking: [Position.InCheck], [Position.GivesCheck], [Position.Checkers], [Position.Pinned],
//     [Position.AttackersTo], [Position.SEEAtLeast], and the sets themselves: [Position.Pieces],
//     [Position.ByType].
//   - Searching: [Position.Key], [Position.KeyAfter], [Prefetch], [Move.PieceTo], [History],
//     [Position.Status]; package uci for the protocol.
//   - Games: [Game] for front ends, package pgn for files.
//   - Explaining: [Position.Explain] says why a move is legal or illegal, [Position.Unreachable]
//     why no game reaches a position.
//
// Functions that an engine calls at every node trust their arguments, such as a move that must be
// legal. Under the build tag fianchettodebug they check them, and panic with the move and the
// position:
//
//	go test -tags fianchettodebug ./...
//
// Several goroutines may read a position. Only Make, Unmake and the Unmarshal methods
// change it. Squares count from a1 = 0 to h8 = 63. Guides: docs/embedding.md, docs/own-board.md for
// engines with their own board, docs/migrate.md for users of other libraries.
package fianchetto
