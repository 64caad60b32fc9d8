package oracle

// Perft returns the number of ways to play depth legal moves one after another
// from b: 1 at depth 0. It is slow, as it makes every move to see whether it is legal.
// Source: https://www.chessprogramming.org/Perft
func (b Board) Perft(depth int) uint64 {
	if depth <= 0 {
		return 1
	}
	moves := b.LegalMoves()
	if depth == 1 {
		return uint64(len(moves))
	}
	var nodes uint64
	for _, m := range moves {
		nodes += b.Apply(m).Perft(depth - 1)
	}
	return nodes
}
