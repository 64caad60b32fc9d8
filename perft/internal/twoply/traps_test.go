package twoply_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/core"
	"github.com/fianchetto-chess/fianchetto/internal/must"
)

// corrections lists the conditions of the corrections, as they are in the source: one for each trap
// in docs/speed.md, in the same order.
var corrections = []struct{ name, file, condition string }{
	{"clearLines", "corrections.go", "s.attackedBySliders&origin != 0"},
	{"clearLines", "corrections.go", "s.attackedBySliders&x&-x != 0"},
	{"unblockPawn", "corrections.go", "s.blockingPawns&origin != 0"},
	{"correctLeaving", "corrections.go", "s.attackedByPawns&origin != 0"},
	{"correctPawns", "corrections.go", "s.Pawns&s.attackedByPawns != 0"},
	{"correctPawns", "corrections.go", "west|east != 0"},
	{"correctPawns", "corrections.go", "x := given; x != 0"},
	{"changePin", "corrections.go", "(s.pinners|s.pinBlockers)&origin != 0"},
	{"changePin", "corrections.go", "s.pinBlockers&x&-x != 0"},
	{"repin", "corrections.go", "x := pins; x != 0"},
	{"correctDoublePushes", "sources.go", "(p.double>>1|p.double<<1)&s.Pawns&s.Them != 0"},
	{"correctPawnArrivals", "corrections.go", "(first|p.east)&s.sensitive[bitboard.King] != 0"},
	{"loseAttacks", "count.go", "if squares != 0"},
	{"giveCastlings", "count.go", "if s.open != 0"},
	{"attacksCut", "corrections.go", "x := cutting; x != 0"},
	{"recount", "corrections.go", "cut&(s.castlings[0]|s.castlings[1]) != 0"},
	{"followKing", "corrections.go", "// from our other pieces\n\tfor x := targets; x != 0"},
	{"evasions", "corrections.go", "if checks != 0"},
	{"countMade", "count.go", "if s.madeOrigins != 0"},
	{"Count", "count.go", "s.pieceEnd > 12"},
}

// counter is a program that counts with the two-ply method without one correction.
const counter = `package main

import (
	"fmt"
	"os"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/core"
	"github.com/fianchetto-chess/fianchetto/perft/internal/twoply"
)

func main() {
	var s twoply.Scratch
	for _, fen := range os.Args[1:] {
		pos := fianchetto.MustParseFEN(fen)
		s.Board = core.BoardOf(&pos)
		fmt.Println(s.Count())
		twoply.Dropped++
	}
}
`

// TestEveryCorrectionHasATrap compiles the package so that each correction can be dropped, and
// compares the wrong counts with the table of docs/speed.md.
func TestEveryCorrectionHasATrap(t *testing.T) {
	traps := readTraps(t)
	if len(traps) != len(corrections) {
		t.Fatalf("docs/speed.md has %d traps for %d conditions", len(traps), len(corrections))
	}
	dir, sources := t.TempDir(), map[string]string{"dropped.go": "package twoply\n\nvar Dropped int\n",
		"dropped/main.go": counter}
	for i, c := range corrections {
		if sources[c.file] == "" {
			text := must.Get(os.ReadFile(c.file))(t)
			sources[c.file] = string(text)
		}
		if n := strings.Count(sources[c.file], c.condition); n != 1 {
			t.Fatalf("%s has the condition %q of %s %d times", c.file, c.condition, c.name, n)
		}
		sources[c.file] = strings.Replace(sources[c.file], c.condition, fmt.Sprintf("%s && Dropped != %d", c.condition, i), 1)
	}
	here, _ := os.Getwd()
	replaced := make(map[string]string)
	for name, text := range sources {
		file := filepath.Join(dir, strings.ReplaceAll(name, "/", "_"))
		must.Do(t, os.WriteFile(file, []byte(text), 0o600))
		replaced[filepath.Join(here, name)] = file
	}
	overlay, program := filepath.Join(dir, "overlay.json"), filepath.Join(dir, "counter.exe")
	list, _ := json.Marshal(map[string]any{"Replace": replaced})
	must.Do(t, os.WriteFile(overlay, list, 0o600))
	if text, err := exec.Command("go", "build", "-overlay", overlay, "-o", program, "./dropped").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	var fens []string
	for _, trap := range traps {
		fens = append(fens, trap.fen)
	}
	counted := must.Get(exec.Command(program, fens...).Output())(t)
	for i, got := range strings.Fields(string(counted)) {
		trap, pos := traps[i], fianchetto.MustParseFEN(traps[i].fen)
		b := core.BoardOf(&pos)
		if right := fmt.Sprint(b.CountTwo(new(core.TargetSets))); trap.name != corrections[i].name || right != trap.right {
			t.Errorf("docs/speed.md: %s: %s has %s moves two plies deep, want %s of %s", trap.name, trap.fen, trap.right, right,
				corrections[i].name)
		}
		if got != trap.without || trap.right == trap.without {
			t.Errorf("docs/speed.md: without %s the count of %s is %s, want %s", trap.name, trap.fen, trap.without, got)
		}
	}
}

// trap is a position, its count, and the count without a correction.
type trap struct{ name, fen, right, without string }

// readTraps reads the rows of the table of corrections.
func readTraps(t *testing.T) (traps []trap) {
	text := must.Get(os.ReadFile("../../../docs/speed.md"))(t)
	row := regexp.MustCompile("(?m)^\\| `(\\w+)` \\|.*\\|(.*)\\|$")
	position := regexp.MustCompile("`([^`]+)` (\\d+), not (\\d+)")
	for _, found := range row.FindAllStringSubmatch(string(text), -1) {
		for _, p := range position.FindAllStringSubmatch(found[2], -1) {
			traps = append(traps, trap{found[1], p[1], p[2], p[3]})
		}
	}
	return traps
}
