package pgn_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/must"
	"github.com/fianchetto-chess/fianchetto/pgn"
	"pgregory.net/rapid"
)

// starts are positions in which games begin.
var starts = []string{
	fianchetto.StartFEN,
	"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 17",
	"nrbbkqrn/pppppppp/8/8/8/8/PPPPPPPP/NRBBKQRN w GBgb - 0 1",
	"8/P6k/8/8/4pP2/8/K6p/8 b - f3 0 65535",
}

// remark is a comment as a Reader returns it: words with single spaces between them.
var remark = rapid.StringMatching(`[a-zé{}%;()"\\\[\]$.]{1,9}( ([a-z]{1,60}|\[%clk 1:0\]|[%{}]|\[Event "x"\])){0,12}`)

// drawLine draws a line of moves, with notes and with variations down to a depth.
func drawLine(t *rapid.T, pos fianchetto.Position, depth int) pgn.Line {
	var line pgn.Line
	before := pos
	for ply := range rapid.IntRange(1, 12).Draw(t, "length") {
		if note, ok := drawNote(t, before, ply, depth); ok {
			line.Notes = append(line.Notes, note)
		}
		moves := slices.Collect(pos.LegalMoves())
		if !pos.InCheck() {
			moves = append(moves, fianchetto.NoMove)
		}
		if len(moves) == 0 {
			break
		}
		m := rapid.SampledFrom(moves).Draw(t, "move")
		line.Moves = append(line.Moves, m)
		before = pos
		pgn.Play(&before, &pos, m)
	}
	return line
}

func drawNote(t *rapid.T, before fianchetto.Position, ply, depth int) (note pgn.Note, ok bool) {
	note.Ply = ply
	switch rapid.IntRange(0, 9).Draw(t, "note") {
	case 0:
		glyphs := rapid.Map(rapid.Uint16(), func(n uint16) pgn.NAG { return pgn.NAG(n) })
		note.NAGs = rapid.SliceOfN(glyphs, 1, 3).Draw(t, "NAGs")
	case 1:
		note.Comments = rapid.SliceOfN(remark, 1, 2).Draw(t, "comments")
	case 2:
		if ply == 0 || depth == 0 {
			return note, false
		}
		for range rapid.IntRange(1, 2).Draw(t, "variations") {
			note.Variations = append(note.Variations, drawLine(t, before, depth-1))
		}
	default:
		return note, false
	}
	return note, true
}

func drawGame(t *rapid.T) *pgn.Game {
	g := &pgn.Game{Start: fianchetto.MustParseFEN(rapid.SampledFrom(starts).Draw(t, "start"))}
	g.Line = drawLine(t, g.Start, 3)
	g.Result = pgn.Result(rapid.IntRange(0, 3).Draw(t, "result"))
	for _, name := range []string{"Event", "Site", "Date", "Round", "White", "Black"} {
		g.Tags.Set(name, rapid.StringMatching(`[a-zé"\\\[\]{} ]{0,20}`).Draw(t, name))
	}
	g.Tags.Set("Result", g.Result.String())
	if rapid.Bool().Draw(t, "ECO") {
		g.Tags.Set("ECO", "A00")
	}
	variants := []string{"Standard", "Classical"}
	if g.Start.IsChess960() {
		variants = []string{"Chess960", "fischerandom"}
	}
	g.Tags.Set("Variant", rapid.SampledFrom(variants).Draw(t, "variant"))
	if fen := g.Start.FEN(); fen != fianchetto.StartFEN {
		g.Tags.Set("SetUp", "1")
		g.Tags.Set("FEN", fen)
	}
	return g
}

// TestWrittenReadsBack writes random games and reads them back equal; written again they are the
// same text.
func TestWrittenReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		games := []*pgn.Game{drawGame(t), drawGame(t)}
		text := export(t, games)
		again, errs := readAll(strings.NewReader(text), false)
		if len(errs) > 0 || len(again) != len(games) {
			t.Fatalf("%d games, %v, in\n%s", len(again), errs, text)
		}
		for i := range games {
			again[i].Bytes = pgn.Bytes{}
			if !reflect.DeepEqual(again[i], games[i]) {
				t.Fatalf("got  %+v\nwant %+v\n%s", again[i], games[i], text)
			}
		}
		if copied := export(t, again); copied != text {
			t.Fatalf("first\n%s\nthen\n%s", text, copied)
		}
	})
}

func TestLineLength(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := export(t, []*pgn.Game{drawGame(t)})
		_, moves, _ := strings.Cut(text, "\n\n")
		for line := range strings.Lines(moves) {
			allowed := strings.ContainsAny(line, ";%") || strings.Contains(line, " [Event") ||
				!strings.Contains(strings.TrimSpace(line), " ")
			if utf8.RuneCountInString(strings.TrimSuffix(line, "\n")) > 79 && !allowed {
				t.Fatalf("a long line: %s", line)
			}
			if strings.HasPrefix(line, "%") || strings.HasPrefix(line, "[Event") {
				t.Fatalf("a line like another: %s", line)
			}
		}
	})
	long := pgn.Game{Start: fianchetto.StartPosition(), Line: pgn.Line{
		Moves: []fianchetto.Move{e4},
		Notes: []pgn.Note{{Ply: 1, Comments: []string{strings.Repeat("word ", 40) + strings.Repeat("größer ", 40)}}},
	}}
	text := must.Get(long.AppendText(nil))(t)
	longest := 0
	for line := range strings.Lines(string(text)) {
		longest = max(longest, utf8.RuneCountInString(line)-1)
	}
	if longest < 73 || longest > 79 {
		t.Errorf("the longest line has %d columns:\n%s", longest, text)
	}
}

var e4 = fianchetto.NewMove(12, 28, fianchetto.DoublePush)

func TestWriteRefuses(t *testing.T) {
	start := fianchetto.StartPosition()
	check := fianchetto.MustParseFEN("4k3/8/8/8/8/8/8/4RK2 b - - 0 1")
	deep := pgn.Line{Moves: []fianchetto.Move{e4}}
	for range pgn.MaxDepth + 1 {
		deep = pgn.Line{Moves: []fianchetto.Move{e4}, Notes: []pgn.Note{{Ply: 1, Variations: []pgn.Line{deep}}}}
	}
	twice := pgn.Game{Start: start, Line: pgn.Line{Moves: []fianchetto.Move{e4, e4}}}
	_, err := twice.AppendText(nil)
	played, playErr := twice.Play()
	if played != nil || !errors.Is(err, fianchetto.ErrIllegalMove) || !errors.Is(playErr, fianchetto.ErrIllegalMove) {
		t.Errorf("%v, %v, want ErrIllegalMove", err, playErr)
	}
	pass := []fianchetto.Move{fianchetto.NoMove}
	game := func(notes ...pgn.Note) pgn.Game {
		return pgn.Game{Start: start, Line: pgn.Line{Moves: []fianchetto.Move{e4}, Notes: notes}}
	}
	tagged := func(name, value string) pgn.Game {
		return pgn.Game{Start: start, Tags: pgn.Tags{{Name: name, Value: value}}}
	}
	const (
		illegal = `fianchetto: move "e2e4" at offset 0: illegal move...`
		late    = "notes not in the order of their plies, or after the last move"
		noText  = "text that is not UTF-8, or a tag value with a line break"
	)
	for name, c := range map[string]struct {
		game pgn.Game
		want string
	}{
		"illegal":              {twice, illegal},
		"bad variation":        {game(pgn.Note{Ply: 1, Variations: []pgn.Line{twice.Line}}), illegal},
		"pass in check":        {pgn.Game{Start: check, Line: pgn.Line{Moves: pass}}, "null move in check"},
		"late note":            {game(pgn.Note{Ply: 2}), late},
		"notes in chaos":       {game(pgn.Note{Ply: 1}, pgn.Note{}), late},
		"variation of nothing": {game(pgn.Note{Variations: []pgn.Line{{}}}), "variation without a move before it"},
		"too deep":             {pgn.Game{Start: start, Line: deep}, "variations nested more than 256 deep"},
		"tag's name":           {tagged("a b", ""), badTag},
		"no tag's name":        {tagged("", ""), badTag},
		"two-line value":       {tagged("Event", "a\nb"), noText},
		"value no UTF-8":       {tagged("Event", "\xff"), noText},
		"remark no UTF-8":      {game(pgn.Note{Comments: []string{"\xff"}}), noText},
	} {
		text, err := c.game.AppendText(nil)
		if err == nil || !isMessage(err.Error(), c.want) || len(text) > 0 {
			t.Errorf("%s: %v, want %s, text %q", name, err, c.want, text)
		}
	}
}

// TestTagsFollowTheGame writes the start and the result of the game, not tags that contradict them.
// Only a tag with another winner is kept beside the result.
func TestTagsFollowTheGame(t *testing.T) {
	g := pgn.Game{Start: fianchetto.StartPosition(), Result: pgn.Draw, Tags: pgn.Tags{
		{Name: "Variant", Value: "Chess960"}, {Name: "ECO", Value: "A00"}, {Name: "FEN", Value: "x"},
		{Name: "White", Value: "W"}, {Name: "Result", Value: "*"},
	}}
	text, err := g.AppendText(nil)
	const want = "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"W\"]\n[Black \"?\"]\n" +
		"[Result \"1/2-1/2\"]\n[ECO \"A00\"]\n\n1/2-1/2\n\n"
	if string(text) != want || err != nil {
		t.Errorf("got\n%s%v", text, err)
	}
	g.Tags.Set("Result", "1-0")
	text, _ = g.AppendText(nil)
	if both := string(text); !strings.Contains(both, `[Result "1-0"]`) || !strings.HasSuffix(both, "\n1/2-1/2\n\n") {
		t.Errorf("got\n%s", text)
	}
}

// TestGamesAsPGN plays games at random, writes them, and plays what is read back.
func TestGamesAsPGN(t *testing.T) {
	results := map[pgn.Result]int{}
	for n := range 300 {
		random := rand.New(rand.NewPCG(13, uint64(n)))
		number := random.IntN(960)
		start := must.Get(fianchetto.Chess960Start(number, number))(t)
		game := fianchetto.NewGame(start)
		for !game.Status().IsOver() && game.Len() < 400 {
			pos := game.Position()
			moves := pos.AppendLegal(nil)
			must.Do(t, game.Play(moves[random.IntN(len(moves))]))
		}
		written := pgn.FromGame(game)
		text := must.Get(written.AppendText(nil))(t)
		var read pgn.Game
		if err := pgn.NewReader(strings.NewReader(string(text))).Read(&read); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		again, err := read.Play()
		if err != nil || again.At(0) != start || !slices.Equal(again.Moves(), game.Moves()) ||
			again.Status() != game.Status() {
			t.Fatalf("%s is read as %v, %v", game.UCIPosition(), read, err)
		}
		want := pgn.Unknown
		if status := game.Status(); status == fianchetto.Checkmate {
			want = []pgn.Result{pgn.WhiteWins, pgn.BlackWins}[(game.Len()+1)%2]
		} else if status.IsOver() {
			want = pgn.Draw
		}
		if written.Result != want || read.Result != want {
			t.Fatalf("%s: result %v, read %v, want %v", game.UCIPosition(), written.Result, read.Result, want)
		}
		results[want]++
	}
	t.Log(results)
	if len(results) < 4 {
		t.Errorf("not every result: %v", results)
	}
}

// A game that was played is written as PGN.
func ExampleFromGame() {
	game, err := fianchetto.ParseUCIPosition("startpos moves f2f3 e7e5 g2g4 d8h4", false)
	if err != nil {
		fmt.Println(err)
		return
	}
	written := pgn.FromGame(game)
	written.Tags.Set("White", "Barnes")
	text, err := written.AppendText(nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(string(text))
	// Output:
	// [Event "?"]
	// [Site "?"]
	// [Date "????.??.??"]
	// [Round "?"]
	// [White "Barnes"]
	// [Black "?"]
	// [Result "0-1"]
	//
	// 1. f3 e5 2. g4 Qh4# 0-1
}

func ExampleNote_Clock() {
	reader := pgn.NewReader(strings.NewReader("1. e4 { [%eval 0.17,20] [%clk 0:09:58.5] } e5 { [%eval #-3] }"))
	var game pgn.Game
	if err := reader.Read(&game); err != nil {
		fmt.Println(err)
	}
	for i := range game.Notes {
		left, hasClock := game.Notes[i].Clock()
		fmt.Println(left, hasClock)
		fmt.Println(game.Notes[i].Evaluation())
	}
	// Output:
	// 9m58.5s true
	// 17 0 20 true
	// 0s false
	// 0 -3 0 true
}

func TestCommands(t *testing.T) {
	for _, text := range []string{"[%clk 1:00]", "[%clk ::]", "[%clk -1:00:00]", "[%eval #0]", "[%eval NaN]",
		"[%eval 1,x]", "[%eval 1e9]", "[%eval ]", "[%eval"} {
		note := pgn.Note{Comments: []string{text}}
		_, hasClock := note.Clock()
		if _, _, _, hasEvaluation := note.Evaluation(); hasClock || hasEvaluation {
			t.Errorf("%s is read", text)
		}
	}
}
