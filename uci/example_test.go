package uci_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/uci"
)

// An engine that plays the capture or quiet move that gains most at once, and thinks no further.
func ExampleSession() {
	greed := 100
	session := uci.Session{
		Name: "Greedy 1.0", Author: "A. Author",
		Options: []uci.Option{uci.Spin("Greed", greed, 0, 200, func(percent int) { greed = percent })},
		Search: func(_ context.Context, s *uci.Search) (best uci.Best) {
			pos := s.Game.Position()
			score := -1 << 20
			for m := range pos.LegalMoves() {
				if gain := pos.SEE(m) * greed / 100; gain > score {
					best.Move, score = m, gain
				}
				if s.Stopped() {
					break
				}
			}
			s.Report(uci.Info{Depth: 1, Score: uci.Score{Unit: "cp", Value: score}, Nodes: 1,
				Time: time.Millisecond, PV: []fianchetto.Move{best.Move}})
			return best
		},
	}
	commands := `uci
setoption name Greed value 50
position startpos moves e2e4 g8f6 e4e5 a7a6
go movetime 100
`
	if err := session.Run(context.Background(), strings.NewReader(commands), os.Stdout); err != nil {
		fmt.Println(err)
	}
	// Output:
	// id name Greedy 1.0
	// id author A. Author
	// option name Greed type spin default 100 min 0 max 200
	// option name UCI_Chess960 type check default false
	// uciok
	// info depth 1 score cp 100 nodes 1 time 1 pv e5f6
	// bestmove e5f6
}

// How long to think with a minute left and a second for each move.
func ExampleLimits_Budget() {
	pos := fianchetto.StartPosition()
	limits, err := uci.ParseLimits("wtime 60000 btime 60000 winc 1000 binc 1000", &pos)
	soft, hard := limits.Budget(pos.SideToMove(), 50*time.Millisecond)
	fmt.Println(soft.Round(time.Millisecond), hard.Round(time.Millisecond), err)
	// Output: 2.498s 9.993s <nil>
}

// An engine that values a mate in n plies 30000-n gives mate in 3 moves, and gets mated in 2.
func ExampleScoreOf() {
	fmt.Println(uci.ScoreOf(30000-5, 30000), uci.ScoreOf(4-30000, 30000), uci.ScoreOf(35, 30000))
	// Output: mate 3 mate -2 cp 35
}

func ExampleParseInfo() {
	pos := fianchetto.StartPosition()
	info, ok := uci.ParseInfo("info depth 9 score cp 31 lowerbound nodes 1234 pv e2e4 e7e5", &pos)
	fmt.Println(info.Depth, info.Score, info.Nodes, info.PV, ok)
	// Output: 9 cp 31 lowerbound 1234 [e2e4 e7e5] true
}

func ExampleParseOption() {
	option, _ := uci.ParseOption("option name Hash type spin default 16 min 1 max 4096")
	fmt.Println(option.Command("64"))
	_, err := option.Command("5000")
	fmt.Println(err)
	// Output:
	// setoption name Hash value 64 <nil>
	// option Hash: "5000" is not a number from 1 to 4096
}
