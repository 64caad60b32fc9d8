package fianchetto

import (
	"encoding/binary"
	"fmt"

	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// PackedSize is the number of bytes of a packed position: see AppendBinary.
const PackedSize = packedBoard + 4*8

// The packed form: its version, the bits of its flags, and its offsets.
const (
	packedVersion = 1

	packedBlackToMove = 1
	packedChess960    = 2

	packedFlags    = 1
	packedHalfmove = 2
	packedFullmove = 4
	packedBoard    = 6
)

// AppendBinary appends the packed form of the position, PackedSize bytes, which UnmarshalBinary reads back to a position
// equal by ==. With room it allocates nothing. The error is for the zero value, which is no position. It implements encoding.BinaryAppender.
//
// The form: byte 0 is its version, 1; byte 1 has bit 0 for Black to move and bit 1 for Chess960; bytes 2-3 are the
// halfmove clock, 4-5 the number of the move, low byte first; bytes 6-37 are four planes of 64 bits, low byte
// first, in which bit s of plane i is bit i of the code of square s, a1 = 0 to h8 = 63. An empty square has
// code 0, a white pawn 1, knight 2, bishop 3, rook 4, queen 5, king 6, a rook with the right to castle 7; Black's are
// 8 more; 8 itself is the pawn that has just made a double push, of the side that is not to move.
func (p Position) AppendBinary(data []byte) ([]byte, error) {
	b := &p.board
	if b.Kings() == 0 {
		return data, fmt.Errorf("fianchetto: the zero Position has no packed form: %w", ErrKingCount)
	}
	flags := byte(p.SideToMove()) * packedBlackToMove
	if p.IsChess960() {
		flags |= packedChess960
	}
	data = append(data, packedVersion, flags)
	data = binary.LittleEndian.AppendUint16(data, uint16(p.HalfmoveClock()))
	data = binary.LittleEndian.AppendUint16(data, uint16(p.FullmoveNumber()))
	castling, pushed, kings := b.CastlingRooks(), b.EnPassant()>>8, b.Kings()
	for _, plane := range [...]Bitboard{
		b.Pawns&^pushed | b.Diagonals | castling,
		b.Knights | b.Diagonals&^b.Orthogonals | kings | castling,
		b.Orthogonals | kings,
	} {
		data = binary.LittleEndian.AppendUint64(data, uint64(p.absolute(plane)))
	}
	return binary.LittleEndian.AppendUint64(data, uint64(p.ByColor(Black)|p.absolute(pushed))), nil
}

// MarshalBinary returns the packed form of the position, as AppendBinary does. It implements encoding.BinaryMarshaler.
func (p Position) MarshalBinary() ([]byte, error) {
	return p.AppendBinary(make([]byte, 0, PackedSize))
}

// UnmarshalBinary reads what AppendBinary writes. The error is a *PackedError, and p is as it was: no bytes make a
// position that cannot be played from. It implements encoding.BinaryUnmarshaler.
func (p *Position) UnmarshalBinary(data []byte) error {
	refuse := func(field string, offset int, cause error) error {
		return &PackedError{append([]byte(nil), data...), field, offset, cause}
	}
	switch {
	case len(data) > 0 && data[0] != packedVersion:
		return refuse("version", 0, ErrPackedVersion)
	case len(data) != PackedSize:
		return refuse("size", min(len(data), PackedSize), ErrPackedSize)
	case data[packedFlags]&^(packedBlackToMove|packedChess960) != 0:
		return refuse("flags", packedFlags, ErrPackedFlags)
	}
	d, found := unpack(data)
	if len(found) > 0 {
		return refuse(fieldNames[found[0].field], packedOffset(found[0]), newSetupError(found))
	}
	*p = d.position().WithChess960(data[packedFlags]&packedChess960 != 0)
	return nil
}

// unpack reads a packed position of the right size, and all its flaws.
func unpack(data []byte) (d draft, found []flaw) {
	var planes [4]Bitboard
	for i := range planes {
		planes[i] = Bitboard(binary.LittleEndian.Uint64(data[packedBoard+8*i:]))
	}
	low, middle, high, black := planes[0], planes[1], planes[2], planes[3]
	pushed := black &^ (low | middle | high)
	castling := low & middle & high
	d = draft{
		side:      Color(data[packedFlags] & packedBlackToMove),
		halfmove:  binary.LittleEndian.Uint16(data[packedHalfmove:]),
		fullmove:  binary.LittleEndian.Uint16(data[packedFullmove:]),
		enPassant: NoSquare,
		byType: [...]Bitboard{
			Pawn:   low&^middle&^high | pushed,
			Knight: middle &^ low &^ high,
			Bishop: low & middle &^ high,
			Rook:   high&^low&^middle | castling,
			Queen:  low & high &^ middle,
			King:   middle & high &^ low,
		},
	}
	d.byColor[Black] = black &^ pushed
	d.byColor[White] = (low | middle | high) &^ black
	d.byColor[d.side.Opponent()] |= pushed
	found = append(d.menFlaws(), d.claimRights(castling)...)
	return d, append(found, d.claimPush(pushed)...)
}

// claimPush gives the en-passant square behind a pawn that has just made a double push, and returns what is wrong with it.
func (d *draft) claimPush(pushed Bitboard) (found []flaw) {
	backwards := bitboard.South
	if d.side == White {
		backwards = bitboard.North
	}
	for pawn := range pushed.Squares() {
		d.enPassant = pawn.Bitboard().Shift(backwards).First()
		if pushed.Len() > 1 || d.enPassant == NoSquare || !d.doublePushFits() {
			found = append(found, newFlaw(enPassantField, pawn, ErrEnPassant, "not on %v with %v to move", pawn, d.side))
		}
	}
	return found
}

// packedOffset returns where in a packed position the flaw shows first.
func packedOffset(f flaw) int {
	switch {
	case f.field == sideField:
		return packedFlags
	case f.square.IsValid():
		return packedBoard + int(f.square.Rank()) // a byte of a plane is a rank
	}
	return packedBoard
}

// AppendText appends the move as String spells it. It implements encoding.TextAppender.
func (m Move) AppendText(text []byte) ([]byte, error) { return append(text, m.String()...), nil }

// MarshalText returns the move as String spells it, as e2e4. To read it back takes the position it was made for, which knows
// what moves there: Position.ParseUCI. It implements encoding.TextMarshaler.
func (m Move) MarshalText() ([]byte, error) { return m.AppendText(nil) }

// AppendBinary appends the 16 bits of the move, low byte first. It implements encoding.BinaryAppender.
func (m Move) AppendBinary(data []byte) ([]byte, error) {
	return binary.LittleEndian.AppendUint16(data, uint16(m)), nil
}

// MarshalBinary returns the 16 bits of the move, low byte first. It implements encoding.BinaryMarshaler.
func (m Move) MarshalBinary() ([]byte, error) { return m.AppendBinary(make([]byte, 0, 2)) }

// UnmarshalBinary reads what AppendBinary writes of any move that some position may have, and of NoMove. The error is a
// *PackedError, and m is as it was. Whether the move is legal in a position, Position.IsLegal tells. It implements
// encoding.BinaryUnmarshaler.
func (m *Move) UnmarshalBinary(data []byte) error {
	refuse := func(offset int) error {
		return &PackedError{append([]byte(nil), data...), "move", offset, ErrPackedMove}
	}
	if len(data) != 2 {
		return refuse(min(len(data), 2))
	}
	read := Move(binary.LittleEndian.Uint16(data))
	switch {
	case read == NoMove:
	case read.Piece() == NoPieceType:
		return refuse(1) // the kind is in the high byte
	case read.From() == read.To():
		return refuse(0)
	}
	*m = read
	return nil
}
