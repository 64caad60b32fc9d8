package explorer

import (
	"context"
	"fmt"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// MaxDepth is the greatest depth that the page may count to.
const MaxDepth = 10

// DivideQuestion asks for the leaves below each move.
type DivideQuestion struct {
	PositionQuestion
	Depth  int    `json:"depth"`  // 1..MaxDepth
	Method string `json:"method"` // "auto", "plain", "two-ply" or "simd"; "" is auto
}

// DivideAnswer is a partial or complete divide.
type DivideAnswer struct {
	Nodes  string      `json:"nodes"`  // a decimal number, which may be too large for a number of JavaScript
	Total  int         `json:"total"`  // the number of root moves
	Method string      `json:"method"` // of the count
	Moves  []NodeCount `json:"moves"`  // those that are done
}

// NodeCount is a move and the leaves below it.
type NodeCount struct {
	UCI   string `json:"uci"`
	SAN   string `json:"san"`
	Nodes string `json:"nodes"`
}

func answerDivide(ctx context.Context, q DivideQuestion, partial func(any)) (DivideAnswer, error) {
	l, err := q.line()
	if err != nil {
		return DivideAnswer{}, err
	}
	method := perft.Auto
	if q.Method != "" {
		if method, err = perft.ParseMethod(q.Method); err != nil {
			return DivideAnswer{}, failIn("method", err)
		}
	}
	if err := checkDepth(q.Depth); err != nil {
		return DivideAnswer{}, err
	}
	result, err := perft.Run(ctx, l.end, q.Depth, perft.Options{Method: method, Threads: 1, Counted: func(done []perft.MoveCount, moves int) {
		partial(divided(&l.end, done, moves, method))
	}})
	if err != nil {
		return DivideAnswer{}, failIn("depth", err)
	}
	return divided(&l.end, result.Moves, len(result.Moves), result.Method), nil
}

func checkDepth(depth int) error {
	if depth < 1 || depth > MaxDepth {
		return &Failure{"depth", fmt.Sprintf("depth %d is not 1 to %d", depth, MaxDepth)}
	}
	return nil
}

// line plays the moves of a request.
func (q PositionQuestion) line() (line, error) {
	root, err := playable(q)
	if err != nil {
		return line{}, err
	}
	return play(root, q.Moves)
}

func divided(pos *fianchetto.Position, done []perft.MoveCount, total int, method perft.Method) DivideAnswer {
	answer := DivideAnswer{Total: total, Method: method.String(), Moves: []NodeCount{}}
	nodes := uint64(0)
	for _, count := range done {
		nodes += count.Nodes
		answer.Moves = append(answer.Moves, NodeCount{pos.UCI(count.Move), pos.SAN(count.Move), fmt.Sprint(count.Nodes)})
	}
	answer.Nodes = fmt.Sprint(nodes)
	return answer
}
