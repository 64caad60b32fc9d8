// Package mutant is a simple move generator in which classic mistakes can be switched on, and a program around it that
// answers in UCI or answers as perftree asks. What finds mistakes in other people's generators is tried on it.
//
// The board is an array of 64 pieces; a move is legal if the king is not attacked once it is made. It is a program of its
// own kind: it shares no code with the fast generator or the oracle but the reading of a FEN.
package mutant
