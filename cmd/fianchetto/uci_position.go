package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

var errNoPosition = errors.New("there is no position: the last one was refused")

// place takes the position of a position command. If it is refused there is none: a count of the one before would
// pass for the count of this one.
func (s *uciSession) place(words []string) error {
	position, err := parseUCIPosition(words, s.chess960)
	s.refused = err != nil
	if err == nil {
		s.position = position
	}
	return err
}

// parseUCIPosition reads startpos, or fen and a FEN, and moves.
func parseUCIPosition(words []string, chess960 bool) (fianchetto.Position, error) {
	var moves []string
	if i := slices.Index(words, "moves"); i >= 0 {
		words, moves = words[:i], words[i+1:]
	}
	fen := fianchetto.StartFEN
	switch {
	case len(words) > 1 && words[0] == "fen":
		fen = strings.Join(words[1:], " ")
	case len(words) != 1 || words[0] != "startpos":
		return fianchetto.Position{}, fmt.Errorf("position %s: want startpos, or fen and a FEN, then perhaps moves", quote.Text(strings.Join(words, " "), 0))
	}
	pos, err := fianchetto.ParseFEN(fen)
	if err != nil {
		return fianchetto.Position{}, err
	}
	pos = pos.WithChess960(chess960)
	for _, spelling := range moves {
		move, err := pos.ParseUCI(spelling)
		if err != nil {
			return fianchetto.Position{}, err
		}
		pos = pos.After(move)
	}
	return pos, nil
}

// display shows the board, and below it all that Stockfish says of a position.
func (s *uciSession) display() error {
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
