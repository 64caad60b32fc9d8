package journal

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/job"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/must"
	"github.com/fianchetto-chess/fianchetto/internal/lines"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// counted returns a job of 20 tasks and their results.
func counted(t *testing.T, depth int) (*job.Job, []*job.Result) {
	t.Helper()
	spec := job.Spec{FEN: fianchetto.StartFEN, Depth: depth, Split: 2, Batch: 20}
	j := must.Get(job.New(t.Context(), spec, nil))(t)
	c := must.Get(job.NewCounter(perft.Auto, 0))(t)
	var results []*job.Result
	for i := range j.Tasks {
		r := must.Get(c.Count(t.Context(), "w", j.Task(job.Want{Index: i})))(t)
		results = append(results, r)
	}
	return j, results
}

// ignore drops results.
func ignore(*job.Result) error { return nil }

// filled returns a directory with a journal of results, and the file.
func filled(t *testing.T, j *job.Job, results []*job.Result) (dir, path string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "state")
	log := must.Get(Open(dir, j.Description, ignore))(t)
	must.Do(t, log.Append(results...), log.Close())
	return dir, filepath.Join(dir, fileName)
}

// recovered opens the journal again, counts what is missing as run does, and returns how many
// results were there and what the journal reports of damage. It fails the test if the total is not
// right.
func recovered(t *testing.T, dir string, j *job.Job, results []*job.Result, total string) (there int, damage []Damage) {
	t.Helper()
	l := job.NewLedger(j, job.Rules{})
	add := func(r *job.Result) error { there++; _, err := l.Add(r); return err }
	log := must.Get(Open(dir, j.Description, add))(t)
	for want := range l.Wants() {
		must.Do(t, log.Append(results[want.Index]))
	}
	must.Do(t, log.Close())
	l = job.NewLedger(j, job.Rules{})
	d, _, err := Read(dir, func(r *job.Result) error { _, err := l.Add(r); return err })
	if s := l.Summary(); err != nil || d.ID != j.ID || !s.Done || s.Nodes.String() != total {
		t.Fatalf("%v, %v: %v, want %s", err, d, s.Nodes, total)
	}
	return there, log.Damage
}

// TestTornAnywhere cuts a journal off in many places: each time the rest is there, and the total is
// right.
func TestTornAnywhere(t *testing.T) {
	j, results := counted(t, 3)
	dir, path := filled(t, j, results[:2])
	whole := must.Get(os.ReadFile(path))(t)
	for n := bytes.IndexByte(whole, '\n') + 1; n <= len(whole); n += 1 + n%13 {
		must.Do(t, os.WriteFile(path, whole[:n], 0o666))
		there, damage := recovered(t, dir, j, results, "8902")
		lines := bytes.Count(whole[:n], []byte("\n"))
		torn := n > 0 && whole[n-1] != '\n'
		if there != max(0, lines-1) || len(damage) > 1 || torn != (len(damage) == 1 && damage[0].Torn &&
			damage[0].Line == lines+1) {
			t.Errorf("cut off after %d bytes: %d results, damage %v", n, there, damage)
		}
	}
}

// TestFlippedAnywhere changes bits all over a journal: the line is not believed and reported, its
// task counted again.
func TestFlippedAnywhere(t *testing.T) {
	j, results := counted(t, 3)
	dir, path := filled(t, j, results[:3])
	whole := must.Get(os.ReadFile(path))(t)
	for i := 0; i < len(whole); i += 17 {
		bad := bytes.Clone(whole)
		bad[i] ^= 1 << (i % 8)
		must.Do(t, os.WriteFile(path, bad, 0o666))
		there, damage := recovered(t, dir, j, results, "8902")
		if len(damage) == 0 || there > 3 || damage[0].Line != 1+bytes.Count(whole[:i], []byte("\n")) ||
			damage[0].Offset > int64(i) ||
			!strings.Contains(damage[0].String(), fmt.Sprintf("line %d, at offset %d", damage[0].Line,
				damage[0].Offset)) {
			t.Errorf("byte %d changed: %d results, damage %v", i, there, damage)
		}
	}
}

// TestNotOurs refuses files that are not a journal, and those of another job or version, and leaves
// them as they are.
func TestNotOurs(t *testing.T) {
	j, results := counted(t, 3)
	other, otherResults := counted(t, 4)
	dir, path := filled(t, other, otherResults[:2])
	of := must.Get(os.ReadFile(path))(t)
	_, untitled, _ := bytes.Cut(of, []byte("\n"))
	titles := job.Line(&j.Description)
	future := lines.AppendChecked(nil, "", []byte(`job 4 {"id":"?"}`))
	impossible := lines.AppendChecked(nil, "", bytes.Replace(titles[:len(titles)-18], []byte(`"tasks":20`),
		[]byte(`"tasks":-5`), 1))
	for name, test := range map[string]struct {
		text   []byte
		want   error
		reason string
	}{
		"tasks of no job":             {impossible, job.ErrSpec, "line 1: invalid job: 400 positions in -5 tasks"},
		"another job":                 {of, ErrOtherJob, "depth 4"},
		"another job without a title": {untitled, ErrOtherJob, other.ID.String()[:8]},
		"a letter":                    {[]byte("Dear Ann,\nthanks.\n"), ErrDamaged, "line 1, at offset 0"},
		"a word":                      {[]byte("Dear"), ErrDamaged, "line 1, at offset 0"},
		"another version":             {future, job.ErrVersion, `version "4"`},
		"two titles":                  {append(titles, of...), ErrOtherJob, "depth 4"},
	} {
		must.Do(t, os.WriteFile(path, test.text, 0o666))
		log, err := Open(dir, j.Description, ignore)
		if log != nil || !errors.Is(err, test.want) || !strings.Contains(err.Error(), test.reason) ||
			!strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", name, err)
		}
		if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, test.text) {
			t.Errorf("%s: the file has changed: %q, %v", name, now, err)
		}
	}
	if _, _, err := Read(t.TempDir(), ignore); !errors.Is(err, ErrNoJournal) {
		t.Errorf("an empty directory: %v", err)
	}
	must.Do(t, os.WriteFile(path, future, 0o666))
	if _, _, err := Read(dir, ignore); !errors.Is(err, job.ErrVersion) {
		t.Errorf("reading a journal of another version: %v", err)
	}
	must.Do(t, os.WriteFile(path, nil, 0o666))
	if there, damage := recovered(t, dir, j, results, "8902"); there != 0 || len(damage) != 0 {
		t.Errorf("an empty file: %d results, damage %v", there, damage)
	}
}

// TestOneWriter opens a journal that is open: the second is refused, with the name of the first.
// Reading is free.
func TestOneWriter(t *testing.T) {
	j, results := counted(t, 3)
	dir := t.TempDir()
	first := must.Get(Open(dir, j.Description, ignore))(t)
	_, err := Open(dir, j.Description, ignore)
	if !errors.Is(err, ErrLocked) || !strings.Contains(err.Error(), fmt.Sprintf("process %d on ", os.Getpid())) {
		t.Errorf("the second: %v", err)
	}
	must.Do(t, first.Append(results[0]))
	n := 0
	if _, _, err := Read(dir, func(*job.Result) error { n++; return nil }); err != nil || n != 1 {
		t.Errorf("reading beside it: %d results, %v", n, err)
	}
	if d, err := Describe(dir); err != nil || d.ID != j.ID {
		t.Errorf("%v, %v", d, err)
	}
	must.Do(t, first.Close())
	if err := first.Append(results[1]); err == nil {
		t.Error("a closed journal takes results")
	}
	if err := first.Close(); err == nil {
		t.Error("a closed journal is closed again")
	}
	again, err := Open(dir, j.Description, ignore)
	if err != nil {
		t.Fatalf("after it is closed: %v", err)
	}
	again.Close()
}

// memoryFile is a file that counts its calls, and fails when a test wants that.
type memoryFile struct {
	written       bytes.Buffer
	writes, syncs int
	full          error // of Write, after half of the bytes
	lost          error // of Sync
}

func (f *memoryFile) Write(p []byte) (int, error) {
	f.writes++
	if f.full != nil {
		n, _ := f.written.Write(p[:len(p)/2])
		return n, f.full
	}
	return f.written.Write(p)
}

func (f *memoryFile) Sync() error {
	f.syncs++
	return f.lost
}

func (f *memoryFile) Close() error { return nil }

// TestOneSyncForMany appends results together: they take one write and one sync, which has ended
// when Append returns.
func TestOneSyncForMany(t *testing.T) {
	_, results := counted(t, 3)
	f := new(memoryFile)
	log := &Journal{file: f}
	for call := 1; call <= 2; call++ {
		if err := errors.Join(log.Append(results...), log.Append()); err != nil || f.writes != call || f.syncs != call {
			t.Errorf("%d writes and %d syncs for %d calls: %v", f.writes, f.syncs, call, err)
		}
		if lines := bytes.Count(f.written.Bytes(), []byte("\n")); lines != call*len(results) {
			t.Errorf("%d lines of %d results", lines, call*len(results))
		}
	}
}

// TestDiskFull fails to write, or to make safe, in the middle: no call reports a result as kept,
// then or later, and what is on the disk is a journal with a torn tail.
func TestDiskFull(t *testing.T) {
	j, results := counted(t, 3)
	for name, f := range map[string]*memoryFile{"write": {full: syscall.ENOSPC}, "sync": {lost: syscall.EIO}} {
		log := &Journal{file: f}
		err := log.Append(results[0], results[1])
		if err == nil || !errors.Is(err, f.full) && !errors.Is(err, f.lost) {
			t.Errorf("%s: %v", name, err)
		}
		f.full, f.lost = nil, nil
		if again := log.Append(results[2]); again == nil || again.Error() != err.Error() || f.writes != 1 ||
			bytes.Count(f.written.Bytes(), []byte("\n")) > 2 {
			t.Errorf("%s, then: %v after %d writes", name, again, f.writes)
		}
		dir := t.TempDir()
		head := job.Line(&j.Description)
		must.Do(t, os.WriteFile(filepath.Join(dir, fileName), append(head, f.written.Bytes()...), 0o666))
		recovered(t, dir, j, results, "8902")
	}
}

// FuzzRead reads any text as a journal: it is read to the end or refused, and what Open makes of it
// can be read.
func FuzzRead(f *testing.F) {
	j := must.Get(job.New(f.Context(), job.Spec{FEN: fianchetto.StartFEN, Depth: 2, Split: 1}, nil))(f)
	head := job.Line(&j.Description)
	f.Add(head)
	f.Add(append(head, "result 3 {} 0123456789abcdef\nresult"...))
	f.Fuzz(func(t *testing.T, text []byte) {
		dir := t.TempDir()
		must.Do(t, os.WriteFile(filepath.Join(dir, fileName), text, 0o666))
		log, err := Open(dir, j.Description, ignore)
		if err != nil {
			return
		}
		must.Do(t, log.Close())
		if d, _, err := Read(dir, ignore); err != nil || d.ID != j.ID {
			t.Errorf("%v, %v", d, err)
		}
	})
}
