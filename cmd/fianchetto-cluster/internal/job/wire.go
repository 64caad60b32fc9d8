package job

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/core"
	"github.com/fianchetto-chess/fianchetto/internal/lines"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

// Message is a *Task, a *Result or a *Description. It is written as a checked line of package lines:
// an object of JSON and a checksum that covers the kind. Workers and coordinators send such lines, the
// broker stores them, and batch systems carry files of them.
//
//	{"build":"v1.0.0","job":"5f0c...","task":7,"depth":4,"method":"two-ply",...} ce374ba630b2479f
type Message interface {
	kind() string
	build() string
	check() error // for a field out of its range
}

// Line returns a message as a line with its end.
func Line(m Message) []byte {
	text, _ := json.Marshal(m) // a message has no value that JSON lacks
	return lines.AppendChecked(nil, m.kind(), text)
}

// Read reads a line made by Line, with its end or without. It returns ErrMessage, and ErrBuild for a
// message of another build.
func Read(line []byte, m Message) error {
	text, whole := lines.CheckedText(m.kind(), bytes.TrimSuffix(line, []byte("\n")))
	if !whole {
		return fmt.Errorf("%w: %.20q of %d bytes is no %s, or it is damaged", ErrMessage, line, len(line), m.kind())
	}
	if err := json.Unmarshal(text, m); err != nil {
		return fmt.Errorf("%w: %.200s", ErrMessage, err)
	}
	if m.build() != Build() {
		return fmt.Errorf("%w: a %s is of build %s, this is build %q", ErrBuild, m.kind(), quote.Text(m.build(), 0), Build())
	}
	return m.check()
}

// positionOf returns the position of a state with White to move, which has the same counts. It
// returns ErrPosition, with every reason, if the position is not playable or its state is another.
func positionOf(s core.State) (pos fianchetto.Position, err error) {
	const version, moveNumber = 1, 1
	packed := binary.LittleEndian.AppendUint16([]byte{version, 0, 0, 0}, moveNumber)
	if err := pos.UnmarshalBinary(s.Append(packed)); err != nil {
		return pos, fmt.Errorf("%w: %w", ErrPosition, err)
	}
	if b := core.BoardOf(&pos); core.StateOf(&b) != s {
		return pos, fmt.Errorf("%w: %016x, which is not %s", ErrPosition, s, pos.FEN())
	}
	return pos, nil
}
