package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

// namedPositions are the positions that --fen knows by name.
// Source: chessprogramming wiki, Perft Results, and its numbering.
var namedPositions = []struct{ name, fen string }{
	{"startpos", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"},
	{"kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"},
	{"pos3", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"},
	{"pos4", "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1"},
	{"pos5", "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8"},
	{"pos6", "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10"},
}

func positionNames() []string {
	var names []string
	for _, p := range namedPositions {
		names = append(names, p.name)
	}
	return names
}

// IsPosition reports whether a word that is not a flag is a position: a name of one, or a FEN.
func IsPosition(word string) bool {
	return slices.Contains(positionNames(), Canonical(word, positionNames())) || strings.Count(word, "/") == 7
}

// PositionFlags describe the position that a command is about.
type PositionFlags struct {
	FEN      string // or the name of a position
	Moves    string // in UCI, with spaces between
	Chess960 bool
}

// Register adds the flags to a command.
func (f *PositionFlags) Register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.FEN, "fen", "startpos",
		"a `FEN` in quotes, Shredder-FEN and X-FEN too, or one of "+strings.Join(positionNames(), ", "))
	flags.StringVar(&f.Moves, "moves", "", "`MOVES` to make first, in UCI: \"e2e4 e7e5\"")
	flags.BoolVar(&f.Chess960, "chess960", false, "write castling as Chess960 does, king takes rook: e1h1")
	GroupFlags(cmd, "The position", "fen", "moves", "chess960")
	Complete(cmd, "fen", positionNames())
}

// Position returns the position that the flags describe.
func (f *PositionFlags) Position() (fianchetto.Position, error) {
	pos, err := f.Root()
	if err != nil {
		return fianchetto.Position{}, err
	}
	if f.Chess960 {
		pos = pos.WithChess960(true)
	}
	for text := range strings.FieldsSeq(f.Moves) {
		move, err := pos.ParseUCI(text)
		if err != nil {
			return fianchetto.Position{}, err
		}
		pos = pos.After(move)
	}
	return pos, nil
}

// Root returns the position before any moves.
func (f *PositionFlags) Root() (fianchetto.Position, error) {
	fen := f.FEN
	for _, p := range namedPositions {
		if strings.EqualFold(p.name, strings.TrimSpace(fen)) {
			fen = p.fen
		}
	}
	switch {
	case strings.TrimSpace(fen) == "":
		return fianchetto.Position{}, errors.New("--fen is empty: leave it out for the start position")
	case !strings.ContainsAny(fen, "/ "):
		return fianchetto.Position{}, fmt.Errorf("--fen: %s is not a FEN and none of the names %s%s", quote.Text(fen, 0), strings.Join(positionNames(), ", "), DidYouMean(fen, positionNames()))
	}
	return fianchetto.ParseFEN(fen)
}
