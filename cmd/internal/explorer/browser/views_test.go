package browser

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/mutant"
)

const kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"

func TestPlay(t *testing.T) {
	t.Parallel()
	eachBackend(t, func(t *testing.T, backend string) {
		p := open(t, backend, "")
		p.reads("White to move, 20 legal moves")
		p.drag("e2", "e4")
		p.reads("Black to move, 20 legal moves")
		p.click("e7")
		p.click("e5")
		p.reads("White to move, 29 legal moves")
		p.eventually(`location.hash.includes("moves=e2e4+e7e5")`)
		p.press("Undo")
		p.reads("Black to move, 20 legal moves")
		p.press("Redo")
		p.reads("White to move, 29 legal moves")
		p.do(chromedp.NavigateBack())
		p.reads("Black to move, 20 legal moves")
		p.do(chromedp.NavigateForward())
		p.reads("White to move, 29 legal moves")
	})
}

func TestPromotionAsks(t *testing.T) {
	t.Parallel()
	p := open(t, "http", "#fen=7k/P7/8/8/8/8/8/K7+w+-+-+0+1")
	p.reads("White to move")
	p.drag("a7", "a8")
	p.reads("Promote to")
	p.press("knight")
	p.reads("a8=N")
}

func TestSetUp(t *testing.T) {
	t.Parallel()
	eachBackend(t, func(t *testing.T, backend string) {
		p := open(t, backend, "#edit=1")
		p.press("Empty board")
		p.reads("Not playable")
		for square, piece := range map[string]string{"e1": "white king", "e8": "black king", "h1": "white pawn"} {
			p.do(chromedp.Click(`.palette [aria-label="` + piece + `"]`))
			p.click(square)
			p.eventually(`document.querySelector('.board [aria-label^="` + piece + `, ` + square + `"]')`)
			p.do(chromedp.Click(`.palette [aria-label="` + piece + `"]`)) // put the brush away
		}
		p.reads("h1, placement")
		p.eventually(`document.querySelector('.board .problem-square').dataset.square === "7"`)
		p.drag("h1", "h2")
		p.reads("White to move, 7 legal moves")
		p.enter("Castling", "K")
		p.reads("Not playable")
	})
}

func TestChess960Number(t *testing.T) {
	t.Parallel()
	eachBackend(t, func(t *testing.T, backend string) {
		p := open(t, backend, "#edit=1")
		p.reads("20 legal moves")
		p.enter("Chess960 number", "0")
		p.eventually(`document.querySelector('.board [aria-label^="white bishop, a1"]')`)
		p.enter("Chess960 number", "1000")
		p.reads("out of range")
	})
}

func TestOverlaysAndLinks(t *testing.T) {
	t.Parallel()
	eachBackend(t, func(t *testing.T, backend string) {
		p := open(t, backend, "#fen="+strings.ReplaceAll(kiwipete, " ", "+")+"&show=check-knight")
		p.reads("48 legal moves")
		// Knights check the king on e8 from c7, d6, f6 and g7.
		p.eventually(`document.querySelectorAll(".board .mark.check-knight").length === 4`)
		p.do(chromedp.Reload())
		p.eventually(`document.querySelectorAll(".board .mark.check-knight").length === 4`)
	})
}

func TestPGN(t *testing.T) {
	t.Parallel()
	eachBackend(t, func(t *testing.T, backend string) {
		p := open(t, backend, "")
		p.reads("20 legal moves")
		p.do(chromedp.Click("summary"))
		p.eventually(`document.querySelector("details").open`)
		p.enter("Game as PGN", "1. e4 e5 2. Nf3 Nc6 3. Bb5")
		p.press("Read")
		p.reads("Bb5")
		p.eventually(`location.hash.includes("f1b5")`)
		p.press("Write")
		p.eventually(`document.querySelector("textarea").value.includes("3. Bb5")`)
	})
}

func TestLines(t *testing.T) {
	t.Parallel()
	eachBackend(t, func(t *testing.T, backend string) {
		p := open(t, backend, "#view=lines")
		p.click("d4")
		p.reads("d4: square 27")
		p.reads("7 + rank - file = 7 + 3 - 3 =")
		p.press("Two squares")
		p.click("g6")
		p.reads("The twelve intersections")
		p.reads("b6") // the anti-diagonal of d4 and the rank of g6
		p.press("Checks")
		p.reads("can give check from")
	})
}

func TestSliders(t *testing.T) {
	t.Parallel()
	eachBackend(t, func(t *testing.T, backend string) {
		p := open(t, backend, "#view=sliders&slider=a1&occupied=0x0000000000000000&piece=rook")
		p.eventually(`document.querySelectorAll(".board .mark.set").length === 14`)
		p.click("a3")
		p.eventually(`document.querySelectorAll(".board .mark.set").length === 9`)
		p.eventually(`!document.querySelector("table").innerText.includes("DIFFERS")`)
		p.eventually(`document.querySelectorAll("tbody tr").length === 11`)
		p.press("Measure here")
		p.eventually(`[...document.querySelectorAll("tbody tr")].every((row) => row.innerText.includes(" ns"))`)
		p.press("1")
		p.reads("step 1 of")
		p.press("For a bishop")
		p.reads("Found after")
	})
}

func TestBitboards(t *testing.T) {
	t.Parallel()
	eachBackend(t, func(t *testing.T, backend string) {
		p := open(t, backend, "#view=bitboards&A=0x0000000000000000")
		p.reads("Board A: 0 squares")
		p.click("e4")
		p.reads("Board A: 1 square, first e4, last e4")
		p.press("↑")
		p.reads("Board A: 1 square, first e5, last e5")
		p.enter("Bits", "0b1011")
		p.reads("Board A: 3 squares, first a1, last d1")
		p.enter("Bits", "twelve")
		p.reads("is not a 64-bit number")
	})
}

// TestWrongMove goes the way of a person whose engine counts wrong: copy the question into the engine, paste what it
// prints, step into the move that the page names, until it names the rule.
func TestWrongMove(t *testing.T) {
	t.Parallel()
	eachBackend(t, func(t *testing.T, backend string) {
		p := open(t, backend, "#view=perft&depth=3&fen="+strings.ReplaceAll(kiwipete, " ", "+"))
		p.reads("go perft 3")
		p.press("Count")
		p.reads("97,862 leaves at depth 3, 48 of 48 moves")
		for steps := 0; ; steps++ {
			question := value[string](p, `document.querySelector("pre code").innerText`)
			p.enter("What your engine prints", faultyEngine(t, question))
			p.press("Compare")
			p.eventually(`/wrong in this position|counts below/.test(
				document.querySelector(".panel > .status").innerText)`)
			if !value[bool](p,
				`Boolean([...document.querySelectorAll("button")].find((b) => b.innerText.startsWith("Step into")))`) {
				break
			}
			if steps == 3 {
				t.Fatal("three steps did not lead to the move")
			}
			depth := value[string](p, `document.querySelector("pre code").innerText.split(" ").pop()`)
			value[any](p,
				`[...document.querySelectorAll("button")].find((b) => b.innerText.startsWith("Step into")).click()`)
			p.eventually(`!document.querySelector("pre code").innerText.endsWith("perft ` + depth + `")`)
		}
		p.reads(": castling through check")
		p.eventually(`document.querySelector(".board .mark.wrong-move")`)
	})
}

// faultyEngine asks the engine that castles through check.
func faultyEngine(t *testing.T, question string) string {
	t.Helper()
	var out bytes.Buffer
	if code := mutant.Run([]string{"--bugs", "castling-through-check"}, strings.NewReader(question+"\nquit\n"), &out,
		io.Discard); code != 0 {
		t.Fatalf("the engine ends with %d: %s", code, &out)
	}
	return out.String()
}

func TestCountStops(t *testing.T) {
	t.Parallel()
	eachBackend(t, func(t *testing.T, backend string) {
		p := open(t, backend, "#view=perft&depth=9")
		p.press("Count")
		p.reads("Counting")
		p.press("Stop")
		p.reads("Stopped.")
		p.press("Position")
		p.reads("20 legal moves") // the page answers at once, and so does the worker
	})
}

func TestKeyboard(t *testing.T) {
	t.Parallel()
	p := open(t, "http", "")
	p.reads("20 legal moves")
	p.do(chromedp.Focus(`.board [data-square="4"]`), chromedp.KeyEvent(kb.ArrowUp), chromedp.KeyEvent(kb.Enter),
		chromedp.KeyEvent(kb.ArrowUp), chromedp.KeyEvent(kb.ArrowUp), chromedp.KeyEvent(kb.Enter))
	p.reads("Black to move, 20 legal moves")
	p.eventually(`location.hash.includes("e2e4")`)
	p.do(chromedp.Focus("#tab-position"), chromedp.KeyEvent(kb.ArrowRight))
	p.reads("go perft 3")
	p.eventually(`document.activeElement.id === "tab-perft"`)
}

// TestSingleFile opens the page that needs no server.
func TestSingleFile(t *testing.T) {
	t.Parallel()
	p := open(t, "file", "#view=lines&mode=two&a=d4&b=g6")
	p.reads("The twelve intersections")
	p.press("Perft")
	p.press("Count")
	p.reads("8,902 leaves")
}
