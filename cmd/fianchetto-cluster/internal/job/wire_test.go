package job

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"runtime/debug"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/core"
	"github.com/fianchetto-chess/fianchetto/internal/lines"
	"github.com/fianchetto-chess/fianchetto/internal/must"
	"github.com/fianchetto-chess/fianchetto/perft"
)

func stateFrom(fen string) core.State {
	pos := fianchetto.MustParseFEN(fen)
	b := core.BoardOf(&pos)
	return core.StateOf(&b)
}

var trickyFENs = []string{
	fianchetto.StartFEN,
	"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b Kq - 0 1",
	"4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 2",
	"1rr1k1r1/8/8/8/8/8/8/1RR1K1R1 w GCgb - 0 1",
	"k7/8/8/8/8/8/8/K7 w - - 0 1",
	"KQQQQQnk/Q4Qpp/Q5QQ/Q6Q/Q6Q/Q6Q/Q6Q/QQQQQQQQ w - - 0 1",
}

func sampleTask() *Task {
	t := &Task{Head: Head{Build: Build(), Job: "010203", Index: 70000, Depth: 6, Method: perft.Plain},
		Avoid: []string{"ann", "böb/2"}}
	for _, fen := range trickyFENs {
		s := stateFrom(fen)
		t.Positions = s.Append(t.Positions)
	}
	return t
}

func sampleResult() *Result {
	return &Result{Head: Head{Build: Build(), Job: "09", Index: 3, Depth: 12, Method: perft.SIMD}, Worker: "ann",
		Elapsed: 1234567, Counts: []uint64{0, 127, 128, math.MaxUint64}}
}

// TestLines writes and reads a task with positions of every kind, and a result, as files have them.
func TestLines(t *testing.T) {
	var task Task
	must.Do(t, Read(Line(sampleTask()), &task))
	for i, fen := range trickyFENs {
		s := core.ReadState(task.Positions[i*core.StateSize:])
		b := s.Board()
		if pos, err := positionOf(s); err != nil || pos.CountLegal() != b.CountMoves() {
			t.Errorf("%s: %v, %v", fen, pos, err)
		}
	}
	if want := sampleTask(); !reflect.DeepEqual(&task, want) {
		t.Errorf("got %+v\nwant %+v", task, want)
	}
	text := fmt.Sprintf(`{"build":%q,"job":"09","task":3,"depth":12,"method":"simd","worker":"ann","elapsed_ns":1234567,`+
		`"counts":[0,127,128,18446744073709551615]}`, Build())
	line := lines.AppendChecked(nil, "result", []byte(text))
	var result Result
	must.Do(t, Read(line, &result))
	if want := sampleResult(); !reflect.DeepEqual(&result, want) || string(Line(want)) != string(line) {
		t.Errorf("got %+v\nwant %+v\n%s", result, want, Line(want))
	}
}

// TestRanges sends what no worker of ours sends.
func TestRanges(t *testing.T) {
	result := func(change func(r *Result)) Message { r := sampleResult(); change(r); return r }
	task := func(change func(t *Task)) Message { t := sampleTask(); change(t); return t }
	for want, m := range map[string]Message{
		"elapsed":    result(func(r *Result) { r.Elapsed = math.MaxInt64 }),
		"its method": result(func(r *Result) { r.Method = perft.Auto }),
		"depth":      task(func(t *Task) { t.Depth = perft.MaxDepth + 1 }),
		"depth -1":   task(func(t *Task) { t.Depth = -1 }),
		"31 bytes":   task(func(t *Task) { t.Positions = make([]byte, 31) }),
		"positions":  task(func(t *Task) { t.Positions = make([]byte, (MaxBatch+1)*core.StateSize) }),
	} {
		again := reflect.New(reflect.TypeOf(m).Elem()).Interface().(Message)
		if err := Read(Line(m), again); !errors.Is(err, ErrMessage) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want an error of %s", err, want)
		}
	}
}

// TestOtherBuild reads messages of another build, and of another kind.
func TestOtherBuild(t *testing.T) {
	task, result := sampleTask(), sampleResult()
	if err := Read(Line(task), result); !errors.Is(err, ErrMessage) {
		t.Errorf("a task is read as a result: %v", err)
	}
	task.Build, result.Build = "b", "b"
	for _, m := range []Message{task, result} {
		err := Read(Line(m), reflect.New(reflect.TypeOf(m).Elem()).Interface().(Message))
		want := fmt.Sprintf(`a %s is of build "b", this is build %q`, m.kind(), Build())
		if !errors.Is(err, ErrBuild) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestUnplayablePositions sends what is not a position, and positions that are not packed as they
// should be.
func TestUnplayablePositions(t *testing.T) {
	counter := must.Get(NewCounter(perft.Auto, 0))(t)
	castling := stateFrom("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
	pawn := stateFrom("4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 2")
	for name, s := range map[string]core.State{
		"nothing": {},
		"castling rook off its rank": {castling[0]&^(1<<7) | 1<<31, castling[1]&^(1<<7) | 1<<31,
			castling[2]&^(1<<7) | 1<<31, castling[3]},
		"two pawns to capture":           {pawn[0], pawn[1], pawn[2], pawn[3] | 1<<39},
		"no pawn can capture en passant": {pawn[0] &^ (1<<34 | 1<<36), pawn[1], pawn[2], pawn[3]},
		"no king":                        {0, 0, 1 << 60, 1 << 60},
	} {
		task := &Task{Positions: s.Append(nil)}
		if _, err := counter.Count(t.Context(), "w", task); !errors.Is(err, ErrPosition) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzDecodeTask(f *testing.F) { fuzzDecode(f, sampleTask(), func() Message { return new(Task) }) }

func FuzzDecodeResult(f *testing.F) {
	fuzzDecode(f, sampleResult(), func() Message { return new(Result) })
}

// fuzzDecode reads any message: what is read is written and read again alike.
func fuzzDecode(f *testing.F, sample Message, empty func() Message) {
	text, _ := lines.CheckedText(sample.kind(), bytes.TrimSuffix(Line(sample), []byte("\n")))
	f.Add(text)
	f.Fuzz(func(t *testing.T, text []byte) {
		line := lines.AppendChecked(nil, sample.kind(), text) // as damage is found out before anything else
		value, again := empty(), empty()
		if Read(line, value) == nil {
			if err := Read(Line(value), again); err != nil || !reflect.DeepEqual(again, value) {
				t.Errorf("%v\n got %+v\nwant %+v", err, again, value)
			}
		}
	})
}

// TestCounts compares 128-bit arithmetic and digits with math/big.
func TestCounts(t *testing.T) {
	word := rapid.OneOf(rapid.Uint64Max(1<<63-1), rapid.SampledFrom([]uint64{0, 1, 1 << 53, 1<<53 + 1}))
	rapid.Check(t, func(t *rapid.T) {
		a, b := Count{word.Draw(t, "a.Hi"), word.Draw(t, "a.Lo")}, Count{word.Draw(t, "b.Hi"), word.Draw(t, "b.Lo")}
		bigA, _ := new(big.Int).SetString(a.String(), 10)
		bigB, _ := new(big.Int).SetString(b.String(), 10)
		if sum := a.Add(b); sum.String() != bigA.Add(bigA, bigB).String() {
			t.Fatalf("sum %v, want %v", sum, bigA)
		}
		text, err := a.MarshalJSON()
		var back Count
		if err != nil || back.UnmarshalJSON(text) != nil || back != a || (text[0] == '"') != (a.Hi > 0 || a.Lo > 1<<53) {
			t.Fatalf("JSON %s, %v", text, err)
		}
	})
	for _, bad := range []string{"", "-1", "1e3", "340282366920938463463374607431768211456"} {
		if c := new(Count); c.UnmarshalJSON([]byte(bad)) == nil {
			t.Errorf("%q is %v", bad, c)
		}
	}
}

// TestIsClean separates builds that their version identifies from those that may have been changed.
func TestIsClean(t *testing.T) {
	const library, command = "github.com/fianchetto-chess/fianchetto", "github.com/fianchetto-chess/fianchetto/cmd"
	vcs := func(modified string) []debug.BuildSetting {
		return []debug.BuildSetting{{Key: "GOOS", Value: "linux"}, {Key: "vcs.revision", Value: "b04f3001"},
			{Key: "vcs.modified", Value: modified}}
	}
	released := []*debug.Module{{Path: library, Version: "v0.1.0"}, {Path: "example.com/a", Version: "v1.0.0"}}
	workspace := []*debug.Module{{Path: library, Version: "(devel)"}, {Path: "example.com/a", Version: "v1.0.0"}}
	version := debug.Module{Path: command, Version: "v0.1.0"}
	for _, test := range []struct {
		name  string
		main  debug.Module
		set   []debug.BuildSetting
		deps  []*debug.Module
		clean bool
	}{
		{"go install of a version", debug.Module{Path: command, Version: "v0.1.0", Sum: "h1:"}, nil, released, true},
		{"a clean checkout", version, vcs("false"), workspace, true},
		{"a clean commit", debug.Module{Path: command, Version: "v0.0.0-20261122010000-b04f300b04f3"}, vcs("false"), workspace, true},
		{"a changed checkout", debug.Module{Path: command, Version: "v0.1.0+dirty"}, vcs("true"), workspace, false},
		{"changed, by the setting alone", version, vcs("true"), workspace, false},
		{"no version control", debug.Module{Path: command, Version: "(devel)"}, nil, workspace, false},
		{"no version", debug.Module{Path: command}, nil, released, false},
		{"a version, and a library of files", version, nil, workspace, false},
		{"a module of files elsewhere", version, vcs("false"), []*debug.Module{{Path: "example.com/a", Version: "(devel)"}}, false},
		{"a module replaced", version, vcs("false"), []*debug.Module{{Path: library, Version: "v0.1.0", Replace: &debug.Module{Path: "../"}}}, false},
		{"a tool of another module", debug.Module{Path: "example.com/engine", Version: "v1.0.0"}, vcs("false"), released, false},
	} {
		info := &debug.BuildInfo{Path: command + "/fianchetto", Main: test.main, Settings: test.set, Deps: test.deps}
		if got := isClean(info); got != test.clean {
			t.Errorf("%s: clean %v, want %v", test.name, got, test.clean)
		}
	}
}

// TestBuildOfTest finds a digest: test binaries have no version.
func TestBuildOfTest(t *testing.T) {
	digest, err := digestExecutable()
	if err != nil || len(digest) != 32 || !strings.HasSuffix(Build(), " sha256:"+digest) {
		t.Errorf("build %q, digest %q, %v", Build(), digest, err)
	}
}

// TestNames reads the owner of a name, and holds which names a credential may use.
func TestNames(t *testing.T) {
	long := strings.Repeat("n", 64)
	for _, test := range []struct{ name, credential, owner string }{
		{"host-1/2", "", "host-1/2"}, {"host-1", "", "host-1"}, {long, "", long}, {"alpha:host-1/2", "alpha", "alpha"},
		{"alpha:" + long, "alpha", "alpha"}, {"alpha:x:y/1", "alpha", "alpha"},
	} {
		if err := CheckName(test.name, test.credential); err != nil || Owner(test.name) != test.owner {
			t.Errorf("%+v: owned by %q, %v", test, Owner(test.name), err)
		}
	}
	for name, credential := range map[string]string{long + "n": "", "": "", "alpha:" + long + "n": "alpha", "alpha:": "alpha",
		"alpha:host-1/2": "", "alpha:host-1/3": "beta", "host-1/2": "alpha", ":host-1/2": "", "line\nbreak": "", "\x1b[2J": "",
		"\u202eright to left": "", "\xff": ""} {
		if CheckName(name, credential) == nil {
			t.Errorf("%q is accepted with credential %q", name, credential)
		}
	}
}
