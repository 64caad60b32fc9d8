package fianchetto

// FlipColors returns the position with the colours changed and the board turned upside down: what White could do,
// Black can. Castling rights, the en-passant square, the clocks and IsChess960 go with it. An evaluation that treats both
// sides alike gives it the value of p, seen by the side to move.
// Source: https://www.chessprogramming.org/Color_Flipping
func (p *Position) FlipColors() Position {
	flipped := *p
	flipped.state ^= blackToMove // the board is as the side to move sees it: it stays the same
	flipped.key = flipped.computeKey()
	return flipped
}

// MirrorFiles returns the position with the a-file where the h-file was, and so on. All moves are mirrored but
// castling, for which the two sides of the board are not alike: without castling rights in p, perft is the same. The
// position has no rights. All else goes with it.
func (p *Position) MirrorFiles() Position {
	mirrored := *p
	b := &mirrored.board
	b.Rights = b.EnPassant()
	for _, set := range [...]*Bitboard{&b.Us, &b.Them, &b.Pawns, &b.Knights, &b.Diagonals, &b.Orthogonals, &b.Rights} {
		*set = set.FlipHorizontal()
	}
	mirrored.key = mirrored.computeKey()
	return mirrored
}

// Rotate returns the position with the colours changed and the board turned by half: FlipColors and MirrorFiles
// in one. It has no castling rights.
func (p *Position) Rotate() Position {
	mirrored := p.MirrorFiles()
	return mirrored.FlipColors()
}
