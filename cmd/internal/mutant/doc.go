// Package mutant is a simple move generator in which classic mistakes can be switched on, and a program around it that
// answers over UCI or as a perftree script. The tests of package compare search it for mistakes.
//
// The board is an array of 64 pieces; a move is legal if the king is not attacked after it. Of the code of the fast generator and of
// the oracle it uses only the parser of FENs.
package mutant
