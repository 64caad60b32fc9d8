// Package engine asks other programs for perft: engines that speak UCI and know "go perft", and programs that are
// called with a depth, a position and moves, as perftree calls them.
//
//	program, err := engine.Open(ctx, engine.Config{Path: "stockfish"})
//	answer, err := program.Divide(ctx, engine.Path{Root: fianchetto.StartPosition()}, 3)
//
// A program is not trusted: it may fail to start, end, stay silent or talk nonsense. Each is an *Error, after which
// it can be asked the next question: it is then started anew.
//
// Sources: https://www.chessprogramming.org/UCI; https://github.com/agausmann/perftree, its README.
package engine
