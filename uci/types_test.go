package uci_test

import (
	"cmp"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/must"
	"github.com/fianchetto-chess/fianchetto/uci"
)

const ms = time.Millisecond

func TestParseLimits(t *testing.T) {
	pos := fianchetto.StartPosition()
	e2e4 := must.Get(pos.ParseUCI("e2e4"))(t)
	for text, want := range map[string]uci.Limits{
		"":                         {Infinite: true},
		"infinite":                 {Infinite: true},
		"ponder":                   {Infinite: true, Ponder: true},
		"depth 7 nodes 99":         {Depth: 7, Nodes: 99},
		"fast depth 7 now 3":       {Depth: 7},
		"mate 3 depth -1":          {Mate: 3},
		"ponder movetime 250":      {Ponder: true, MoveTime: 250 * ms},
		"movetime 0":               {MoveTime: ms},
		"wtime -5 btime 60000":     {Time: [2]time.Duration{ms, time.Minute}},
		"winc 10 binc -3":          {Increment: [2]time.Duration{10 * ms}},
		"wtime 1 movestogo 40":     {Time: [2]time.Duration{ms}, MovesToGo: 40},
		"searchmoves e2e4 depth 1": {SearchMoves: []fianchetto.Move{e2e4}, Depth: 1},
		"nodes 99999999999999999999 btime 99999999999999999999": {Nodes: 1<<63 - 1,
			Time: [2]time.Duration{0, 1 << 40 * ms}},
	} {
		if got, err := uci.ParseLimits(text, &pos); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %+v, error %v, want %+v", text, got, err, want)
		}
	}
}

func TestBudget(t *testing.T) {
	for text, want := range map[string][2]time.Duration{ // soft and hard, for Black
		"infinite":                       {},
		"depth 7":                        {},
		"wtime 60010":                    {2000 * ms, 8000 * ms}, // there is no other clock
		"movetime 250 btime 10":          {0, 250 * ms},
		"btime 60010 wtime 1":            {2000 * ms, 8000 * ms},
		"btime 60010 binc 100 winc 7000": {2050 * ms, 8200 * ms},
		"btime 60010 movestogo 1":        {20000 * ms, 20000 * ms},
		"btime 60010 movestogo 10":       {6000 * ms, 20000 * ms},
		"btime 60010 movestogo 99":       {2000 * ms, 8000 * ms},
		"btime -5":                       {ms / 30, 4 * (ms / 30)},
	} {
		pos := fianchetto.StartPosition()
		limits, err := uci.ParseLimits(text, &pos)
		soft, hard := limits.Budget(fianchetto.Black, 10*ms)
		if err != nil || soft != want[0] || hard != want[1] {
			t.Errorf("%s: %v, %v, error %v, want %v", text, soft, hard, err, want)
		}
	}
}

// TestBudgetNeverPlansMoreThanThereIs tries all sorts of clocks.
func TestBudgetNeverPlansMoreThanThereIs(t *testing.T) {
	for _, left := range []time.Duration{1, ms, 20 * ms, time.Second, time.Hour, 1 << 40 * ms} {
		for _, increment := range []time.Duration{0, 10 * ms, time.Minute, 1 << 40 * ms} {
			for moves := range 50 {
				limits := uci.Limits{Time: [2]time.Duration{left}, Increment: [2]time.Duration{increment}, MovesToGo: moves}
				soft, hard := limits.Budget(fianchetto.White, 10*ms)
				if most := max(left-10*ms, ms); soft <= 0 || hard < soft || hard > most {
					t.Errorf("%v left, %v more each move, %d moves: it plans %v, at most %v", left, increment, moves,
						soft, hard)
				}
			}
		}
	}
}

// FuzzLimits reads any limits, and what is written of them.
func FuzzLimits(f *testing.F) {
	for _, text := range []string{"infinite", "wtime 1 btime 2 winc 3 binc 4 movestogo 5", "depth 9 nodes 8 mate 7",
		"ponder movetime 60 searchmoves e1h1 a7a8q", "searchmoves"} {
		f.Add(text)
	}
	pos := fianchetto.MustParseFEN("8/P3k3/8/8/8/8/8/4K2R w K - 0 1").WithChess960(true)
	f.Fuzz(func(t *testing.T, text string) {
		limits, err := uci.ParseLimits(text, &pos)
		if err != nil {
			return
		}
		written := limits.AppendText(nil, &pos)
		again, err := uci.ParseLimits(strings.TrimPrefix(string(written), "go"), &pos)
		limits.Infinite, again.Infinite = false, false // a limit of 0 is read, and not written
		if err != nil || !reflect.DeepEqual(again, limits) {
			t.Errorf("%q: %+v, written as %q, read as %+v, error %v", text, limits, written, again, err)
		}
	})
}

func TestParseInfo(t *testing.T) {
	pos := fianchetto.StartPosition()
	e2e4, _ := pos.ParseUCI("e2e4")
	after := pos.After(e2e4)
	e7e5, _ := after.ParseUCI("e7e5")
	for line, want := range map[string]uci.Info{
		"info depth 22 seldepth 30 multipv 1 score cp 31 nodes 1000 nps 500000 hashfull 12 tbhits 2 time 2 pv e2e4 e7e5": {
			Depth: 22, SelDepth: 30, MultiPV: 1, Score: uci.Score{Unit: "cp", Value: 31}, Nodes: 1000,
			NPS: 500_000, Hashfull: 12, TBHits: 2, Time: 2 * ms, PV: []fianchetto.Move{e2e4, e7e5}},
		"info depth 0 score mate 0 nodes 0 time 0": {Score: uci.Score{Unit: "mate"}},
		"info depth 3 score mate -2 upperbound nodes 0 time 0": {Depth: 3,
			Score: uci.Score{Unit: "mate", Value: -2, Bound: "upperbound"}},
		"info currmovenumber 3 currmove e2e4":    {CurrMove: e2e4, CurrMoveNumber: 3},
		"info depth 5 string depth 6,  not pv 3": {Depth: 5, Text: "depth 6,  not pv 3"},
	} {
		got, ok := uci.ParseInfo(line, &pos)
		if !ok || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, %v, want %+v", line, got, ok, want)
		}
		if text := string(got.AppendText(nil, &pos)); text != line {
			t.Errorf("%s: written as %s", line, text)
		}
	}
	for line, want := range map[string]uci.Info{
		"info score cp 7 wdl 1 2 3 lowerbound refutation e2e4 depth 4": {Depth: 4,
			Score: uci.Score{Unit: "cp", Value: 7, Bound: "lowerbound"}},
		"info pv e2e4 e2e4 time 7":        {PV: []fianchetto.Move{e2e4}, Time: 7 * ms},
		"info depth many currmove pv":     {},
		"  info\tdepth 3 depth":           {},
		"info nodes 99999999999999999999": {Nodes: 1<<63 - 1, Cut: []string{"nodes"}},
		"info depth 2147483648 time -1 hashfull 7 nps 5": {Depth: 1<<31 - 1, Hashfull: 7, NPS: 5,
			Cut: []string{"depth", "time"}},
		"info score cp 99999999999999999999 depth 2": {Depth: 2, Cut: []string{"cp"},
			Score: uci.Score{Unit: "cp", Value: math.MaxInt}},
	} {
		if got, ok := uci.ParseInfo(line, &pos); !ok || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, %v, want %+v", line, got, ok, want)
		}
	}
	for _, line := range []string{"", "information", "bestmove e2e4", "Info depth 3", "info score cp",
		"info depth 3 score cp 1.5 nodes 7", "info score mate x"} {
		if got, ok := uci.ParseInfo(line, &pos); ok {
			t.Errorf("%s: read as %+v", line, got)
		}
	}
}

func TestScoreOf(t *testing.T) {
	for score, want := range map[int]string{
		0: "cp 0", -35: "cp -35", 31000: "cp 31000", 31999: "mate 1", 31998: "mate 1", 31997: "mate 2",
		-32000: "mate 0", -31998: "mate -1", -31996: "mate -2",
	} {
		if got := uci.ScoreOf(score, 32000).String(); got != want {
			t.Errorf("%d: %s, want %s", score, got, want)
		}
	}
}

func TestParseBest(t *testing.T) {
	start := fianchetto.StartPosition()
	castles := fianchetto.MustParseFEN("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
	mated := fianchetto.MustParseFEN("R6k/8/6K1/8/8/8/8/8 b - - 0 1")
	for _, test := range []struct {
		pos        fianchetto.Position
		line, want string // "" if it is no answer, ? for an error
	}{
		{start, "bestmove e2e4", "bestmove e2e4"},
		{start, "bestmove e2e4 ponder e7e5", "bestmove e2e4 ponder e7e5"},
		{start, "bestmove e2e4 ponder e2e4", "bestmove e2e4"},
		{start, "bestmove e2e4 ponder", "bestmove e2e4"},
		{castles, "bestmove e1g1 ponder e8e7", "bestmove e1g1 ponder e8e7"},
		{castles, "bestmove e1h1", "bestmove e1g1"},
		{castles.WithChess960(true), "bestmove e1g1", "bestmove e1h1"},
		{start, "bestmove 0000", "bestmove 0000"},
		{start, "bestmove", "bestmove 0000"},
		{mated, "bestmove (none)", "bestmove (none)"},
		{mated, "bestmove 0000", "bestmove (none)"},
		{start, "bestmove e2e5", "?"},
		{start, "info pv e2e4", ""},
		{start, "", ""},
	} {
		best, ok, err := uci.ParseBest(test.line, &test.pos)
		got := string(best.AppendText(nil, &test.pos))
		switch {
		case err != nil:
			got = "?"
		case !ok:
			got = ""
		}
		if got != test.want {
			t.Errorf("%q: %s, error %v, want %s", test.line, got, err, test.want)
		}
	}
}

// FuzzAnswers reads any line, and what is written of it.
func FuzzAnswers(f *testing.F) {
	f.Add("info depth 2 score cp 3 lowerbound nodes 5 pv e1h1 e8d8")
	f.Add("info score mate -3 currmove a7a8q string x")
	f.Add("info pv e1h1 pv e1h1")
	f.Add("bestmove a7b8n ponder e8e7")
	f.Add("option name A B type combo default c d var c d var e")
	pos := fianchetto.MustParseFEN("1r2k3/P7/8/8/8/8/8/4K2R w K - 0 1")
	f.Fuzz(func(t *testing.T, line string) {
		if info, ok := uci.ParseInfo(line, &pos); ok {
			text := string(info.AppendText(nil, &pos))
			if again, ok := uci.ParseInfo(text, &pos); !ok || string(again.AppendText(nil, &pos)) != text {
				t.Errorf("%q: %+v, written as %q, read as %+v", line, info, text, again)
			}
		}
		if best, ok, err := uci.ParseBest(line, &pos); ok && err == nil {
			text := string(best.AppendText(nil, &pos))
			if again, ok, err := uci.ParseBest(text, &pos); !ok || err != nil || again != best {
				t.Errorf("%q: %v, written as %q, read as %v, error %v", line, best, text, again, err)
			}
		}
		if option, ok := uci.ParseOption(line); ok && option.Type != "" {
			_, _ = option.Command(line)
			_ = option.String()
		}
	})
}

func TestParseOption(t *testing.T) {
	for _, line := range []string{ // perhaps with a slash before another way to write it
		"option name Hash type spin default 16 min 1 max 33554432",
		"option name Ponder type check default false",
		"option name Clear Hash type button",
		"option name Style of Play type combo default very wild var solid var very wild",
		"option name NalimovPath type string default <empty>",
		"option name Book type string default c:\\my books\\book.bin",
		"option name Book type string default C:\\two  blanks\\max min var 3",
		"option name Book type string default x<empty>",
		"option name Analysis Type type combo default a var a var b",
		"option name Offset type spin default -3 min -10 max 10",
		"option name Own Book type check default true/\toption   name\tOwn  Book \t type  check  default\ttrue ",
		"option name A type string default <empty>/option name A type String default <empty>",
	} {
		want, other, _ := strings.Cut(line, "/")
		option, ok := uci.ParseOption(cmp.Or(other, want))
		if got := option.String(); !ok || got != want {
			t.Errorf("%s: read as %+v, written as %s", line, option, got)
		}
	}
	for line, values := range map[string]string{ // with slashes between, a question mark before those that do not fit
		"option name A type spin default 1 min 1 max 3":      "1/3/?0/?4/?/?x/?1.5/?true",
		"option name A type spin default 1":                  "1/-7/?/?x",
		"option name A type check default true":              "true/false/True/FALSE/?/?1",
		"option name A type button":                          "/?1",
		"option name A type combo default a b var a b var c": "a b/c/A b/C/?a/?/?b",
		"option name A type string default":                  "/x y",
		"option name A":                                      "/x y",
		"option name A type novelty default 3":               "/x y",
	} {
		option, ok := uci.ParseOption(line)
		if !ok || option.Name != "A" {
			t.Errorf("%s: read as %+v", line, option)
		}
		for value := range strings.SplitSeq(values, "/") {
			value, refused := strings.CutPrefix(value, "?")
			if _, err := option.Command(value); (err != nil) != refused {
				t.Errorf("%s: %q: error %v", line, value, err)
			}
		}
	}
	for _, line := range []string{"", "option", "option type check", "info string option name A type check"} {
		if option, ok := uci.ParseOption(line); ok {
			t.Errorf("%s: read as %+v", line, option)
		}
	}
}
