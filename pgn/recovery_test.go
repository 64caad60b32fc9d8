package pgn_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/pgn"
	"pgregory.net/rapid"
)

// TestLineEnds reads the same games with CR, LF and CRLF, and finds errors on the same lines.
func TestLineEnds(t *testing.T) {
	text := strings.ReplaceAll(string(readFile(t, "testdata/sample.pgn")), "\r", "")
	want, wantErrs := readAll(strings.NewReader(text), false)
	for _, end := range []string{"\r", "\r\n"} {
		got, errs := readAll(strings.NewReader(strings.ReplaceAll(text, "\n", end)), false)
		if export(t, got) != export(t, want) || fmt.Sprint(errs) != fmt.Sprint(wantErrs) && end == "\r" {
			t.Errorf("%q: %v, want %v", end, errs, wantErrs)
		}
	}
}

// TestNoGame reads what is no game: it is skipped, and no game is invented.
func TestNoGame(t *testing.T) {
	const game = "[Event \"a\"]\n\n1. e4 e5 1-0\n"
	for _, junk := range []string{
		"\x1a", "\x00\x00", "\xff", "Games of the club", "(end of file)", "Final score 1-0", "== 2024 ==",
		"% by a program", "[end]", "Round 1. The first", "----", "***", "\xff\xff[",
		"</html>", "\ufeff\x1a",
	} {
		for _, text := range []string{junk + "\n" + game + game, game + junk + "\n" + game, game + game + junk} {
			games, errs := readAll(strings.NewReader(text), false)
			if len(games) != 2 || len(games[0].Moves)+len(games[1].Moves) != 4 {
				t.Errorf("%q: %d games, %v", text, len(games), errs)
				continue
			}
			skipped := games[0].Bytes.Skipped + games[1].Bytes.Skipped
			if skipped < int64(len(strings.Trim(junk, "\ufeff"))) {
				t.Errorf("%q: skipped %d bytes", text, skipped)
			}
		}
		games, errs := readAll(strings.NewReader(junk), false)
		if len(games) != 1 || len(errs) != 1 || !errors.Is(errs[0], pgn.ErrNoGame) {
			t.Errorf("%q alone: %v", junk, errs)
		}
	}
}

// realGames are the good games of testdata, without annotations, as lists of words.
func realGames(t testing.TB) (games []*pgn.Game) {
	t.Helper()
	for _, name := range []string{"testdata/sample.export.pgn", "testdata/classics.pgn"} {
		all, _ := readAll(bytes.NewReader(readFile(t, name)), true)
		for _, game := range all {
			if len(game.Moves) > 8 && !slices.Contains(game.Moves, fianchetto.NoMove) {
				games = append(games, game)
			}
		}
	}
	if len(games) < 3 {
		t.Fatalf("%d games", len(games))
	}
	return games
}

// TestGluedSigns reads real games with a sign glued to any of their moves: the mainline is the same,
// and the sign is not lost.
func TestGluedSigns(t *testing.T) {
	games := realGames(t)
	rapid.Check(t, func(t *rapid.T) {
		game := rapid.SampledFrom(games).Draw(t, "game")
		sign := rapid.SampledFrom(pgn.Signs()).Draw(t, "sign")
		space := rapid.SampledFrom([]string{"", " "}).Draw(t, "space")
		at := rapid.IntRange(0, len(game.Moves)-1).Draw(t, "ply")
		text, ply := "", 0
		for pos, m := range game.Replay(game.Start) {
			text += pos.SAN(m)
			if ply == at {
				text += space + sign
			}
			text += " "
			ply++
		}
		tags := fmt.Sprintf("[Variant %q]\n[FEN %q]\n\n", game.Tags.Value("Variant"), game.Start.FEN())
		got, errs := readAll(strings.NewReader(tags+text+"*\n"), false)
		if len(errs) > 0 || len(got) != 1 || !slices.Equal(got[0].Moves, game.Moves) {
			t.Fatalf("%s%s: %v", tags, text, errs)
		}
		note := got[0].Note(at + 1)
		if note == nil || len(note.NAGs)+len(note.Comments) != 1 || len(note.Comments) == 1 && note.Comments[0] != sign {
			t.Fatalf("%s: note %+v", text, note)
		}
	})
}

// faults are malformed texts that spoil a game, by their place: among the tags, among the moves, or
// instead of a move.
var faults = map[string][]string{
	"tags": {"[Event Casual]", `[Opening "x`, `[Opening x"]`, `Opening "x"]`, `["x"]`, "[]", "[Opening]", `[Opening "x]`,
		`[Opening 'x']`, "Opening x]", `[Opening "x" "y`},
	"moves": {"junk", "Hello,", "^", "}", ")", "$x", "$70000", "|", "[%", "Nf9", "&c", "\"", "x5", "#5", "[Event Casual]"},
	"move":  {"Nf9", "junk", "^", "--x", "e9"},
}

// TestOneFault spoils a real game at one place. The error is there, and nothing else is lost, but a
// game ends at a missing move: what follows is never taken for other moves.
func TestOneFault(t *testing.T) {
	games := realGames(t)
	for part, texts := range faults {
		t.Run(part, rapid.MakeCheck(func(t *rapid.T) {
			game := rapid.SampledFrom(games).Draw(t, "game")
			fault, want := rapid.SampledFrom(texts).Draw(t, "fault"), game.Moves
			text := export(t, []*pgn.Game{game})
			before, after, _ := strings.Cut(text, "\n\n")
			tags, words := strings.Split(before, "\n"), strings.Fields(after)
			switch part {
			case "tags":
				tags = slices.Insert(tags, rapid.IntRange(0, len(tags)).Draw(t, "line"), fault)
			case "moves": // before two moves, which show that none is missing
				words = slices.Insert(words, rapid.IntRange(0, len(words)-3).Draw(t, "word"), fault)
			case "move":
				at := rapid.IntRange(0, len(words)-2).Filter(func(i int) bool {
					return !strings.HasSuffix(words[i], ".")
				}).Draw(t, "word")
				numbers := strings.Count(strings.Join(words[:at], " "), ".")
				words[at], want = fault, want[:at-numbers]
			}
			bad := strings.Join(tags, "\n") + "\n\n" + strings.Join(words, " ") + "\n\n" + text
			for _, mainLine := range []bool{false, true} {
				got, errs := readAll(strings.NewReader(bad), mainLine)
				if len(got) != 2 || len(errs) != 1 || !slices.Equal(got[0].Moves, want) ||
					!slices.Equal(got[1].Moves, game.Moves) || !slices.Equal(got[0].Tags, got[1].Tags) ||
					got[0].Start != game.Start || part == "tags" && !strings.Contains(errs[0].Error(), badTag) {
					t.Fatalf("%s\n%d games, %v", bad, len(got), errs)
				}
				var refusal *pgn.Error
				errors.As(errs[0], &refusal)
				if line := strings.Split(bad, "\n")[refusal.Line-1]; !strings.HasPrefix(line[refusal.Column-1:], fault) {
					t.Fatalf("%s\n%q is not at its place: %v", bad, fault, errs[0])
				}
			}
		}))
	}
}

// TestTablesInDocs compares the tables of docs/data.md with those of the reader.
func TestTablesInDocs(t *testing.T) {
	page := string(readFile(t, "../docs/data.md"))
	for table := range strings.SplitSeq(pgn.Tables(), "\n\n") {
		if !strings.Contains(page, table) {
			t.Errorf("docs/data.md lacks\n%s", table)
		}
	}
}

// TestGameWithoutPosition asks a game whose variant or FEN was refused for a position, and a zero
// Game, which is at the start position.
func TestGameWithoutPosition(t *testing.T) {
	none := fianchetto.Position{}
	for _, tag := range []string{`[FEN "x"]`, `[Variant "Atomic"]`} {
		games, _ := readAll(strings.NewReader(tag+"\n\n1. e4 *"), false)
		game := games[0]
		text, err := game.AppendText(nil)
		if played, playErr := game.Play(); err == nil || playErr == nil {
			t.Errorf("%s: written as %s, at %v", tag, text, played.Position())
		}
		if game.End(game.Start) != none || game.SAN(game.Start) != "" || game.Note(0) != nil {
			t.Errorf("%s: %+v", tag, game)
		}
	}
	var zero pgn.Game
	played, err := zero.Play()
	if err != nil || played.Position() != fianchetto.StartPosition() || zero.End(none) != none || zero.SAN(none) != "" {
		t.Errorf("%v, %v", played, err)
	}
	for range zero.Replay(none) {
		t.Error("a zero Game has a move")
	}
	for _, moves := range [][]fianchetto.Move{nil, {e4}} {
		zero.Moves = moves
		text := export(t, []*pgn.Game{&zero})
		games, errs := readAll(strings.NewReader(text), false)
		if len(errs) > 0 || games[0].Start != fianchetto.StartPosition() || !slices.Equal(games[0].Moves, moves) {
			t.Errorf("%s\nis read as %+v, %v", text, games, errs)
		}
	}
	zero.Tags.Set("FEN", "8/8/8/8/8/8/8/8 w - - 0 1")
	if _, err := zero.AppendText(nil); err == nil {
		t.Error("a game whose tag FEN was refused is written as if it began at the start")
	}
}
