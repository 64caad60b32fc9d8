// Package engine asks other programs for perft: UCI engines with "go perft" or a similar command, and programs that are
// called with a depth, a position and moves, like scripts of perftree.
//
//	program, err := engine.Open(ctx, engine.Config{Path: "stockfish"})
//	answer, err := program.Divide(ctx, engine.Path{Root: fianchetto.StartPosition()}, 3)
//
// A program can fail to start, end, give no answer or a wrong one. Each of these is an *Error. The next question starts the
// program again.
//
// Sources: https://www.chessprogramming.org/UCI; https://github.com/agausmann/perftree, its README.
package engine
