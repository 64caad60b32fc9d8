// Package fianchetto is a legal move generator for chess engines: positions, moves, attacks and checks, exchanges,
// repetitions and draws, notation and hashing, for standard chess and Chess960, without allocation.
//
// A Position is a small value. Moves are generated legal: none needs to be tried.
//
//	pos, err := fianchetto.ParseFEN("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
//	moves := pos.AppendLegal(nil)
//	next := pos.After(moves[0])
//	worth, state := pos.SEE(moves[0]), next.Status(nil)
//
// Functions that an engine calls at every node do not check what their documentation demands of arguments, such as that
// a move is legal. Under the build tag fianchettodebug they do, and panic with the move and the position:
//
//	go test -tags fianchettodebug ./...
//
// Everything is safe for concurrent use of different positions; a position is not changed but by Make and
// Unmake, and by reading another into it. The board maps a1 = 0, h8 = 63. Below this package are bitboard (sets of
// squares), magic and attacks (what pieces attack); above it are pgn and book (games and openings) and perft (counting
// and validation). The guide docs/embedding.md goes through it in the order in which an engine needs it.
package fianchetto
