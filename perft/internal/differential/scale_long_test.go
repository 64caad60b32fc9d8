//go:build long

package differential_test

// castlingStep is the distance between the positions that TestCastlings checks.
const castlingStep = 1
