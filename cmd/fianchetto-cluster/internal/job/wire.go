package job

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"unicode"
	"unicode/utf8"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/core"
	"github.com/fianchetto-chess/fianchetto/internal/lines"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

// Version is the version of the messages. Others are refused.
const Version = 3

// A message is a checked line of package lines: the word for its kind, the version, and an object
// of JSON. Workers and coordinators send such lines, the broker stores them, and batch systems carry
// files of them.
//
//	result 3 {"job":"5f0c...","task":7,"depth":4,"method":"two-ply",...} ce374ba630b2479f

// Message is a *Task, a *Result or a *Description.
type Message interface {
	word() string
	origin() (what, build string)
	check() error // for a field out of its range
}

// Line returns a message as a line with its end.
func Line(m Message) []byte {
	text, _ := json.Marshal(m) // a message has no value that JSON lacks
	return lines.AppendChecked(nil, "", fmt.Appendf(nil, "%s %d %s", m.word(), Version, text))
}

// Read reads a line made by Line, with its end or without. It returns ErrMessage, ErrVersion and,
// for a description, ErrSpec.
func Read(line []byte, m Message) error {
	text, whole := lines.CheckedText("", bytes.TrimSuffix(line, []byte("\n")))
	word, rest, _ := bytes.Cut(text, []byte(" "))
	version, object, _ := bytes.Cut(rest, []byte(" "))
	switch {
	case !whole || string(word) != m.word():
		return fmt.Errorf("%w: %.20q of %d bytes is no %s, or it is damaged", ErrMessage, line, len(line), m.word())
	case string(version) != strconv.Itoa(Version):
		return fmt.Errorf("%w: it is of version %.20q, this is version %d, build %q", ErrVersion, version, Version,
			Build())
	}
	if err := json.Unmarshal(object, m); err != nil {
		return fmt.Errorf("%w: %.200s", ErrMessage, err)
	}
	return m.check()
}

// Receive reads a line like Read. It returns ErrBuild for a message of another build.
func Receive(line []byte, m Message) error {
	if err := Read(line, m); err != nil {
		return err
	}
	if what, build := m.origin(); build != Build() {
		return fmt.Errorf("%w: %s is of build %s, this is build %q", ErrBuild, what, quote.Text(build, 0), Build())
	}
	return nil
}

func printable(text string) bool {
	for _, c := range text {
		if !unicode.IsPrint(c) {
			return false
		}
	}
	return utf8.ValidString(text)
}

// positionOf returns the position of a state with White to move, which has the same counts. It
// returns ErrPosition, with every reason, if the position is not playable or its state is another.
func positionOf(s core.State) (fianchetto.Position, error) {
	b, setup := s.Board(), fianchetto.NewSetup()
	for i, pieces := range [...]bitboard.Bitboard{b.Pawns, b.Knights, b.Diagonals &^ b.Orthogonals,
		b.Orthogonals &^ b.Diagonals, b.Diagonals & b.Orthogonals, b.Kings()} {
		for square := range pieces.Squares() {
			color := bitboard.White
			if b.Them.Has(square) {
				color = bitboard.Black
			}
			setup.Put(square, bitboard.PieceOf(color, bitboard.Pawn+bitboard.PieceType(i)))
		}
	}
	setup.CastlingRooks = b.CastlingRooks()
	if target := b.EnPassant(); target != 0 {
		setup.EnPassant = target.First()
	}
	pos, err := setup.Position()
	if err != nil {
		return pos, fmt.Errorf("%w: %w", ErrPosition, err)
	}
	if b := core.BoardOf(&pos); core.StateOf(&b) != s {
		return pos, fmt.Errorf("%w: %016x, which is not %s", ErrPosition, s, pos.FEN())
	}
	return pos, nil
}
