// Package uci implements the Universal Chess Interface, the protocol between chess programs and
// engines: its texts, and the engine's side. Package client drives engines.
//
// A Session reads commands, keeps the position and the options, and calls the engine to search:
//
//	session := uci.Session{
//		Name: "Example 1.0", Author: "A. Author",
//		Options: []uci.Option{uci.Spin("Hash", 16, 1, 4096, resize)},
//		Search: func(ctx context.Context, s *uci.Search) uci.Best {
//			pos := s.Game.Position()
//			soft, hard := s.Limits.Budget(pos.SideToMove(), 50*time.Millisecond)
//			...                                // look at s.Stopped() at each node, at s.Elapsed() now and then
//			s.Report(uci.Info{Depth: depth, Score: uci.ScoreOf(score, mate), Nodes: nodes, PV: line})
//			return uci.BestOf(line)
//		},
//	}
//	err := session.Run(context.Background(), os.Stdin, os.Stdout)
//
// The directory examples/engine contains a complete engine.
//
// Source: https://www.chessprogramming.org/UCI, which links the specification.
package uci
