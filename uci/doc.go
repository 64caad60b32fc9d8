// Package uci implements both sides of the Universal Chess Interface, the protocol between chess
// programs and engines.
//
// # Writing an engine
//
// A Session reads commands, keeps the position and the options, and calls the engine to search. It
// owns the goroutines: isready, stop, ponderhit and quit take effect at once, and each go gets one
// answer.
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
// # Driving an engine
//
// Open starts a program, SetOption sets an option, and Go searches a position and returns the best
// move. A context limits each call. An *Error tells a crash (ErrEnded, with exit status and stderr)
// from a timeout (the error of the context).
//
//	engine, err := uci.Open(ctx, exec.Command("stockfish"))
//	defer engine.Close()
//	best, err := engine.Go(ctx, game, uci.Limits{MoveTime: time.Second}, func(info uci.Info) { ... })
//
// Ask sends any other command, such as Stockfish's "go perft N", after SetPosition.
//
// Source: https://www.chessprogramming.org/UCI, which links the specification.
package uci
