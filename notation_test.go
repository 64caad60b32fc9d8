package fianchetto_test

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/must"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// TestErrorsQuoteLittle checks that a message quotes the 200 bytes around the problem of an input
// of a mebibyte, and names the offset.
func TestErrorsQuoteLittle(t *testing.T) {
	const before, after = 1 << 19, 1 << 19
	x := strings.Repeat("x", after)
	fen, moveText := fianchetto.StartFEN+strings.Repeat("0", before)+x, "e4"+strings.Repeat("+", before)+x
	pos := fianchetto.StartPosition()
	packed := make([]byte, before)
	for name, c := range map[string]struct {
		err    error
		quoted string // the part of the input that the message has
		offset bool   // the message has an offset
	}{
		"FEN": {second(fianchetto.ParseFEN(fen)), strings.Repeat("0", 99), true},
		"unplayable FEN": {second(fianchetto.ParseFEN("8/8/8/8/8/8/8/8 w - - 0 " + strings.Repeat("0", before))),
			`"8/8/8/8/8/8/8/8 w`, true},
		"SAN":             {second(pos.ParseSAN(moveText)), "+++", true},
		"UCI":             {second(pos.ParseUCI("e2e4" + x)), `"e2e4xxx`, true},
		"packed position": {new(fianchetto.Position).UnmarshalBinary(packed), "0000", true},
		"square":          {second(bitboard.ParseSquare("e4" + x)), `"e4xxx`, true},
		"method":          {new(perft.Method).UnmarshalText([]byte(x)), `"xxx`, false},
	} {
		if c.err == nil {
			t.Errorf("%s: no error", name)
			continue
		}
		message := c.err.Error()
		if len(message) > 900 || !strings.Contains(message, c.quoted) || c.offset &&
			!strings.Contains(message, "offset ") {
			t.Errorf("%s: %d bytes: %.1000s", name, len(message), message)
		}
	}
}

// second returns the error of a call.
func second[T any](_ T, err error) error { return err }

// TestRefusedMoves has the texts of testdata/refused-moves.txt. Each message names the text, the
// offset and the position.
func TestRefusedMoves(t *testing.T) {
	for _, line := range fenLines(t, "refused-moves.txt", 4) {
		p, problem := fianchetto.MustParseFEN(line[2]), fianchetto.Problem(line[1])
		parse := map[string]func(string) (fianchetto.Move, error){"SAN": p.ParseSAN, "UCI": p.ParseUCI}[line[0]]
		for _, text := range strings.Fields(line[3]) {
			colon := strings.LastIndexByte(text, ':')
			offset := must.Get(strconv.Atoi(text[colon+1:]))(t)
			text = strings.ReplaceAll(text[:colon], "|", " ")
			m, err := parse(text)
			if refusal := mustRefuse(t, &p, text, m, err); refusal.Offset != offset {
				t.Errorf("%q: offset %d, want %d: %v", text, refusal.Offset, offset, err)
			}
			for _, part := range []string{strconv.Quote(text), "offset " + strconv.Itoa(offset), p.FEN()} {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("%v\ndoes not say %s", err, part)
				}
			}
			for _, other := range []error{fianchetto.ErrMoveSyntax, fianchetto.ErrIllegalMove, fianchetto.ErrAmbiguousMove} {
				if errors.Is(err, other) != (other == problem) {
					t.Errorf("%v has another cause, %v", err, other)
				}
			}
		}
	}
	p := fianchetto.StartPosition()
	if _, err := p.ParseSAN("Pxd5"); !strings.Contains(err.Error(),
		"at offset 1: invalid notation of a move: a pawn move is written like d5, exd5 or e4xd5") {
		t.Error(err)
	}
}

// checkWrittenAndRead checks that a move is legal and is read back from each notation.
func checkWrittenAndRead(t *testing.T, p *fianchetto.Position, m fianchetto.Move) {
	t.Helper()
	if !p.IsLegal(m) {
		t.Fatalf("%v: %v is not legal", p, m)
	}
	for _, text := range []string{p.SAN(m), p.LAN(m), p.UCI(m)} {
		if again, err := p.ParseSAN(text); err != nil || again != m {
			t.Fatalf("%v: %v is written %q and read as %v, %v", p, m, text, again, err)
		}
	}
	if again, err := p.ParseUCI(p.UCI(m)); err != nil || again != m {
		t.Fatalf("%v: %v is written %q and read as %v, %v", p, m, p.UCI(m), again, err)
	}
}

func ExamplePosition_ParseUCI() {
	pos := fianchetto.StartPosition()
	for _, text := range []string{"e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "g8f6", "e1g1"} {
		m, err := pos.ParseUCI(text)
		if err != nil {
			fmt.Println(err)
			return
		}
		pos = pos.After(m)
	}
	fmt.Println(pos)

	_, err := pos.ParseUCI("e8g8")
	fmt.Println(err)
	// Output:
	// r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1 b kq - 5 4
	// fianchetto: move "e8g8" at offset 2: illegal move: castling path: the bishop on f8 stands in the way of the king from e8 to g8 (r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1 b kq - 5 4)
}

func ExamplePosition_UCI() {
	pos := fianchetto.MustParseFEN("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
	m := pos.MoveBetween(bitboard.E1, bitboard.G1, fianchetto.NoPieceType)
	chess960 := pos.WithChess960(true)
	fmt.Println(pos.UCI(m), chess960.UCI(m))
	for _, squares := range [][2]fianchetto.Square{{bitboard.G1, bitboard.H1}, {bitboard.E1, bitboard.B1}} {
		fmt.Println(pos.UCI(fianchetto.NewMove(squares[0], squares[1], fianchetto.Castling))) // only Chess960 has it
	}
	// Output:
	// e1g1 e1h1
	// g1h1
	// e1b1
}

func ExamplePosition_SAN() {
	pos := fianchetto.MustParseFEN("5rk1/4P3/8/8/8/8/8/R3K3 w Q - 0 1")
	for _, text := range []string{"e7f8q", "e7e8n", "e1c1", "a1a8"} {
		m, err := pos.ParseUCI(text)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(pos.SAN(m), pos.LAN(m))
	}
	// Output:
	// exf8=Q+ e7xf8=Q+
	// e8=N e7-e8=N
	// O-O-O O-O-O
	// Ra8 Ra1-a8
}
