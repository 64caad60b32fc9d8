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
// Functions that an engine calls at every node trust their arguments, where their documentation says so: that a move is legal, for
// example. Under the build tag fianchettodebug they check it, and panic with the move and the position:
//
//	go test -tags fianchettodebug ./...
//
// Different positions may be used concurrently; only Make and Unmake, and reading another into it, change a position. The board maps a1 = 0, h8 = 63. Below this package are bitboard (sets of
// squares), magic and attacks (what pieces attack); above it are pgn, epd and book (games, test
// positions, openings) and perft (counting). The guide docs/embedding.md follows the order in which
// an engine needs it; docs/migrate.md is for users of other libraries.
package fianchetto
