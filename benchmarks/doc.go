// Command benchmarks measures Fianchetto and compares it with others: slider algorithms with each other,
// move generators, perft and evaluation with dragontoothmg, with further Go libraries, with any engine that speaks
// "go perft N", and with any program that prints a count and a time. It is a module of its own, so that nothing it needs enters the library's go.mod.
//
//	go run . bench       the ratios to dragontoothmg, in about a minute
//	go run . compare     everything, a few minutes, into results.md and plots/
//	go run . sliders     and so on: one part of it, printed
//
// Contenders take turns, position by position and round by round, so that other work of the machine
// affects all of them. A ratio is the median of the ratios of each round, not a ratio of medians. Every
// count is checked: a wrong one ends the run with exit status 1.
//
// dragontoothmg is under the GPL, version 3, and so is a program built from this module; the library is not.
package main
