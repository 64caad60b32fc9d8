package fianchetto

import (
	"encoding/binary"
	"fmt"

	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/core"
)

const (
	packedVersion = 1

	packedBlackToMove = 1
	packedChess960    = 2

	packedFlags    = 1
	packedHalfmove = 2
	packedFullmove = 4
	packedBoard    = 6
	packedSize     = packedBoard + core.StateSize
)

// AppendBinary appends the packed form of the position, 38 bytes, from which
// UnmarshalBinary reads an equal position (==). It fails for the zero value only.
//
// Byte 0 is the version, 1. In byte 1, bit 0 is Black to move and bit 1 is Chess960. Bytes 2-3 are
// the halfmove clock, 4-5 the number of the move, low byte first. Bytes 6-37 are four planes of 64
// bits, low byte first: bit s of plane i is bit i of the code of square s. Code 0 is an empty
// square, 1 a white pawn, 2 knight, 3 bishop, 4 rook, 5 queen, 6 king, 7 a rook with the right to
// castle. Black's codes are 8 more. Code 8 is a pawn that has just made a double push.
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
	s := core.StateOf(&core.Board{
		Us: p.colors[White], Them: p.colors[Black], Pawns: p.pieces[pawns], Knights: p.pieces[knights],
		Diagonals: p.pieces[bishops] | p.pieces[queens], Orthogonals: p.pieces[rooks] | p.pieces[queens],
		CastlingAndEnPassant: p.state.castlingRooks(),
	})
	pushed := uint64(p.pushed()) // even if no pawn can capture it
	s[0], s[3] = s[0]&^pushed, s[3]|pushed
	return s.Append(data), nil
}

// MarshalBinary returns what AppendBinary appends.
func (p Position) MarshalBinary() ([]byte, error) {
	return p.AppendBinary(make([]byte, 0, packedSize))
}

// UnmarshalBinary reads the packed form of a playable position. The error is a *PositionError and
// leaves p unchanged.
func (p *Position) UnmarshalBinary(data []byte) error {
	refuse := func(field string, offset int, detail string) error {
		return malformed(packedForm, string(data), field, offset, because(errPacked, "%s", detail))
	}
	switch {
	case len(data) > 0 && data[0] != packedVersion:
		return refuse("version", 0, "unknown version")
	case len(data) != packedSize:
		return refuse("size", min(len(data), packedSize), "wrong size")
	case data[packedFlags]&^(packedBlackToMove|packedChess960) != 0:
		return refuse("flags", packedFlags, "unknown flags")
	}
	d := unpack(data)
	if len(d.problems) > 0 {
		return &PositionError{Input: string(data), Problems: d.problems, form: packedForm, unplayable: true}
	}
	*p = d.position().WithChess960(data[packedFlags]&packedChess960 != 0)
	return nil
}

func unpack(data []byte) (d draft) {
	s := core.ReadState(data[packedBoard:])
	b, castling := s.Board(), Bitboard(s[0]&s[1]&s[2])
	pushed := Bitboard(s[3] &^ (s[0] | s[1] | s[2]))
	d.state = state(data[packedFlags]&packedBlackToMove) |
		state(binary.LittleEndian.Uint16(data[packedHalfmove:]))<<halfmoveShift |
		state(binary.LittleEndian.Uint16(data[packedFullmove:]))<<fullmoveShift
	d.pieces = [...]Bitboard{
		pawns:   b.Pawns,
		knights: b.Knights,
		bishops: b.Diagonals &^ b.Orthogonals,
		rooks:   b.Orthogonals &^ b.Diagonals,
		queens:  b.Diagonals & b.Orthogonals,
		kings:   b.Kings(),
	}
	d.colors = [...]Bitboard{White: b.Us, Black: b.Them &^ pushed}
	d.colors[d.SideToMove().Opponent()] |= pushed
	d.checkPlacement()
	d.grantRights(castling)
	d.setDoublePush(pushed)
	for _, p := range d.problems {
		p.Offset = packedBoard
		if p.Square.IsValid() {
			p.Offset += int(p.Square.Rank()) // a byte of a plane is a rank
		}
	}
	return d
}

func (d *draft) setDoublePush(pushed Bitboard) {
	for pawn := range pushed.Squares() {
		behind := attacks.PawnPushes(d.SideToMove(), pawn.Bitboard(), bitboard.Full).First() // the pusher's way back
		d.state |= enPassantState(Move(behind))
		if pushed.Len() > 1 || behind == NoSquare || !d.isBehindDoublePush() {
			d.refuse(enPassantField, pawn, ErrEnPassant, "pawn on %v with %v to move", pawn, d.SideToMove())
		}
	}
}
