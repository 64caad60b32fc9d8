// Package browser tests the explorer's page in a real browser, headless Chromium, with both
// backends.
package browser

import (
	"context"
	"fmt"
	"iter"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/engine"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/explorer"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/explorer/page"
	"github.com/fianchetto-chess/fianchetto/internal/must"
)

// The addresses of the page, by backend, and the browser that all tests share.
var (
	addresses = map[string]string{}
	browser   context.Context
)

// patience bounds a test of the page.
const patience = 2 * time.Minute

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	path := chromium()
	if path == "" {
		fmt.Println("no chromium here: the explorer is not tested in a browser (Debian: chromium)")
		return 0
	}
	dir, err := os.MkdirTemp("", "fianchetto-explorer-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	faulty := filepath.Join(dir, "faulty")
	if build, err := exec.Command("go", "build", "-o", faulty, "../../buggy/buggyengine").CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "go build: %v\n%s", err, build)
		return 1
	}
	if build, err := exec.Command("make", "-C", "../../../..", "site", "SITE="+dir).CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "make site: %v\n%s", err, build)
		return 1
	}
	server := httptest.NewServer(page.NewHandler("", ""))
	defer server.Close()
	static := httptest.NewServer(http.FileServer(http.Dir(dir)))
	defer static.Close()
	asked := httptest.NewUnstartedServer(page.NewHandler("", "faulty"))
	asked.Config.BaseContext = func(net.Listener) context.Context {
		program, err := engine.Open(context.Background(), engine.Config{Path: faulty, Args: []string{"--bugs", "castling-through-check"}})
		if err != nil {
			panic(err)
		}
		return explorer.WithEngine(context.Background(), program)
	}
	asked.Start()
	defer asked.Close()
	addresses["engine"] = asked.URL + "/"
	addresses["http"] = server.URL + "/"
	addresses["wasm"] = static.URL + "/"
	addresses["folder"] = "file://" + filepath.Join(dir, "index.html") // which browsers refuse

	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-component-update", true))
	allocator, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	defer cancel()
	var stop context.CancelFunc
	browser, stop = chromedp.NewContext(allocator)
	defer stop()
	if err := chromedp.Do(browser); err != nil {
		fmt.Fprintln(os.Stderr, "chromium does not start:", err)
		return 1
	}
	return m.Run()
}

func chromium() string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// tab is a page that a test drives. Tests reuse tabs.
type tab struct {
	testing.TB
	ctx, all context.Context // for a test; as long as the browser
	at       string          // the line of a story
	quiet    bool            // whether the console must be empty
	using    sync.Mutex      // guards TB, which is nil between tests
}

// idle contains the unused tabs.
var idle = make(chan *tab, 64)

// open opens a state of the page, such as "#view=position". The test fails if the page complains
// on the console.
func open(t *testing.T, backend, state string) *tab {
	t.Helper()
	var p *tab
	select {
	case p = <-idle:
	default:
		p = &tab{}
		p.all, _ = chromedp.NewContext(browser)
		go p.watch(chromedp.Console(p.all))
	}
	var cancel context.CancelFunc
	p.ctx, cancel = context.WithTimeout(p.all, patience)
	use := func(t testing.TB) {
		p.using.Lock()
		defer p.using.Unlock()
		p.TB, p.at, p.quiet = t, "", backend != "folder"
	}
	use(t)
	t.Cleanup(func() {
		p.do(chromedp.Navigate("about:blank"))
		use(nil)
		cancel()
		idle <- p
	})
	p.colors("")
	p.do(chromedp.EmulateViewport(1280, 1000), chromedp.Navigate(addresses[backend]+state))
	return p
}

// watch fails the test when its page complains on the console.
func (p *tab) watch(messages iter.Seq2[chromedp.ConsoleMessage, error]) {
	for m, err := range messages {
		if err != nil {
			return
		}
		p.using.Lock()
		if p.TB != nil && p.quiet && (m.IsException() || m.Type == "error" || m.Type == "warning") {
			p.Errorf("the console has a complaint: %v", m)
		}
		p.using.Unlock()
	}
}

func (p *tab) Fatalf(format string, arguments ...any) {
	p.Helper()
	p.TB.Fatalf("%s"+format, append([]any{p.at}, arguments...)...)
}

func (p *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	p.Helper()
	if err := chromedp.Do(p.ctx, actions...); err != nil {
		p.Fatalf("%v", err)
	}
}

// eventually waits until an expression of JavaScript is true, also across navigation.
func (p *tab) eventually(expression string) {
	p.Helper()
	look := fmt.Sprintf(`new Promise((resolve) => {
		const end = performance.now() + 2000;
		const look = () => {
			let found = false;
			try { found = Boolean(%s); } catch {}
			if (found || performance.now() > end) resolve(found); else setTimeout(look, 10);
		};
		look();
	})`, expression)
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if found, err := chromedp.Run(p.ctx, chromedp.Evaluate[bool](look, chromedp.EvalAwaitPromise)); err == nil && found {
			return
		}
	}
	p.Fatalf("never true: %s\nthe page is at %s and reads:\n%s", expression, value[string](p, "location.href"),
		value[string](p, "document.body.innerText"))
}

// value returns the value of an expression of JavaScript.
func value[T any](p *tab, expression string) T {
	p.Helper()
	v, err := chromedp.Run(p.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		p.Fatalf("%s: %v", expression, err)
	}
	return v
}

// reads waits until the view has a text.
func (p *tab) reads(text string) {
	p.Helper()
	p.eventually(fmt.Sprintf(`document.querySelector("main").innerText.includes(%q)`, text))
}

// press clicks a button by its text.
func (p *tab) press(label string) {
	p.Helper()
	const find = `[...document.querySelectorAll("button")].find((b) => b.innerText.trim() === %q && !b.disabled)`
	button := fmt.Sprintf(find, label)
	p.eventually(button + " !== undefined")
	value[any](p, button+".click()")
}

// enter writes into the field with a label.
func (p *tab) enter(label, text string) {
	p.Helper()
	value[any](p, fmt.Sprintf(`(() => {
		const label = [...document.querySelectorAll("label")].find((l) => l.textContent.trim() === %q);
		const control = document.getElementById(label.htmlFor);
		control.value = %q;
		for (const type of ["input", "change"]) control.dispatchEvent(new Event(type, {bubbles: true}));
	})()`, label, text))
}

// square returns the middle of a square of the first board.
func (p *tab) square(name string) (x, y float64) {
	p.Helper()
	number := int(name[0]-'a') + 8*int(name[1]-'1')
	at := value[[]float64](p, fmt.Sprintf(`(() => {
		const r = document.querySelector('.board [data-square="%d"]').getBoundingClientRect();
		return [r.x + r.width / 2, r.y + r.height / 2];
	})()`, number))
	return at[0], at[1]
}

func (p *tab) click(square string) {
	p.Helper()
	x, y := p.square(square)
	p.do(chromedp.MouseClickXY(x, y))
}

// drag moves the piece on a square to another by pointer.
func (p *tab) drag(from, to string) {
	p.Helper()
	x, y := p.square(from)
	toX, toY := p.square(to)
	p.do(chromedp.DragAndDropXY(x, y, toX, toY))
}

// colors selects the light or the dark theme.
func (p *tab) colors(scheme string) {
	p.Helper()
	must.Get(chromedp.Call(p.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
	}))(p)
}
