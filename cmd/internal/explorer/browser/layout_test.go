package browser

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// states are what the tests of the page's looks open: each view, with something in it.
var states = map[string]string{
	"position": "#fen=" + strings.ReplaceAll(kiwipete, " ", "+") +
		"&moves=e1g1+h8h5&show=king-danger+checkers+check-knight",
	"set up":  "#edit=1&fen=4k3/8/8/8/8/8/4R3/4K2P+w+-+-+0+1",
	"lines":   "#view=lines&mode=two&a=d4&b=g6&pair=6",
	"checks":  "#view=lines&mode=check&a=c1&b=g8&blockers=0x0000001000000000",
	"sliders": "#view=sliders&step=3",
	"bits":    "#view=bitboards",
	"perft":   "#view=perft&depth=2",
}

// settled waits until a view has its answer.
func (p *tab) settled() {
	p.Helper()
	p.eventually(`document.documentElement.dataset.ready === "true" &&
		document.querySelector(".board .square[aria-label]")`)
	p.eventually(`document.querySelector(".panel").innerText.trim().length > 40`)
}

// TestAccessibility runs axe-core over every view, in light and in dark.
func TestAccessibility(t *testing.T) {
	checker, err := os.ReadFile("testdata/node_modules/axe-core/axe.min.js")
	if err != nil {
		t.Skip("axe-core is not installed: npm ci --prefix cmd/internal/explorer/browser/testdata")
	}
	for name, state := range states {
		for _, scheme := range []string{"light", "dark"} {
			t.Run(name+" "+scheme, func(t *testing.T) {
				p := open(t, "http", "")
				p.colors(scheme)
				p.do(chromedp.Navigate(addresses["http"]+state), chromedp.Reload())
				p.settled()
				value[any](p, string(checker)+"; 0")
				found := value[[]string](p, `axe.run().then((r) => r.violations
					.filter((v) => v.impact === "serious" || v.impact === "critical")
					.map((v) => v.id + ": " + v.help + ": " + v.nodes.slice(0, 3)
						.map((n) => n.html.slice(0, 120) + " " + (n.any[0]?.message || "")).join(" | ")))`)
				for _, violation := range found {
					t.Error(violation)
				}
			})
		}
	}
}

// rectangle is where an element is, in pixels.
type rectangle struct{ Left, Top, Right, Bottom float64 }

func (p *tab) rectangle(selector string) rectangle {
	p.Helper()
	return value[rectangle](p, fmt.Sprintf(`(() => {
		const r = document.querySelector(%q).getBoundingClientRect();
		return {Left: r.left, Top: r.top, Right: r.right, Bottom: r.bottom};
	})()`, selector))
}

// TestLayout holds every view to its plan, on a wide page, at a zoom of 200%, which halves its width, and on a
// telephone: the board is square, beside the panel or above it; nothing is cut off at the right; no button covers
// another.
func TestLayout(t *testing.T) {
	for _, size := range []struct {
		width  int64
		beside bool
	}{{1280, true}, {640, false}, {360, false}} {
		for name, state := range states {
			t.Run(fmt.Sprintf("%s at %d", name, size.width), func(t *testing.T) {
				p := open(t, "http", state)
				p.do(chromedp.EmulateViewport(size.width, 900))
				p.settled()
				if scroll := value[float64](p, "document.documentElement.scrollWidth"); scroll > float64(size.width) {
					t.Errorf("the page is %v wide", scroll)
				}
				board, panel := p.rectangle(".board"), p.rectangle(".panel")
				if width, height := board.Right-board.Left,
					board.Bottom-board.Top; max(width-height, height-width) > 2 || width < 150 {
					t.Errorf("the board is %v by %v", width, height)
				}
				if beside := panel.Left >= board.Right; name != "bits" && beside != size.beside {
					t.Errorf("the panel beside the board: %v, want %v", beside, size.beside)
				}
				if covered := value[string](p, coveredButtons); covered != "" {
					t.Errorf("buttons that cover each other: %s", covered)
				}
			})
		}
	}
}

// coveredButtons names pairs of buttons that overlap by more than their borders, those on boards apart.
const coveredButtons = `(() => {
	const buttons = [...document.querySelectorAll("button:not(.square)")]
		.map((b) => [b.innerText.trim(), b.getBoundingClientRect()]).filter(([, r]) => r.width > 0);
	const pairs = [];
	for (const [i, [a, p]] of buttons.entries()) for (const [b, q] of buttons.slice(i + 1)) {
		const x = Math.min(p.right, q.right) - Math.max(p.left, q.left);
		const y = Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top);
		if (x > 2 && y > 2) pairs.push(a + " and " + b);
	}
	return pairs.slice(0, 3).join(", ");
})()`

// BenchmarkFirstView measures from opening the page to the answer about the start position.
func BenchmarkFirstView(b *testing.B) {
	for _, backend := range []string{"http", "wasm", "file"} {
		b.Run(backend, func(b *testing.B) {
			for b.Loop() {
				ctx, cancel := chromedp.NewContext(browser)
				p := &tab{b, ctx}
				p.do(chromedp.Navigate(addresses[backend]))
				p.reads("20 legal moves")
				cancel()
			}
		})
	}
}

// BenchmarkClick measures from a click on a square to the drawn answer.
func BenchmarkClick(b *testing.B) {
	for _, backend := range []string{"http", "wasm"} {
		b.Run(backend, func(b *testing.B) {
			ctx, cancel := chromedp.NewContext(browser)
			defer cancel()
			p := &tab{b, ctx}
			p.do(chromedp.Navigate(addresses[backend] + "#view=lines"))
			p.reads("d4: square 27")
			total := 0.0
			for i := 0; b.Loop(); i++ {
				total += value[float64](p, fmt.Sprintf(clickAndWait, i%64))
			}
			b.ReportMetric(total/float64(b.N), "ms/click")
		})
	}
}

// clickAndWait clicks a square and returns after how many milliseconds the status is about it.
const clickAndWait = `new Promise((resolve) => {
	const square = %d, name = "abcdefgh"[square & 7] + ((square >> 3) + 1), began = performance.now();
	const look = () => document.querySelector(".panel .status").innerText.startsWith(name + ":")
		? resolve(performance.now() - began) : requestAnimationFrame(look);
	const cell = document.querySelector('.board [data-square="' + square + '"]');
	cell.dispatchEvent(new PointerEvent("pointerdown", {bubbles: true, button: 0}));
	dispatchEvent(new PointerEvent("pointerup"));
	look();
})`
