package job

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/must"
	"github.com/fianchetto-chess/fianchetto/internal/core"
	"github.com/fianchetto-chess/fianchetto/internal/lines"
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
	t := &Task{Head: Head{Job: ID{1, 2, 3}, Index: 70000, Depth: 6, Method: perft.Plain, Build: "v1 abc"},
		Avoid: []string{"ann", "böb/2"}}
	for _, fen := range trickyFENs {
		s := stateFrom(fen)
		t.Positions = s.Append(t.Positions)
	}
	return t
}

func sampleResult() *Result {
	return &Result{Head: Head{Job: ID{9}, Index: 3, Depth: 12, Method: perft.SIMD, Build: "b"}, Worker: "ann",
		Alone: true, Elapsed: 1234567, Counts: []uint64{0, 127, 128, math.MaxUint64}}
}

// The lines of sampleTask and sampleResult, as version 3 has them: a journal of this version has
// such lines.
const (
	taskLine = `task 3 {"build":"v1 abc","job":"01020300000000000000000000000000","task":70000,"depth":6,"method":"p` +
		`lain","avoid":["ann","böb/2"],"positions":"rf8AAAAA/633AAAAAAAA95kAAAAAAACZAAAAAAAA//8BfVEIEqD/gBFAI` +
		`xAABBiQkRAAAAAgAJEAAAAYECT/kQAAAAAUAAAAEAAAAAAAABAQAAAAAAAAEAAAAAAIAAAQRAAAAAAAAEJUAAAAAAAAUlYAAAAAA` +
		`ABWAAAAAAAAAFYAAAAAAAAAAAEAAAAAAAABAQAAAAAAAAEAAAAAAAAAAf+BgYGBweE+AAAAAAAAAMH/gYGBgcEhvwAAAAAAAMDA"` +
		`} 56fff29ca864a10c` + "\n"
	resultLine = `result 3 {"build":"b","job":"09000000000000000000000000000000","task":3,"depth":12,"method":"simd","` +
		`worker":"ann","alone":true,"elapsed_ns":1234567,"counts":[0,127,128,18446744073709551615]} 43717f9d5` +
		`2855da8` + "\n"
)

// TestLines writes and reads a task with positions of every kind, and a result.
func TestLines(t *testing.T) {
	var task Task
	must.Do(t, Read([]byte(taskLine), &task))
	i := 0
	for packed := range slices.Chunk(task.Positions, core.StateSize) {
		s := core.ReadState(packed)
		b := s.Board()
		if pos, err := positionOf(s); err != nil || pos.CountLegal() != b.CountMoves() {
			t.Errorf("%s: %v, %v", trickyFENs[i], pos, err)
		}
		i++
	}
	if want := sampleTask(); !reflect.DeepEqual(&task, want) || string(Line(want)) != taskLine {
		t.Errorf("got %+v\nwant %+v\n%s", task, want, Line(want))
	}
	var result Result
	must.Do(t, Read([]byte(resultLine), &result))
	if want := sampleResult(); !reflect.DeepEqual(&result, want) || string(Line(want)) != resultLine {
		t.Errorf("got %+v\nwant %+v\n%s", result, want, Line(want))
	}
}

// TestRanges sends what no worker of ours sends.
func TestRanges(t *testing.T) {
	for name, change := range map[string]func(r *Result){
		`worker "n`:         func(r *Result) { r.Worker = strings.Repeat("n", 98) },
		"elapsed":           func(r *Result) { r.Elapsed = math.MaxInt64 },
		"depth":             func(r *Result) { r.Depth = perft.MaxDepth + 1 },
		"depth -1":          func(r *Result) { r.Depth = -1 },
		"its method":        func(r *Result) { r.Method = perft.Auto },
		"count 8589934592 ": func(r *Result) { r.Depth, r.Counts = 3, []uint64{1<<33 - 1, 1 << 33} },
		"counts":            func(r *Result) { r.Counts = make([]uint64, MaxBatch+1) },
	} {
		r := sampleResult()
		change(r)
		err := Read(Line(r), new(Result))
		if !errors.Is(err, ErrMessage) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v, want an error of that field", name, err)
		}
	}
	for name, change := range map[string]func(t *Task){
		"depth":     func(t *Task) { t.Depth = perft.MaxDepth + 1 },
		"31 bytes":  func(t *Task) { t.Positions = make([]byte, 31) },
		"positions": func(t *Task) { t.Positions = make([]byte, (MaxBatch+1)*core.StateSize) },
	} {
		task := sampleTask()
		change(task)
		if err := Read(Line(task), new(Task)); !errors.Is(err, ErrMessage) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v, want an error of that field", name, err)
		}
	}
	r := sampleResult()
	r.Depth, r.Counts, r.Worker = 0, []uint64{1}, strings.Repeat("n", 97)
	if err := Read(Line(r), new(Result)); err != nil {
		t.Error(err)
	}
}

func isRefused(err error) bool { return errors.Is(err, ErrMessage) || errors.Is(err, ErrVersion) }

// TestDamagedMessages changes every bit of a message, and cuts it off everywhere: none is taken for
// whole.
func TestDamagedMessages(t *testing.T) {
	for name, test := range map[string]struct {
		sample, read Message
	}{
		"task": {sampleTask(), new(Task)}, "result": {sampleResult(), new(Result)},
	} {
		message := bytes.TrimSuffix(Line(test.sample), []byte("\n"))
		decode := func(b []byte) error { return Read(b, test.read) }
		for i := range 8 * len(message) {
			bad := bytes.Clone(message)
			bad[i/8] ^= 1 << (i % 8)
			if err := decode(bad); !isRefused(err) {
				t.Errorf("%s with bit %d changed: %v", name, i, err)
			}
		}
		for n := range message {
			if err := decode(message[:n]); !isRefused(err) {
				t.Errorf("%s cut off after %d bytes: %v", name, n, err)
			}
		}
		if err := decode(append(bytes.Clone(message), 0)); !isRefused(err) {
			t.Errorf("%s with a byte too many: %v", name, err)
		}
	}
}

// TestOtherVersion reads a message of another version, which may differ in anything after that.
func TestOtherVersion(t *testing.T) {
	line := lines.AppendChecked(nil, "", []byte("task 4 whatever comes"))
	err := Read(line, new(Task))
	if !errors.Is(err, ErrVersion) || !strings.Contains(err.Error(), `version "4", this is version 3`) {
		t.Error(err)
	}
	line = lines.AppendChecked(nil, "", []byte(`task 3 {"depth":"`+strings.Repeat("x", 1000)))
	if err := Read(line, new(Task)); !errors.Is(err, ErrMessage) || len(err.Error()) > 300 {
		t.Error(err)
	}
}

// TestOtherBuild reads messages of another build, and receives none.
func TestOtherBuild(t *testing.T) {
	for what, m := range map[string]Message{
		"task 70000": sampleTask(), "worker ann": sampleResult(),
		"job 01000000: depth 3": &Description{ID: ID{1}, Build: "b", Spec: Spec{FEN: fianchetto.StartFEN, Depth: 3, Split: 1}},
	} {
		again := reflect.New(reflect.TypeOf(m).Elem()).Interface().(Message)
		_, build := m.origin()
		if err := Read(Line(m), again); err != nil || !reflect.DeepEqual(again, m) {
			t.Errorf("got %+v, %v, want %+v", again, err, m)
		}
		err := Receive(Line(m), again)
		want := fmt.Sprintf(" is of build %q, this is build %q", build, Build())
		if !errors.Is(err, ErrBuild) || !strings.Contains(err.Error(), what) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want both builds", what, err)
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

// TestFrontiersAreRead reads every position of frontiers with castling, promotions and captures en
// passant: each has the moves of its board.
func TestFrontiersAreRead(t *testing.T) {
	for _, fen := range []string{
		"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
		"1rkr4/p5pP/8/2pPp3/8/8/PP3PPP/1RKR4 w DBdb e6 0 1",
		"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
	} {
		j := must.Get(New(t.Context(), Spec{FEN: fen, Depth: 3, Split: 3}, nil))(t)
		for _, s := range j.frontier.appendRange(nil, 0, j.frontier.len) {
			pos, err := positionOf(s)
			if b := s.Board(); err != nil || pos.CountLegal() != b.CountMoves() {
				t.Fatalf("%016x is %s: %v", s, pos.FEN(), err)
			}
		}
	}
}

func FuzzDecodeTask(f *testing.F) {
	fuzzDecode(f, sampleTask(), func() Message { return new(Task) })
}

func FuzzDecodeResult(f *testing.F) {
	fuzzDecode(f, sampleResult(), func() Message { return new(Result) })
}

// fuzzDecode reads any message: what is read is written and read again alike.
func fuzzDecode(f *testing.F, sample Message, empty func() Message) {
	text, _ := lines.CheckedText("", bytes.TrimSuffix(Line(sample), []byte("\n")))
	f.Add(text)
	f.Fuzz(func(t *testing.T, text []byte) {
		line := lines.AppendChecked(nil, "", text) // as damage is found out before anything else
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
	limit := new(big.Int).Lsh(big.NewInt(1), 128)
	word := rapid.OneOf(rapid.Uint64(), rapid.SampledFrom([]uint64{0, 1, 1 << 53, 1<<53 + 1, 1 << 63, math.MaxUint64}))
	rapid.Check(t, func(t *rapid.T) {
		a := Count{word.Draw(t, "a.Hi"), word.Draw(t, "a.Lo")}
		b := Count{word.Draw(t, "b.Hi"), word.Draw(t, "b.Lo")}
		same := func(what string, got Count, err error, want *big.Int) {
			if want.Cmp(limit) >= 0 != errors.Is(err, ErrOverflow) || err == nil && got.String() != want.String() {
				t.Fatalf("%s: %v, %v, want %v", what, got, err, want)
			}
		}
		bigA, _ := new(big.Int).SetString(a.String(), 10)
		bigB, _ := new(big.Int).SetString(b.String(), 10)
		sum, err := a.Add(b)
		same("sum", sum, err, new(big.Int).Add(bigA, bigB))
		r := &Result{Counts: []uint64{a.Lo, b.Lo, a.Hi}}
		same("sum of counts", r.Sum(), nil, new(big.Int).Add(new(big.Int).SetUint64(a.Hi), new(big.Int).Add(
			new(big.Int).SetUint64(a.Lo), new(big.Int).SetUint64(b.Lo))))
		text, err := a.MarshalJSON()
		var back, plain Count
		if err != nil || back.UnmarshalJSON(text) != nil || back != a ||
			plain.UnmarshalJSON([]byte(a.String())) != nil || plain != a ||
			(text[0] == '"') != (bigA.Cmp(big.NewInt(1<<53)) > 0) {
			t.Fatalf("JSON %s, %v", text, err)
		}
	})
	for _, bad := range []string{"", "-1", "+1", "01", "1e3", "340282366920938463463374607431768211456"} {
		if c := new(Count); c.UnmarshalJSON([]byte(bad)) == nil {
			t.Errorf("%q is %v", bad, c)
		}
	}
}

func BenchmarkReadPosition(b *testing.B) {
	s := stateFrom(trickyFENs[1])
	packed := s.Append(nil)
	for b.Loop() {
		must.Get(positionOf(core.ReadState(packed)))(b)
	}
}
