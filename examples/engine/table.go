package main

import "github.com/fianchetto-chess/fianchetto"

// table is a transposition table: what was found out about positions that the search may meet again.
// Source: https://www.chessprogramming.org/Transposition_Table
type table struct {
	entries []entry // as many as a power of two
	age     uint8   // of the search that is under way
}

// entry is 16 bytes. Its key is Position.Key, which is Polyglot's. Two positions may share one, if rarely: a score that is
// then wrong does little harm, and a move is asked for its legality before it is made.
type entry struct {
	key   uint64
	move  fianchetto.Move
	score int16
	depth int8
	bound bound
	age   uint8
}

// bound is the kind of a score.
type bound uint8

const (
	noBound bound = iota // the entry is empty
	atMost               // no move was as good as alpha
	atLeast              // a move was too good for the other side to allow
	exactly
)

const entriesPerMiB = 1 << 20 / 16

// newTable returns a table of the largest power of two of entries that mib MiB hold.
func newTable(mib int) *table {
	n := entriesPerMiB
	for n*2 <= mib*entriesPerMiB {
		n *= 2
	}
	return &table{entries: make([]entry, n)}
}

func (t *table) slot(key uint64) *entry { return &t.entries[key&uint64(len(t.entries)-1)] }

// lookUp returns what is known of a position. Mates are stored as so many plies from there, and handed out as so many
// from the root.
func (t *table) lookUp(key uint64, ply int) (e entry, found bool) {
	e = *t.slot(key)
	if e.bound == noBound || e.key != key {
		return entry{}, false
	}
	e.score = int16(farther(int(e.score), ply))
	return e, true
}

// farther returns the score with a mate so many plies farther away.
func farther(score, plies int) int {
	switch {
	case score >= mateInMaxPly:
		return score - plies
	case score <= -mateInMaxPly:
		return score + plies
	}
	return score
}

// store keeps what was found out, unless the slot has something deeper of this search.
func (t *table) store(key uint64, ply int, move fianchetto.Move, score, depth int, b bound) {
	e := t.slot(key)
	if e.bound != noBound && e.age == t.age && e.key != key && int(e.depth) > depth {
		return
	}
	if move == fianchetto.NoMove && e.key == key {
		move = e.move // the best move of an earlier search is better than none
	}
	*e = entry{key: key, move: move, score: int16(farther(score, -ply)), depth: int8(depth), bound: b, age: t.age}
}
