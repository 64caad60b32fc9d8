package fianchetto

import (
	"encoding/binary"
	"fmt"

	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// PackedSize is the number of bytes of a packed position: see AppendBinary.
const PackedSize = packedBoard + 4*8

// The version of the packed form, the bits of its flags, and its offsets.
const (
	packedVersion = 1

	packedBlackToMove = 1
	packedChess960    = 2

	packedFlags    = 1
	packedHalfmove = 2
	packedFullmove = 4
	packedBoard    = 6
)

// AppendBinary appends the packed form of the position, PackedSize bytes, which UnmarshalBinary
// reads back to a position equal by ==. With room it allocates nothing. It fails for the zero value
// only. It implements encoding.BinaryAppender.
//
// The form: byte 0 is its version, 1; byte 1 has bit 0 for Black to move and bit 1 for Chess960;
// bytes 2-3 are the halfmove clock, 4-5 the number of the move, low byte first; bytes 6-37 are four
// planes of 64 bits, low byte first, in which bit s of plane i is bit i of the code of square s, a1
// = 0 to h8 = 63. An empty square has code 0, a white pawn 1, knight 2, bishop 3, rook 4, queen 5,
// king 6, a rook with the right to castle 7; Black's are 8 more; 8 itself is the pawn that has just
// made a double push, of the side that is not to move.
func (p Position) AppendBinary(data []byte) ([]byte, error) {
	if p.pieces[kings] == 0 {
		return data, fmt.Errorf("fianchetto: packing the zero Position: %w", ErrKingCount)
	}
	flags := byte(p.SideToMove()) * packedBlackToMove
	if p.IsChess960() {
		flags |= packedChess960
	}
	data = append(data, packedVersion, flags)
	data = binary.LittleEndian.AppendUint16(data, uint16(p.HalfmoveClock()))
	data = binary.LittleEndian.AppendUint16(data, uint16(p.FullmoveNumber()))
	s, castling, pushed := &p.pieces, p.state.castlingRooks(), p.pushed()
	for _, plane := range [...]Bitboard{
		s[pawns]&^pushed | s[bishops] | s[queens] | castling,
		s[knights] | s[bishops] | s[kings] | castling,
		s[rooks] | s[queens] | s[kings],
		p.colors[Black] | pushed,
	} {
		data = binary.LittleEndian.AppendUint64(data, uint64(plane))
	}
	return data, nil
}

// MarshalBinary returns the packed form of the position, as AppendBinary does. It implements
// encoding.BinaryMarshaler.
func (p Position) MarshalBinary() ([]byte, error) {
	return p.AppendBinary(make([]byte, 0, PackedSize))
}

// UnmarshalBinary reads what AppendBinary writes. Only playable positions are read; the error is a
// *PositionError and leaves p unchanged. It implements encoding.BinaryUnmarshaler.
func (p *Position) UnmarshalBinary(data []byte) error {
	refuse := func(field string, offset int, detail string) error {
		return malformed(packedForm, string(data), field, offset, because(errPacked, "%s", detail))
	}
	switch {
	case len(data) > 0 && data[0] != packedVersion:
		return refuse("version", 0, "unknown version")
	case len(data) != PackedSize:
		return refuse("size", min(len(data), PackedSize), "wrong size")
	case data[packedFlags]&^(packedBlackToMove|packedChess960) != 0:
		return refuse("flags", packedFlags, "unknown flags")
	}
	u := unpack(data)
	if len(u.problems) > 0 {
		return &PositionError{Input: string(data), Problems: u.problems, form: packedForm, unplayable: true}
	}
	*p = u.position().WithChess960(data[packedFlags]&packedChess960 != 0)
	return nil
}

// unpack reads a packed position of the right size, and finds all problems of the position.
func unpack(data []byte) uncheckedPosition {
	var planes [4]Bitboard
	for i := range planes {
		planes[i] = Bitboard(binary.LittleEndian.Uint64(data[packedBoard+8*i:]))
	}
	low, middle, high, black := planes[0], planes[1], planes[2], planes[3]
	pushed := black &^ (low | middle | high)
	castling := low & middle & high
	u := uncheckedPosition{
		side:      Color(data[packedFlags] & packedBlackToMove),
		halfmove:  binary.LittleEndian.Uint16(data[packedHalfmove:]),
		fullmove:  binary.LittleEndian.Uint16(data[packedFullmove:]),
		enPassant: NoSquare,
		byType: [...]Bitboard{
			pawns:   low&^middle&^high | pushed,
			knights: middle &^ low &^ high,
			bishops: low & middle &^ high,
			rooks:   high&^low&^middle | castling,
			queens:  low & high &^ middle,
			kings:   middle & high &^ low,
		},
	}
	u.byColor[Black] = black &^ pushed
	u.byColor[White] = (low | middle | high) &^ black
	u.byColor[u.side.Opponent()] |= pushed
	u.checkPlacement()
	u.grantRights(castling)
	u.setDoublePush(pushed)
	for _, p := range u.problems {
		p.Offset = packedOffset(p)
	}
	return u
}

// setDoublePush sets the en-passant square behind a pawn that has just made a double push, and adds
// its problems.
func (u *uncheckedPosition) setDoublePush(pushed Bitboard) {
	for pawn := range pushed.Squares() {
		u.enPassant = attacks.PawnPushes(u.side, pawn.Bitboard(), bitboard.Full).First() // the pusher's way back
		if pushed.Len() > 1 || u.enPassant == NoSquare || !u.isBehindDoublePush() {
			u.refuse(enPassantField, pawn, ErrEnPassant, "pawn on %v with %v to move", pawn, u.side)
		}
	}
}

// packedOffset returns the offset of the first byte of a packed position that shows the problem.
func packedOffset(p *PositionProblem) int {
	switch {
	case p.Field == sideField:
		return packedFlags
	case p.Square.IsValid():
		return packedBoard + int(p.Square.Rank()) // a byte of a plane is a rank
	}
	return packedBoard
}
