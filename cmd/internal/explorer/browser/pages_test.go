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
	"checks":  "#view=lines&mode=check&a=f1&b=g8&blockers=0x0000000800000000",
	"sliders": "#view=sliders&step=1",
	"bits":    "#view=bitboards",
	"perft":   "#view=perft&depth=2",
	"learn":   "#view=learn&step=4",
	"table":   "#view=learn&step=6&piece=rook&number=0x0080001020400080",
	"lines 4": "#view=learn&lesson=lines&step=4",
	"cross":   "#view=learn&lesson=checks&step=3",
	"san":     "#view=learn&lesson=san&step=4",
	"rays":    "#view=learn&lesson=rays&step=2&at=40",
}

// settled waits until a view has its answer.
func (p *tab) settled() {
	p.Helper()
	p.eventually(`document.documentElement.dataset.ready === "true" &&
		document.querySelector(".board .square[aria-label]")`)
	p.eventually(`document.querySelector(".panel").innerText.trim().length > 40`)
}

// TestPages holds every page to its plan, in one tab: the layout in every size, the names of the buttons, what axe-core
// finds in light and in dark, what is saved of the board, and where the focus is after each control is pressed.
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
			for _, fault := range value[[]string](p, faultyButtons) {
				t.Error(fault)
			}
			for _, scheme := range []string{"light", "dark"} {
				p.colors(scheme)
				for _, faint := range value[[]string](p, faintMarks) {
					t.Errorf("%s: %s", scheme, faint)
				}
				if checker == nil {
					continue
				}
				value[any](p, string(checker)+"; 0")
				rules := map[string]string{"light": "{}", "dark": `{runOnly: ["color-contrast"]}`}[scheme]
				for _, violation := range value[[]string](p, fmt.Sprintf(violations, rules)) {
					t.Errorf("%s: %s", scheme, violation)
				}
			}
			if mark := savedMarks[name]; mark != "" {
				p.savesMark(mark)
			}
			if name != "table" && name != "checks" { // they have the controls of learn and of lines
				for _, lost := range value[[]string](p, pressAll) {
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

// violations are what axe-core finds.
const violations = `axe.run(%s).then((r) => r.violations.map((v) => v.id + ": " + v.help + ": " + v.nodes.slice(0, 3)
	.map((n) => n.html.slice(0, 120) + " " + (n.any[0]?.message || "")).join(" | ")))`

// faultyButtons are buttons that have the name of another one, and those whose names do not fit.
const faultyButtons = `(() => {
	const seen = new Set(), faults = [];
	for (const b of document.querySelectorAll("button:not(.square)")) {
		if (!b.checkVisibility()) continue;
		const name = b.getAttribute("aria-label") || b.innerText;
		if (seen.has(name)) faults.push("two buttons: " + name);
		seen.add(name);
		if (b.scrollWidth > b.clientWidth + 1) faults.push("overflows: " + name);
	}
	return faults;
})()`

// faintMarks are the sets on the board whose outline has less than 3:1 contrast to a kind of square, by the relative
// luminance of the Web Content Accessibility Guidelines.
const faintMarks = `(() => {
	const board = document.querySelector(".board");
	const canvas = new OffscreenCanvas(1, 1).getContext("2d", {willReadFrequently: true});
	const luminance = (color) => {
		const probe = board.appendChild(document.createElement("i"));
		probe.style.color = color;
		canvas.fillStyle = getComputedStyle(probe).color;
		probe.remove();
		canvas.fillRect(0, 0, 1, 1);
		const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map((c) => c / 255)
			.map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
		return 0.2126 * r + 0.7152 * g + 0.0722 * b;
	};
	const contrast = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
	const all = [...document.styleSheets[0].cssRules]
		.filter((r) => r.style?.getPropertyValue("--mark") && !r.selectorText.includes("strip"));
	if (all.length < 30) return ["only " + all.length + " colours of marks are found"];
	return all.flatMap((rule) => ["--light-square", "--dark-square"]
		.map((square) => [rule.selectorText, square,
			contrast(luminance(rule.style.getPropertyValue("--mark")), luminance("var(" + square + ")"))])
		.filter(([, , ratio]) => ratio < 3).map(([mark, square, ratio]) => mark + " on " + square + ": " + ratio.toFixed(2)));
})()`

// pressAll presses the controls one by one, each in the state in which the page was opened, and returns those after
// which the focus was not on a control. Buttons that save, copy, measure or search are left out, and of lists of equal
// ones all but two.
const pressAll = `(async () => {
	const main = document.getElementById("main"), start = location.hash, lost = [], ask = fetch;
	let asked = 0;
	window.fetch = async (...question) => {
		asked++;
		try {
			const answer = await ask(...question);
			return new Response(await answer.text(), answer);
		} finally {
			asked--;
		}
	};
	const idle = async () => {
		for (let quiet = 0; quiet < 2; quiet = asked > 0 ? 0 : quiet + 1)
			await new Promise((resolve) => setTimeout(resolve, 12));
	};
	const controls = () => [...main.querySelectorAll("button:not(.square), select, summary, input[type=checkbox]")]
		.filter((control) => control.checkVisibility());
	const nameOf = (control) => control.getAttribute("aria-label") || control.labels?.[0]?.innerText || control.innerText;
	let pressed = 0;
	for (let i = 0; i < controls().length; i++) {
		const control = controls()[i], name = nameOf(control);
		const item = control.closest("label, li") || control, place = [...item.parentElement.children].indexOf(item);
		if (/^(SVG|PNG|Copy|Measure|For a |Count|All eleven|Play$)/.test(name)) continue;
		if (place > 1 && control.matches(".moves *, .operators *, .grid-of-keys *, .palette *, .overlays *, li *")) continue;
		pressed++;
		control.focus();
		control.click();
		await idle();
		if (!document.activeElement.matches("#main :is(button, select, summary, input, textarea)")) lost.push(name);
		if (location.hash !== start) {
			history.replaceState(null, "", start);
			dispatchEvent(new PopStateEvent("popstate"));
			await idle();
		}
	}
	return pressed < 4 ? ["only " + pressed + " controls"] : lost;
})()`

// rectangle is where an element is, in pixels.
type rectangle struct{ Left, Top, Right, Bottom float64 }

func (p *tab) rectangle(selector string) rectangle {
	p.Helper()
	return value[rectangle](p, fmt.Sprintf(`(() => {
		const r = document.querySelector(%q).getBoundingClientRect();
		return {Left: r.left, Top: r.top, Right: r.right, Bottom: r.bottom};
	})()`, selector))
}

// A size is a window: a wide page, two smaller ones, a page at a zoom of 200%, and a telephone upright and on its side.
type size struct {
	width, height int64
	beside        bool // whether the panel is beside the board
}

var sizes = []size{{1280, 1000, true}, {853, 480, true}, {640, 900, false}, {360, 900, false}, {844, 390, true}}

// checkLayout checks that the board is square, not higher than the window, and beside the panel or above it; that
// nothing is cut off at the right; and that no button covers another.
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
	if beside := panel.Left >= board.Right; name != "bits" && beside != size.beside {
		p.Errorf("%s: the panel beside the board: %v, want %v", at, beside, size.beside)
	}
	if covered := value[string](p, coveredButtons); covered != "" {
		p.Errorf("%s: buttons that cover each other: %s", at, covered)
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
				p := &tab{TB: b, ctx: ctx}
				p.do(chromedp.Navigate(addresses[backend]))
				p.reads("20 legal moves")
				cancel()
			}
		})
	}
}

// savedMarks are sets that are on the board of a page, and in what is saved of it.
var savedMarks = map[string]string{"position": "king-danger", "lines": "meeting", "checks": "reachable", "rays": "look",
	"bits": "member", "learn": "piece-6"}

// savesMark saves the board as SVG: it has the set that is on the screen.
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
