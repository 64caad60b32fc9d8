package browser

import (
	_ "embed"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// states lists the address of each tested page.
var states = map[string]string{
	"position": "#fen=" + strings.ReplaceAll(kiwipete, " ", "+") +
		"&moves=e1g1+h8h5&show=king-danger+checkers+check-knight",
	"set up":  "#edit=1&fen=4k3/8/8/8/8/8/4R3/4K2P+w+-+-+0+1",
	"start":   "",
	"square":  "#view=learn&lesson=lines&step=5",
	"lines":   "#view=learn&lesson=lines&step=6&pair=6",
	"checks":  "#view=learn&lesson=checks&step=4&slider=f1&king=g8&occupied=0x0000000200000000",
	"sliders": "#view=learn&lesson=sliders&step=5&at=2",
	"bits":    "#view=learn&lesson=sets&step=2",
	"perft":   "#view=perft&depth=2",
	"finding": divideState + "&divide=" + packedDivide,
	"learn":   "#view=learn&step=5",
	"numbers": "#view=learn&step=4",
	"table":   "#view=learn&step=7&piece=rook&number=0x0080001020400080",
	"lines 4": "#view=learn&lesson=lines&step=4",
	"cross":   "#view=learn&lesson=checks&step=3",
	"san":     "#view=learn&lesson=san&step=4",
	"rays":    "#view=learn&lesson=sliders&step=2&at=4",
}

// packedDivide is wrongDivide as an address has it.
const packedDivide = "Nc9BDkMhCATQfU_hFVoVzD9E76CCuGvSf_-kKYyrFxkzhE6jXun56DQ4nAW2UHKoL7eNmDfkTdxRRg6nO3lWSH-FxVWSGmqIf3pyjj7lFWK" +
	"PYo-2Mzd3oW-RltCOyDfy7fcZeo03QX_vbH7f-yN6p1v7d26VK-XyAw"

// settled waits until a view has its answer.
func (p *tab) settled() {
	p.Helper()
	p.eventually(`document.documentElement.dataset.ready === "true" &&
		document.querySelector(".cards, .board .square[aria-label]")`)
	p.eventually(`document.querySelector(".cards, .panel").innerText.trim().length > 40`)
}

// TestPages checks every page: its layout in every size, the names of its buttons, axe-core in both
// themes, the saved board, and the focus after each control.
func TestPages(t *testing.T) {
	t.Parallel()
	checker, err := os.ReadFile("testdata/node_modules/axe-core/axe.min.js")
	if err != nil {
		t.Log("axe-core is not installed: npm ci --prefix cmd/internal/explorer/browser/testdata")
	}
	for name, state := range states {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := open(t, "http", state)
			p.settled()
			for _, fault := range value[[]string](p, check("faultyButtons()")) {
				t.Error(fault)
			}
			for scheme, width := range map[string]int64{"light": 1280, "dark": 360} {
				p.colors(scheme)
				p.do(chromedp.EmulateViewport(width, 1000))
				for _, faint := range value[[]string](p, check("faintMarks()")) {
					t.Errorf("%s: %s", scheme, faint)
				}
				if checker == nil {
					continue
				}
				value[any](p, string(checker)+"; 0")
				for _, violation := range value[[]string](p, check("violations({})")) {
					t.Errorf("%s: %s", scheme, violation)
				}
			}
			p.do(chromedp.EmulateViewport(1280, 1000))
			if mark := savedMarks[name]; mark != "" {
				p.savesMark(mark)
			}
			if name == "start" {
				return // its story follows the cards
			}
			if name != "table" && name != "checks" && name != "numbers" && name != "square" { // they have the controls of learn and of lines
				for _, lost := range value[[]string](p, check("pressAll()")) {
					t.Errorf("the focus is lost: %s", lost)
				}
			}
			for _, size := range sizes {
				p.do(chromedp.EmulateViewport(size.width, size.height))
				p.checkLayout(name, size)
			}
		})
	}
}

//go:embed testdata/checks.js
var checks string

// check calls a function of testdata/checks.js.
func check(call string) string { return "(() => {" + checks + "return " + call + ";})()" }

// rectangle is where an element is, in pixels.
type rectangle struct{ Left, Top, Right, Bottom float64 }

func (p *tab) rectangle(selector string) rectangle {
	p.Helper()
	return value[rectangle](p, fmt.Sprintf(`(() => {
		const r = document.querySelector(%q).getBoundingClientRect();
		return {Left: r.left, Top: r.top, Right: r.right, Bottom: r.bottom};
	})()`, selector))
}

// A size is a window: a wide page, two smaller ones, a page at a zoom of 200%, and a telephone
// upright and on its side.
type size struct {
	width, height int64
	beside        bool // whether the panel is beside the board
}

var sizes = []size{{1280, 1000, true}, {853, 480, true}, {640, 900, false}, {360, 900, false}, {844, 390, true}}

// checkLayout checks that the board is square and within the window, and beside the panel where it
// should be, that the page does not scroll sideways, and that buttons do not cover each other.
func (p *tab) checkLayout(name string, size size) {
	p.Helper()
	at := fmt.Sprintf("at %d by %d", size.width, size.height)
	if scroll := value[float64](p, "document.documentElement.scrollWidth"); scroll > float64(size.width) {
		p.Errorf("%s: the page is %v wide", at, scroll)
	}
	board, panel := p.rectangle(".board"), p.rectangle(".panel")
	width, height := board.Right-board.Left, board.Bottom-board.Top
	if max(width-height, height-width) > 2 || width < 150 || height > float64(size.height)-60 {
		p.Errorf("%s: the board is %v by %v", at, width, height)
	}
	want := size.beside || size.width == 640 && isLesson(name)
	if beside := panel.Left >= board.Right; beside != want {
		p.Errorf("%s: the panel beside the board: %v, want %v", at, beside, want)
	}
	if covered := value[string](p, check("coveredButtons()")); covered != "" {
		p.Errorf("%s: buttons that cover each other: %s", at, covered)
	}
}

func isLesson(name string) bool { return strings.Contains(states[name], "view=learn") }

// BenchmarkFirstView measures from opening the page to the answer about the start position.
func BenchmarkFirstView(b *testing.B) {
	for _, backend := range []string{"http", "wasm"} {
		b.Run(backend, func(b *testing.B) {
			for b.Loop() {
				ctx, cancel := chromedp.NewContext(browser)
				p := &tab{TB: b, ctx: ctx}
				p.do(chromedp.Navigate(addresses[backend] + "#view=position"))
				p.reads("20 legal moves")
				cancel()
			}
		})
	}
}

// savedMarks lists a set on the board of a page.
var savedMarks = map[string]string{"position": "king-danger", "lines": "meeting", "checks": "reachable", "rays": "look",
	"bits": "member", "learn": "piece-6"}

// savesMark checks that the saved SVG contains the set.
func (p *tab) savesMark(mark string) {
	p.Helper()
	p.eventually(fmt.Sprintf(`document.querySelector(".board .%s")`, mark))
	svg := value[string](p, `new Promise((resolve) => {
		const create = URL.createObjectURL;
		URL.createObjectURL = (blob) => { blob.text().then(resolve); return create.call(URL, blob); };
		[...document.querySelectorAll("button")].find((b) => b.textContent === "SVG").click();
	})`)
	if !strings.Contains(svg, `<g class="mark `+mark+`"`) || !strings.HasPrefix(svg, "<svg xmlns=") {
		p.Errorf("no mark %s in the picture: %.400s", mark, svg)
	}
}
