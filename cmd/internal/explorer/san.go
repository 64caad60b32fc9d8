package explorer

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// SANQuestion asks which piece a move in algebraic notation means.
type SANQuestion struct {
	FEN string `json:"fen"`
	SAN string `json:"san"`
}

// SANAnswer follows each piece that could be meant. If the move cannot be read, only Problem is set.
type SANAnswer struct {
	Problem    string             `json:"problem,omitempty"`
	Piece      bitboard.PieceType `json:"piece"`
	Side       bitboard.Color     `json:"side"`
	Target     bitboard.Square    `json:"target"`
	Named      string             `json:"named"` // what is named of the origin: "file", "rank" or ""
	Candidates []Candidate        `json:"candidates"`
	Pins       []Pin              `json:"pins"`
}

// The tests that a candidate must pass, in order.
const (
	onEmptyBoard = 2 + iota // it can reach the target on an empty board
	freeWay                 // the squares between are empty
	allowed                 // the move is legal and named
)

// Candidate is a piece of the named type.
type Candidate struct {
	From   bitboard.Square `json:"from"`
	Fails  int             `json:"fails"` // the first failed test; 0 for a piece that can go there
	Reason string          `json:"reason"`
}

// Pin is a pinned candidate's line, from the pinning piece to the king.
type Pin struct {
	From bitboard.Square `json:"from"`
	To   bitboard.Square `json:"to"`
}

// sanMove matches a move that is not a castling: piece, file, rank, target, promotion.
var sanMove = regexp.MustCompile(`^([KQRBN]?)([a-h]?)([1-8]?)x?([a-h][1-8])(?:=?([QRBN]))?[+#]?$`)

func answerSAN(q SANQuestion) (SANAnswer, error) {
	pos, err := PositionQuestion{FEN: q.FEN}.root()
	if err != nil {
		return SANAnswer{}, failIn("fen", err)
	}
	parts := sanMove.FindStringSubmatch(q.SAN)
	switch {
	case parts == nil && strings.HasPrefix(strings.ReplaceAll(q.SAN, "0", "O"), "O-O"):
		return SANAnswer{Problem: "Castling names no square."}, nil
	case parts == nil:
		return SANAnswer{Problem: fmt.Sprintf("%s is not a move in algebraic notation, such as Bb3 or exd5.", q.SAN)}, nil
	}
	us := pos.SideToMove()
	piece, _ := bitboard.ParsePieceType(cmp.Or(strings.ToLower(parts[1]), "p"))
	target, _ := bitboard.ParseSquare(parts[4])
	answer := SANAnswer{Piece: piece, Side: us, Target: target, Candidates: []Candidate{}, Pins: []Pin{}}
	switch {
	case parts[2] != "":
		answer.Named = "file"
	case parts[3] != "":
		answer.Named = "rank"
	}
	legal := make(map[bitboard.Square]bool)
	for m := range pos.LegalMoves() {
		promotion := ""
		if m.Promotion() != fianchetto.NoPieceType {
			promotion = strings.ToUpper(string(m.Promotion().Letter()))
		}
		if m.To() == target && m.Kind() != fianchetto.Castling && promotion == parts[5] {
			legal[m.From()] = true
		}
	}
	for from := range pos.Pieces(us, piece).Squares() {
		c := Candidate{From: from}
		name := from.String()
		named := strings.HasPrefix(name, parts[2]) && strings.HasSuffix(name, parts[3])
		c.Fails, c.Reason = follow(&pos, piece, from, target, legal[from], named)
		answer.Candidates = append(answer.Candidates, c)
		if pos.Pinned(us).Has(from) {
			answer.Pins = append(answer.Pins, pinOf(&pos, from))
		}
	}
	return answer, nil
}

// follow returns the first test that a piece fails, and why.
func follow(pos *fianchetto.Position, piece bitboard.PieceType, from, to bitboard.Square, legal, named bool) (int, string) {
	between := bitboard.Between(from, to) & pos.Occupancy()
	switch {
	case piece == bitboard.Bishop && from.Color() != to.Color():
		return onEmptyBoard, "stands on the other colour"
	case !reaches(piece, pos.SideToMove(), from, to):
		return onEmptyBoard, "does not go that way"
	case !between.IsEmpty():
		return freeWay, fmt.Sprintf("would pass over %v", between.First())
	case legal && !named:
		return allowed, "is not the one that the notation names"
	case legal:
		return 0, "can go there"
	case pos.Pinned(pos.SideToMove()).Has(from):
		return allowed, "is pinned"
	case pos.InCheck():
		return allowed, "does not end the check"
	}
	return allowed, "may not go there"
}

// reaches reports whether a piece can go from one square to another on an empty board.
func reaches(piece bitboard.PieceType, side bitboard.Color, from, to bitboard.Square) bool {
	if attacks.Of(bitboard.PieceOf(side, piece), from, bitboard.Empty).Has(to) {
		return true
	}
	forward, start := 8, bitboard.Rank2
	if side == bitboard.Black {
		forward, start = -8, bitboard.Rank7
	}
	steps := int(to) - int(from)
	return piece == bitboard.Pawn && (steps == forward || steps == 2*forward && from.Rank() == start)
}

// pinOf returns the line of a pin.
func pinOf(pos *fianchetto.Position, pinned bitboard.Square) Pin {
	us := pos.SideToMove()
	king := pos.King(us)
	for pinner := range pos.Pinners(us).Squares() {
		if bitboard.Between(king, pinner).Has(pinned) {
			return Pin{pinner, king}
		}
	}
	return Pin{king, king}
}
