package fianchetto

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

// StartFEN is the start position of standard chess.
const StartFEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

var startPosition = MustParseFEN(StartFEN)

// StartPosition returns the start position of standard chess.
func StartPosition() Position { return startPosition }

// ParseFEN reads a position in Forsyth-Edwards Notation, six fields separated by single spaces, or
// four with the clocks 0 and 1. Five fields are an error, because it is unclear which clock is
// missing.
//
// K, Q, k and q mean the outermost rook on that side of the king, as in X-FEN. A to H and a to h
// mean the rook on that file, as in Shredder-FEN. File letters, and rights that standard chess does
// not have, set IsChess960.
//
// An en-passant square must be behind a pawn that can have made a double push, but a capture need
// not be possible. Clocks range from 0 to 65535.
//
// The error is a *PositionError. Playable positions that no game reaches are accepted: see
// Unreachable.
//
// Sources: https://www.chessprogramming.org/Forsyth-Edwards_Notation,
// https://en.wikipedia.org/wiki/X-FEN
func ParseFEN(fen string) (Position, error) {
	pos, _, err := new(fenReader).read(fen)
	return pos, err
}

// ParseStandardFEN reads a FEN as standard chess, like python-chess and lichess. It drops every
// castling right of a king off e1 or e8 or a rook off the corners and returns the letters of the
// dropped rights. ParseFEN, like Stockfish, reads such rights as X-FEN, which makes the position
// one of Chess960, or refuses them if king or rook is missing.
func ParseStandardFEN(fen string) (pos Position, dropped string, err error) {
	return (&fenReader{standard: true}).read(fen)
}

// MustParseFEN is like ParseFEN but panics on an error.
func MustParseFEN(fen string) Position {
	p, err := ParseFEN(fen)
	if err != nil {
		panic(err)
	}
	return p
}

// The names of the fields in errors.
const (
	placementField = "placement"
	sideField      = "side to move"
	castlingField  = "castling"
	enPassantField = "en passant"
	halfmoveField  = "halfmove clock"
	fullmoveField  = "fullmove number"
)

var fenFields = [...]string{placementField, sideField, castlingField, enPassantField, halfmoveField, fullmoveField}

const fieldsWithoutClocks = 4

type fenReader struct {
	draft
	starts   [len(fenFields)]int // the offset of each field in the FEN
	places   [64]uint8           // the offset of the piece on each square in its field
	castling string              // interpreted once the pieces are known
	standard bool                // drop rights that standard chess does not have
	dropped  string              // letters of the rights
}

func (r *fenReader) read(fen string) (pos Position, dropped string, err error) {
	if err := r.parse(fen); err != nil {
		return Position{}, "", err
	}
	if r.check(); len(r.problems) > 0 {
		return Position{}, "", &PositionError{Input: fen, Problems: r.problems, unplayable: true}
	}
	return r.position(), r.dropped, nil
}

func (r *fenReader) parse(fen string) error {
	rest := 0
	for i, field := range fenFields {
		if i == fieldsWithoutClocks && rest > len(fen) {
			r.state |= 1 << fullmoveShift
			return nil
		}
		if rest >= len(fen) {
			return malformed(fenForm, fen, field, len(fen), errFieldCount)
		}
		text, _, _ := strings.Cut(fen[rest:], " ")
		r.starts[i] = rest
		if offset, problem := r.readField(field, text); problem != nil {
			return malformed(fenForm, fen, field, rest+offset, problem)
		}
		rest += len(text) + len(" ")
	}
	if rest <= len(fen) {
		return malformed(fenForm, fen, "end", rest-len(" "), errFieldCount)
	}
	return nil
}

// readField reads one field, or returns the problem and its offset in text. A switch, unlike a
// table of functions, keeps the reader off the heap.
func (r *fenReader) readField(field, text string) (offset int, problem error) {
	if text == "" {
		return 0, errSpace
	}
	switch field {
	case placementField:
		return r.readPlacement(text)
	case sideField:
		return r.readSide(text)
	case castlingField:
		return r.readCastling(text)
	case enPassantField:
		return r.readEnPassant(text)
	case halfmoveField:
		return r.readClock(text, halfmoveShift)
	default:
		return r.readClock(text, fullmoveShift)
	}
}

func (r *fenReader) readPlacement(text string) (offset int, problem error) {
	file, rank := 0, bitboard.Rank8
	for i := range len(text) {
		width := int(text[i]) - '0' // number of empty squares
		switch {
		case text[i] == '/' && file < 8:
			return i, fileCount(rank, file)
		case text[i] == '/' && rank == bitboard.Rank1:
			return i, errRankCount
		case text[i] == '/':
			file, rank = 0, rank-1
			continue
		case width < 1 || width > 8:
			piece, err := bitboard.ParsePiece(text[i : i+1])
			if err != nil {
				_, size := utf8.DecodeRuneInString(text[i:])
				return i, because(errPlacement, "%q (want PNBRQKpnbrqk, 1-8 or /)", text[i:i+size])
			}
			if file < 8 { // otherwise the rank is refused below
				square := bitboard.SquareAt(bitboard.File(file), rank)
				r.put(square, piece)
				r.places[square] = uint8(i)
			}
			width = 1
		}
		if file += width; file > 8 {
			return i, fileCount(rank, file)
		}
	}
	switch {
	case file < 8:
		return len(text), fileCount(rank, file)
	case rank != bitboard.Rank1:
		return len(text), errRankCount
	}
	return 0, nil
}

func fileCount(rank bitboard.Rank, files int) error {
	return because(errFileCount, "%d on rank %v", files, rank)
}

func (r *fenReader) readSide(text string) (offset int, problem error) {
	side := strings.IndexByte("wb", text[0])
	if side < 0 || len(text) > 1 {
		return 0, errSideToMove
	}
	r.state |= state(side)
	return 0, nil
}

// readCastling stores the letters, because their meaning depends on the pieces.
func (r *fenReader) readCastling(text string) (offset int, problem error) {
	if text == "-" {
		return 0, nil
	}
	for i := range len(text) {
		if !strings.Contains("KQkqABCDEFGHabcdefgh", text[i:i+1]) || strings.Contains(text[:i], text[i:i+1]) {
			return i, errCastlingLetter
		}
	}
	r.castling = text
	return 0, nil
}

func (r *fenReader) readEnPassant(text string) (offset int, problem error) {
	if text == NoSquare.String() {
		return 0, nil
	}
	square, err := bitboard.ParseSquare(text)
	if refusal, ok := err.(*quote.Error); ok {
		return refusal.Offset, refusal.Cause
	}
	r.state |= enPassantState(Move(square))
	return 0, nil
}

func (r *fenReader) readClock(text string, shift int) (offset int, problem error) {
	n, err := strconv.ParseUint(text, 10, 16)
	if err != nil {
		return max(0, strings.IndexFunc(text, func(r rune) bool { return r < '0' || r > '9' })), errClock
	}
	r.state |= state(n) << shift
	return 0, nil
}

// castlingRook returns the rook that an upper-case letter of the castling field means for a colour,
// or NoSquare.
func (r *fenReader) castlingRook(color Color, name byte) Square {
	king, rooks := r.onBackRank(color, King), r.onBackRank(color, Rook)
	switch {
	case king == 0:
		return NoSquare
	case name == 'K':
		return eastOf(king, rooks).Last()
	case name == 'Q':
		return westOf(king, rooks).First()
	}
	return (rooks & bitboard.File(name-'A').Mask()).First()
}

// check finds all problems of the position, in the order of the fields, and grants the castling
// rights.
func (r *fenReader) check() {
	r.checkPlacement()
	for i, letter := range []byte(r.castling) {
		color, name := White, letter
		if letter >= 'a' {
			color, name = Black, letter-('a'-'A')
		}
		rook := r.castlingRook(color, name)
		if r.standard && !r.isStandardRight(color, rook) {
			r.dropped += r.castling[i : i+1]
			continue
		}
		r.grantRight(r.castling[i:i+1], i, color, rook)
		r.setChess960(!r.standard && name != 'K' && name != 'Q')
	}
	r.checkEnPassant()
	for _, p := range r.problems {
		if p.Field == placementField && p.Square.IsValid() {
			p.Offset = int(r.places[p.Square])
		}
		p.Offset += r.starts[slices.Index(fenFields[:], p.Field)]
	}
}

// FEN returns the position in Forsyth-Edwards Notation with six fields, or "" for the zero value.
// Castling rights are file letters, as in Shredder-FEN, if IsChess960. Otherwise they are KQkq or,
// as in X-FEN, the file of a rook that is not the outermost. ParseFEN reads back the same position,
// but sets IsChess960 by the castling rights alone.
func (p Position) FEN() string {
	text, err := p.AppendText(make([]byte, 0, 96))
	if err != nil {
		return ""
	}
	return string(text)
}

// String returns the FEN of the position, or "no position" for the zero value.
func (p Position) String() string { return cmp.Or(p.FEN(), "no position") }

// AppendText appends the FEN. It fails only for the zero value.
func (p Position) AppendText(text []byte) ([]byte, error) {
	if p.isNone() {
		return text, fmt.Errorf("fianchetto: formatting the zero Position: %w", ErrKingCount)
	}
	text = p.appendPlacement(text)
	text = append(text, ' ', "wb"[p.SideToMove()], ' ')
	text = p.appendCastling(text)
	text = append(text, ' ')
	text = append(text, p.EnPassant().String()...)
	text = append(text, ' ')
	text = strconv.AppendUint(text, uint64(p.HalfmoveClock()), 10)
	text = append(text, ' ')
	return strconv.AppendUint(text, uint64(p.FullmoveNumber()), 10), nil
}

// MarshalText returns the text of AppendText.
func (p Position) MarshalText() ([]byte, error) { return p.AppendText(nil) }

// UnmarshalText reads a FEN like ParseFEN. After an error p is unchanged.
func (p *Position) UnmarshalText(text []byte) error {
	parsed, err := ParseFEN(string(text))
	if err == nil {
		*p = parsed
	}
	return err
}

func (p *Position) appendPlacement(text []byte) []byte {
	for i := range Square(64) {
		square := i.FlipVertical() // from a8 to h1
		isFirst := square.File() == bitboard.FileA
		if isFirst && i > 0 {
			text = append(text, '/')
		}
		switch piece := p.PieceAt(square); {
		case piece != NoPiece:
			text = append(text, piece.Letter())
		case !isFirst && text[len(text)-1] < '8': // a digit
			text[len(text)-1]++
		default:
			text = append(text, '1')
		}
	}
	return text
}

func (p *Position) appendCastling(text []byte) []byte {
	before := len(text)
	for color := White; color <= Black; color++ {
		for rooks := p.CastlingRooks(color); rooks != 0; rooks = rooks.Without(rooks.Last()) {
			text = append(text, p.castlingLetter(color, rooks.Last()))
		}
	}
	if len(text) == before {
		text = append(text, '-')
	}
	return text
}

func (p *Position) castlingLetter(color Color, rook Square) byte {
	letter := 'A' + byte(rook.File())
	if !p.IsChess960() {
		king, rooks := p.Pieces(color, King), p.onBackRank(color, Rook)
		switch rook {
		case eastOf(king, rooks).Last():
			letter = 'K'
		case westOf(king, rooks).First():
			letter = 'Q'
		}
	}
	if color == Black {
		letter += 'a' - 'A'
	}
	return letter
}
