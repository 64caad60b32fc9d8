package explorer

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

// SANQuestion asks which piece a move in algebraic notation means.
type SANQuestion struct {
	FEN string `json:"fen"`
	SAN string `json:"san"`
}

// SANAnswer follows each piece that could be meant.
type SANAnswer struct {
	Piece      bitboard.PieceType `json:"piece"`
	Side       bitboard.Color     `json:"side"`
	Target     bitboard.Square    `json:"target"`
	Named      string             `json:"named"` // what is named of the origin: "file", "rank" or ""
	Candidates []Candidate        `json:"candidates"`
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

	Attackers bitboard.Bitboard `json:"attackers"`          // if the move is illegal: the pieces that
	Attacked  *bitboard.Square  `json:"attacked,omitempty"` // would attack the king on this square
}

// sanMove matches a move other than castling: piece, file, rank, target, promotion.
var sanMove = regexp.MustCompile(`^([KQRBN]?)([a-h]?)([1-8]?)x?([a-h][1-8])(?:=?([QRBN]))?[+#]?$`)

func answerSAN(q SANQuestion) (SANAnswer, error) {
	pos, err := PositionQuestion{FEN: q.FEN}.root()
	if err != nil {
		return SANAnswer{}, failIn("fen", err)
	}
	parts := sanMove.FindStringSubmatch(q.SAN)
	if parts == nil {
		return SANAnswer{}, &Failure{"san", fmt.Sprintf("%s is not a move with a target square, such as Bb3 or exd5.",
			quote.Text(q.SAN, 0))}
	}
	us := pos.SideToMove()
	piece, _ := bitboard.ParsePieceType(cmp.Or(strings.ToLower(parts[1]), "p"))
	target, _ := bitboard.ParseSquare(parts[4])
	answer := SANAnswer{Piece: piece, Side: us, Target: target, Candidates: []Candidate{}}
	switch {
	case parts[2] != "":
		answer.Named = "file"
	case parts[3] != "":
		answer.Named = "rank"
	}
	promotion := fianchetto.NoPieceType
	if parts[5] != "" {
		promotion, _ = bitboard.ParsePieceType(parts[5])
	}
	for from := range pos.Pieces(us, piece).Squares() {
		name, why := from.String(), pos.Explain(pos.MoveBetween(from, target, promotion))
		c := Candidate{From: from}
		between := bitboard.Between(from, target) & pos.Occupancy()
		switch named := strings.HasPrefix(name, parts[2]) && strings.HasSuffix(name, parts[3]); {
		case piece == bitboard.Bishop && from.Color() != target.Color():
			c.Fails, c.Reason = onEmptyBoard, "stands on the other colour"
		case !reaches(piece, us, from, target):
			c.Fails, c.Reason = onEmptyBoard, "does not go that way"
		case !between.IsEmpty():
			c.Fails, c.Reason = freeWay, fmt.Sprintf("would pass over %v", between.First())
		case !why.Legal:
			c.Fails, c.Reason, c.Attackers, c.Attacked = allowed, "may not go: "+why.Reason, why.Attackers, &why.Attacked
		case !named:
			c.Fails, c.Reason = allowed, "is not the one that the notation names"
		default:
			c.Reason = "can go there"
		}
		answer.Candidates = append(answer.Candidates, c)
	}
	return answer, nil
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
