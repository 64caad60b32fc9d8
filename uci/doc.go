// Package uci has both sides of the Universal Chess Interface, by which chess programs and engines
// talk.
//
// # To make an engine
//
// A Session reads the commands, keeps the position and the options, and calls the engine when there
// is something to search. It owns the goroutines: whatever comes in whatever order, isready, stop,
// ponderhit and quit are obeyed at once, and each go has one answer.
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
// The directory examples/engine has an engine that does.
//
// # To drive an engine
//
// Open starts a program, SetOption sets its options, and Go has it search a position and returns
// its move. Its reports are values of type Info. A context limits the time of each call. An *Error
// tells a program that has crashed, with its exit status and its last line on stderr (ErrEnded),
// from one that is late (the error of the context).
//
//	engine, err := uci.Open(ctx, exec.Command("stockfish"))
//	defer engine.Close()
//	best, err := engine.Go(ctx, game, uci.Limits{MoveTime: time.Second}, func(info uci.Info) { ... })
//
// Perft asks for Stockfish's "go perft N"; what else goes beyond the protocol is asked with
// Client.Ask.
//
// Source: https://www.chessprogramming.org/UCI, which links the specification.
package uci
