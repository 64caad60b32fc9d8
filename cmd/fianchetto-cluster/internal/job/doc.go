// Package job cuts a deep perft into tasks that many machines count, and puts their results together again.
//
// A job expands some plies below its position, the split, and merges the positions it meets: the frontier. Of each it keeps
// how many paths lead there from each root move, so that the counts of the positions, each counted once, give the
// total and the divide. The frontier is cut into tasks of neighbouring positions. Workers count them, and a Ledger believes their
// results, or asks for another.
//
// Two positions are one if pieces, side to move, castling rights with their rooks, and legal captures en passant are the same. They are
// compared whole, never by a key.
//
// Nothing here talks to a network or a disk; see package journal for what keeps results.
package job

import "github.com/fianchetto-chess/fianchetto"

// Problems of a job, its messages or its results. *MessageError and *ConflictError have the details.
const (
	ErrSpec     fianchetto.Problem = "invalid job"
	ErrMessage  fianchetto.Problem = "not a whole message"
	ErrVersion  fianchetto.Problem = "a message of another version: all programs of a job must be of one"
	ErrPosition fianchetto.Problem = "not a playable position, or packed in another form"
	ErrJob      fianchetto.Problem = "of another job"
	ErrTask     fianchetto.Problem = "no task of this job"
	ErrOverflow fianchetto.Problem = "the sum needs more than 128 bits"
	ErrPaths    fianchetto.Problem = "more paths lead to a position than fit into 64 bits: the split is too deep"
)
