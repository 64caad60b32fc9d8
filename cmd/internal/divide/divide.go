// Package divide has the counts below the moves at the root of a perft as the command prints them.
package divide

import (
	"slices"
	"strconv"
	"strings"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// Move is a move at the root and the leaves below it, in the form of its JSON.
type Move struct {
	Move  string `json:"move"`
	Nodes Nodes  `json:"nodes"`
}

// New returns the counts below the moves of pos, sorted by the moves in UCI.
func New(counts []perft.MoveCount, pos *fianchetto.Position) []Move {
	divide := make([]Move, 0, len(counts))
	for _, c := range counts {
		divide = append(divide, Move{pos.UCI(c.Move), Nodes(c.Nodes)})
	}
	slices.SortFunc(divide, func(a, b Move) int { return strings.Compare(a.Move, b.Move) })
	return divide
}

// Nodes is a number of nodes. In JSON it is a number up to 2^53, the last that every reader of JSON keeps exactly, and a string beyond.
type Nodes uint64

// MarshalJSON returns the digits, in quotes beyond 2^53.
func (n Nodes) MarshalJSON() ([]byte, error) {
	digits := strconv.FormatUint(uint64(n), 10)
	if n > 1<<53 {
		digits = strconv.Quote(digits)
	}
	return []byte(digits), nil
}
