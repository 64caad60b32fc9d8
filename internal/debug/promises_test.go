//go:build fianchettodebug

package debug_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// TestPromisesAreChecked breaks each promise: under the build tag fianchettodebug that panics with
// the move and the position.
func TestPromisesAreChecked(t *testing.T) {
	const fen = "4k3/8/8/8/8/8/2n5/4K2R w K - 0 1"
	p := fianchetto.MustParseFEN(fen)
	castling := fianchetto.NewMove(bitboard.E1, bitboard.H1, fianchetto.Castling) // out of check
	legal := fianchetto.NewMove(bitboard.E1, bitboard.E2, fianchetto.KingMove)
	after := p.After(legal)
	undo := p.Make(legal)
	p.Unmake(undo)
	var g fianchetto.Generator
	g.Reset(&p)
	const move = "e1g1 (castling, 0x81c4) is not a legal move in " + fen
	for name, test := range map[string]struct {
		call func()
		want string
	}{
		"After":           {func() { p.After(castling) }, move},
		"CopyMake":        {func() { p.CopyMake(new(fianchetto.Position), castling) }, move},
		"CopyMake into p": {func() { p.CopyMake(&p, legal) }, "into the position itself, " + fen},
		"Make":            {func() { p.Make(castling) }, move},
		"Unmake": {func() { q := fianchetto.StartPosition(); q.Unmake(undo) },
			"Unmake of a move that was not the last, in " + fianchetto.StartFEN},
		"Null":       {func() { p.Null() }, "a null move in check in " + fen},
		"GivesCheck": {func() { p.GivesCheck(castling) }, move},
		"KeyAfter":   {func() { p.KeyAfter(castling) }, move},
		"Generator":  {func() { g.GivesCheck(castling) }, "e1g1 (castling, 0x81c4) is not a legal move"},
		"IsAttacked": {func() { p.IsAttacked(fianchetto.NoSquare, fianchetto.White, 0) },
			"square 64 is not on the board, in " + fen},
		"SEE":        {func() { p.SEE(castling) }, move},
		"SEEAtLeast": {func() { p.SEEAtLeast(castling, 0) }, move},
		"SAN":        {func() { _ = p.SAN(castling) }, move},
		"LAN":        {func() { _ = p.LAN(castling) }, move},
		"IsCapture":  {func() { p.IsCapture(castling) }, move},
		"IsQuiet":    {func() { p.IsQuiet(castling) }, move},
		"Captured":   {func() { p.Captured(castling) }, move},
		"Changes":    {func() { p.Changes(castling) }, move},
		"AttackersTo": {func() { p.AttackersTo(fianchetto.NoSquare, 0) },
			"square 64 is not on the board, in " + fen},
		"the zero Position": {func() { new(fianchetto.Position).After(legal) },
			"e1e2 (king move, 0x0304) is not a legal move in no position"},
		"another position": {func() { after.After(legal) },
			"e1e2 (king move, 0x0304) is not a legal move in " + after.FEN()},
		"PushNull": {func() { new(fianchetto.History).PushNull(&p) }, "a null move in check in " + fen},
		"Push": {func() { h := new(fianchetto.History); h.Push(&p); h.Push(&p) },
			"two positions in a row with white to move in a History: " + fen},
		"Repetitions": {func() { h := new(fianchetto.History); h.Push(&p); h.Repetitions(&p) },
			"two positions in a row"},
		"NewMove": {func() { fianchetto.NewMove(fianchetto.NoSquare, 0, fianchetto.KingMove) },
			"fianchetto.NewMove: square 64"},
		"CastlingTargets": {func() { legal.CastlingTargets() }, "e1e2 is not a castling"},
		"attacks.Knight":  {func() { attacks.Knight(64) }, "attacks.Knight: square 64"},
		"attacks.King":    {func() { attacks.King(64) }, "attacks.King: square 64"},
		"attacks.Pawn":    {func() { attacks.Pawn(fianchetto.White, 64) }, "attacks.Pawn: square 64"},
		"attacks.Bishop":  {func() { attacks.Bishop(64, 0) }, "attacks.Bishop: square 64"},
		"attacks.Queen":   {func() { attacks.Queen(65, 0) }, "attacks.Bishop: square 65"},
		"check squares": {func() { attacks.CheckSquares(bitboard.Rook, 5, 5, 0) },
			"attacks.CheckSquares: both squares are f1"},
		"bitboard.Between": {func() { bitboard.Between(0, 64) }, "bitboard.Between: square 64"},
		"bitboard.Line":    {func() { bitboard.Line(64, 0) }, "bitboard.Line: square 64"},
	} {
		if text := panicOf(test.call); !strings.Contains(text, test.want) {
			t.Errorf("%s: panic %q, want %q", name, text, test.want)
		}
	}
	if p != fianchetto.MustParseFEN(fen) {
		t.Errorf("the position has changed to %v", p)
	}
}

// TestOverwrittenListsAreFound reads a list after another one was appended to the same memory, and
// asks a Generator about a move of the position before Reset. Both panic with both places.
func TestOverwrittenListsAreFound(t *testing.T) {
	p := fianchetto.MustParseFEN("4k3/8/8/8/3p4/4P3/8/4K3 w - - 0 1")
	buffer := make([]fianchetto.Move, 0, 256)
	kept := p.AppendNoisy(buffer)
	both := p.AppendQuiets(kept)
	if kept[0] != both[0] || p.Captured(kept[0]) != fianchetto.Pawn {
		t.Fatalf("a list that was appended to begins with %v", kept[0])
	}
	noisy := p.AppendNoisy(buffer[:0])
	quiets := p.AppendQuiets(buffer[:0])
	text := panicOf(func() { p.Captured(noisy[0]) })
	if places := regexp.MustCompile(`promises_test\.go:\d+`).FindAllString(text, -1); len(places) != 2 || places[0] == places[1] {
		t.Errorf("panic %q, want two places", text)
	}
	if text := panicOf(func() { p.Captured(quiets[0]) }); text != "" {
		t.Errorf("the last list panics with %q", text)
	}
	var g fianchetto.Generator
	g.Reset(&p)
	m := g.AppendQuiets(nil)[0]
	next := p.After(m)
	g.Reset(&next)
	if text := panicOf(func() { g.GivesCheck(m) }); !strings.Contains(text, "of the position of Reset at ") ||
		!strings.Contains(text, "promises_test.go:") {
		t.Errorf("panic %q, want the place of Reset", text)
	}
}

// panicOf returns what a call panics with, "" if it returns.
func panicOf(call func()) (text string) {
	defer func() {
		if r := recover(); r != nil {
			text = fmt.Sprint(r)
		}
	}()
	call()
	return ""
}
