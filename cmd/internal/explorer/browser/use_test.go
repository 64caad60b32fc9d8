package browser

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// pressAll presses the controls one by one, each in the state in which the page was opened, and returns those after
// which the focus was not on a control. Buttons that save, copy, measure or search are left out.
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
		const place = [...control.parentElement.children].indexOf(control);
		if (/^(SVG|PNG|Copy|Measure|For a |Count|All eleven|Play$)/.test(name)) continue;
		if (place > 1 && control.matches(".moves *, .operators *, .grid-of-keys *, .palette *")) continue;
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

// TestBoardForAssistiveTechnology reads the names of squares, presses squares as voice control does, and reads the one
// status region.
func TestBoardForAssistiveTechnology(t *testing.T) {
	t.Parallel()
	p := open(t, "http", "#fen=4k3/8/8/8/8/8/8/R3K3+w+-+-+0+1")
	p.reads("White to move")
	const square = `document.querySelector('.board [data-square="%"]')`
	at := func(number string) string { return strings.ReplaceAll(square, "%", number) }
	p.eventually(at("0") + `.getAttribute("aria-label") === "white rook, a1"`)
	p.eventually(at("1") + `.getAttribute("aria-label") === "b1, empty"`)
	value[any](p, at("0")+".click()")
	p.eventually(at("0") + `.getAttribute("aria-selected") === "true"`)
	p.eventually(at("56") + `.getAttribute("aria-label").includes("a move")`)
	value[any](p, at("56")+".click()")
	p.eventually(`document.getElementById("status").innerText.startsWith("1. Ra8+, check, Black to move, in check")`)
	p.eventually(`document.querySelectorAll("[aria-live], [role=status], [role=alert]").length === 1`)
	p.eventually(at("60") + `.getAttribute("aria-label") === "black king, e8, in check"`)
	p.enter("FEN", "4k3/8/8/8/8/8/8/8 w - - 0 1")
	p.eventually(`document.querySelector("input[aria-invalid=true]")?.value.startsWith("4k3/8")`)
	// A swipe scrolls where there is nothing to drag.
	p.eventually(`getComputedStyle(` + at("30") + `).touchAction === "manipulation"`)
}

// TestFindingIsALink compares, opens the address elsewhere, and finds position, pasted counts, move and rule there.
func TestFindingIsALink(t *testing.T) {
	t.Parallel()
	eachBackend(t, func(t *testing.T, backend string) {
		p := open(t, backend, divideState)
		p.reads("go perft 1")
		p.enter("What your engine prints", wrongDivide)
		p.press("Compare")
		p.reads("castling right")
		link := value[string](p, "location.hash")
		if !strings.Contains(link, "divide=") || len(link) > 700 {
			t.Fatalf("the link has %d characters: %s", len(link), link)
		}
		other := open(t, backend, link)
		other.reads("castling right")
		other.eventually(`document.querySelector("textarea").value.includes("e8g8: 1")`)
		other.eventually(`document.querySelectorAll(".board .mark.wrong-move").length === 2`)
	})
}

func TestMarkdown(t *testing.T) {
	t.Parallel()
	p := open(t, "http", states["cross"])
	p.settled()
	text := value[string](p, `new Promise((resolve) => {
		Object.defineProperty(navigator, "clipboard", {value: {writeText: async (text) => resolve(text)}});
		[...document.querySelectorAll("button")].find((b) => b.textContent === "Copy as Markdown").click();
	})`)
	for _, part := range []string{"4  .  *  .  .  .  .  .  * ", "- intersection: b4 h4", "](http://", "lesson=checks"} {
		if !strings.Contains(text, part) {
			t.Errorf("no %q in %s", part, text)
		}
	}
}

func TestEmbeddedBoard(t *testing.T) {
	t.Parallel()
	p := open(t, "wasm", "#embed&fen="+strings.ReplaceAll(kiwipete, " ", "+")+"&show=check-knight")
	p.eventually(`document.querySelectorAll(".board .mark.check-knight").length === 4`)
	p.do(chromedp.EmulateViewport(400, 400))
	for _, part := range []string{"header", "footer", ".panel", ".keys"} {
		p.eventually(`!document.querySelector("` + part + `").checkVisibility()`)
	}
	if board := p.rectangle(".board"); board.Right-board.Left < 395 || board.Bottom > 401 {
		t.Errorf("the board is at %+v", board)
	}
}

func TestServerGone(t *testing.T) {
	t.Parallel()
	p := open(t, "http", "")
	p.reads("20 legal moves")
	value[any](p, `window.fetch = () => Promise.reject(new TypeError("Failed to fetch")); 0`)
	p.click("e2")
	p.click("e4")
	p.reads("Is fianchetto explore still running?")
}

// TestLoadingIsShown holds the program back: the page says that it loads and how far it is, and answers when it is
// there. A lesson that needs no answer of the program is there at once.
func TestLoadingIsShown(t *testing.T) {
	t.Parallel()
	site, err := url.Parse(addresses["wasm"])
	if err != nil {
		t.Fatal(err)
	}
	files, rest := httputil.NewSingleHostReverseProxy(site), make(chan struct{})
	slow := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/explorer.wasm.gz" {
			files.ServeHTTP(w, r)
			return
		}
		program, err := http.Get(addresses["wasm"] + "explorer.wasm.gz")
		if err != nil {
			t.Error(err)
			return
		}
		defer program.Body.Close()
		w.Header().Set("Content-Length", fmt.Sprint(program.ContentLength))
		io.CopyN(w, program.Body, program.ContentLength/2)
		http.NewResponseController(w).Flush()
		<-rest
		io.Copy(w, program.Body)
	}))
	defer slow.Close()
	p := open(t, "http", "")
	p.do(chromedp.Navigate(slow.URL))
	p.eventually(`document.querySelector("#loading:not([hidden]) progress")?.value > 0.4`)
	p.press("Learn")
	p.reads("A slider sees along lines")
	p.press("Position")
	close(rest)
	p.reads("20 legal moves")
	p.eventually(`document.getElementById("loading").hidden`)
}
