// Suitegen makes the perft suites in internal/suites, and has a second program confirm them.
//
//	suitegen -out internal/suites                       writes the suites
//	suitegen -confirm stockfish internal/suites/*.epd  counts every line again
//
// The positions are traps of the rules, listed in traps.go, and positions met in games
// of random moves; package oracle counts their nodes. The games are drawn from fixed
// seeds: the same suites come out bit for bit, on every machine.
//
// The second program is any engine that speaks UCI and answers "go perft N" with a line
// "Nodes searched: M", as Stockfish does. It shares no code with package oracle, so a count
// that both agree on is unlikely to be wrong.
package main

//go:generate go run . -out ../../internal/suites
