// Package differential has only tests: they compare everything that the library reports about random positions with the
// oracle, with brute force or with each other. That is lists and stages of moves, legality of any value, checks,
// exchanges, notation, packed forms, making moves, keys, mirrored positions, and counts by every method and kernel.
//
// go test runs them for a few thousand positions. For another time, and with another seed,
//
//	go test -run TestRandomPositions -timeout 0 ./perft/internal/differential -args -for 1h -seed 7
//
// reports how many positions it has checked. A failure prints the position, a smaller one that fails alike, and
// the seed.
package differential
