package job

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/core"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// Task is what a worker is asked to count: the leaves some plies below each of some positions.
//
// Its message has, after the head: the job's 16 bytes, index, depth, method, the number of workers to avoid and their names, the number of
// positions, and the positions, packed.
type Task struct {
	Job       ID
	Index     int
	Depth     int          // plies below the positions, 0 or more
	Method    perft.Method // how to count it; Auto is as the worker chooses
	Avoid     []string     // the owners of workers that must not count it
	Positions []core.State
	Build     string // of the program that made it

	playable []fianchetto.Position // the same positions, unpacked by DecodeTask
}

// The greatest numbers in a message.
const (
	maxIndex = 1<<31 - 1
	maxAvoid = 16
)

// Avoids reports whether a worker must not count the task.
func (t *Task) Avoids(worker string) bool { return slices.Contains(t.Avoid, Owner(worker)) }

// Append appends the task's message.
func (t *Task) Append(dst []byte) []byte {
	start := len(dst)
	dst = taskKind.begin(dst, t.Build)
	dst = append(dst, t.Job[:]...)
	dst = binary.AppendUvarint(dst, uint64(t.Index))
	dst = binary.AppendUvarint(dst, uint64(t.Depth))
	dst = appendText(dst, t.Method.String())
	dst = binary.AppendUvarint(dst, uint64(len(t.Avoid)))
	for _, worker := range t.Avoid {
		dst = appendText(dst, worker)
	}
	dst = binary.AppendUvarint(dst, uint64(len(t.Positions)))
	for i := range t.Positions {
		dst = appendPacked(dst, &t.Positions[i])
	}
	return taskKind.end(dst, start)
}

// DecodeTask reads a task's message. Its error is a *MessageError.
func DecodeTask(message []byte) (*Task, error) {
	r, build := taskKind.read(message)
	t := &Task{Build: build, Job: r.id()}
	t.Index = int(r.number("index", maxIndex))
	t.Depth = int(r.number("depth", perft.MaxDepth))
	t.Method = r.method("method")
	for range r.number("avoid", maxAvoid) {
		t.Avoid = append(t.Avoid, r.text("avoid", maxName))
	}
	t.Positions = make([]core.State, 0, r.number("number of positions", MaxBatch))
	t.playable = make([]fianchetto.Position, 0, cap(t.Positions))
	for range cap(t.Positions) {
		s, pos := r.position()
		t.Positions, t.playable = append(t.Positions, s), append(t.playable, pos)
	}
	if err := r.end(); err != nil {
		return nil, err
	}
	return t, nil
}

// position reads a packed position, which must be playable.
func (r *reader) position() (s core.State, pos fianchetto.Position) {
	if r.err != nil {
		return s, pos
	}
	s, n := unpack(r.message[r.offset:])
	if n == 0 {
		r.fail("position", r.offset, fmt.Errorf("%w: it ends too soon", ErrMessage))
		return s, pos
	}
	pos, err := positionOf(&s)
	if err != nil {
		r.fail("position", r.offset, err)
	}
	r.offset += n
	return s, pos
}

// position returns a position of the task. It returns ErrPosition if it is not playable.
func (t *Task) position(i int) (fianchetto.Position, error) {
	if i < len(t.playable) {
		return t.playable[i], nil
	}
	return positionOf(&t.Positions[i])
}

// MarshalText returns the task as one line, without its end.
func (t *Task) MarshalText() ([]byte, error) { return taskKind.text(t.Append(nil)) }

// UnmarshalText reads a line that MarshalText made. Its error is a *MessageError.
func (t *Task) UnmarshalText(line []byte) error { return readLine(t, line, taskKind, DecodeTask) }
