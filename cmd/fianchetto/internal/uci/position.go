package uci

import (
	"errors"
	"fmt"
	"strings"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

var errNoPosition = errors.New("there is no position: the last one was refused")

// place takes the position of a position command. If it is refused there is none: a count of the one before would
// pass for the count of this one.
func (s *session) place(words []string) error {
	game, err := fianchetto.ParseUCIPosition(strings.Join(words, " "), s.chess960)
	s.refused = err != nil
	if err == nil {
		s.position = game.Position()
	}
	return err
}

// display shows the board, and below it all that Stockfish says of a position.
func (s *session) display() error {
	if s.refused {
		return errNoPosition
	}
	const edge = " +---+---+---+---+---+---+---+---+\n"
	var text strings.Builder
	text.WriteString("\n" + edge)
	for i := range bitboard.Rank(8) {
		rank := bitboard.Rank8 - i
		for file := range bitboard.File(8) {
			piece := s.position.PieceAt(bitboard.SquareAt(file, rank))
			fmt.Fprintf(&text, " | %c", letterOrSpace(piece))
		}
		fmt.Fprintf(&text, " | %v\n%s", rank, edge)
	}
	text.WriteString("   a   b   c   d   e   f   g   h\n\n")
	pos := s.position.WithChess960(s.chess960)
	fmt.Fprintf(&text, "Fen: %s\nKey: %016X\nCheckers: ", pos.FEN(), pos.Key())
	for square := range pos.Checkers().Squares() {
		text.WriteString(square.String() + " ")
	}
	s.say("%s\n", text.String())
	return nil
}

func letterOrSpace(piece fianchetto.Piece) byte {
	if piece == fianchetto.NoPiece {
		return ' '
	}
	return piece.Letter()
}
