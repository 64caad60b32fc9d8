// Package rules explains which rule of chess makes a move legal or illegal, in a sentence that names the pieces and
// the squares: "f1 is attacked by the bishop on a6". It is used for moves about which two generators differ.
//
//	pos := fianchetto.MustParseFEN("4k3/8/b7/8/8/8/8/4K2R w K - 0 1")
//	verdict := rules.Explain(pos, rules.Proposal{From: bitboard.E1, To: bitboard.G1})
//
// Source of the rules: FIDE Laws of Chess, articles 3 and 5, and guideline II (Chess960).
package rules
