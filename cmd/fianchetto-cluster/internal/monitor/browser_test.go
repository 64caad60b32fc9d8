package monitor

import (
	"context"
	_ "embed"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/coordinator"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/must"
)

var screenshots = flag.String("screenshots", "", "write pictures of the page to `DIR`")

// TestPageInBrowser shows the page in headless Chromium, light and dark, wide and narrow: it fits
// the window, its text has enough contrast, it changes by itself, and it reports when the run
// cannot be reached.
func TestPageInBrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("a browser takes seconds")
	}
	path, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("no chromium here")
	}
	states := make(chan coordinator.Status, 1)
	states <- example()
	server := must.Get(Listen("127.0.0.1:0", func() coordinator.Status {
		s := <-states
		states <- s
		return s
	}))(t)
	defer server.Close()
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox)
	ctx, cancel := chromedp.NewExecAllocator(t.Context(), options...)
	defer cancel()
	ctx, cancel = chromedp.NewContext(ctx)
	defer cancel()
	ctx, cancel = context.WithTimeout(ctx, 5*time.Minute)
	defer cancel()
	b := &browser{t, ctx}
	b.do(chromedp.Navigate("about:blank"))
	complaints := b.watchConsole()
	for _, scheme := range []string{"light", "dark"} {
		for _, width := range []int{1280, 360} {
			b.colors(scheme)
			b.do(chromedp.EmulateViewport(int64(width), 1400), chromedp.Navigate("http://"+server.Addr))
			if wide := value[int](b, "document.documentElement.scrollWidth"); wide > width {
				t.Errorf("%s: the page is %d wide in a window of %d", scheme, wide, width)
			}
			if bad := value[[]string](b, lowContrast); len(bad) > 0 {
				t.Errorf("%s, %d: too little contrast: %q", scheme, width, bad)
			}
			b.picture("page-" + scheme + "-" + strconv.Itoa(width))
		}
	}
	<-states
	waiting := example()
	waiting.Threads, waiting.TasksDone, waiting.Workers, waiting.Divide, waiting.Mismatches = 0, 0, nil, nil, nil
	waiting.Join = "fianchetto-cluster worker --connect nats://127.0.0.1:4222"
	states <- waiting
	b.eventually(`document.querySelector("main").innerText.includes("Waiting for workers. They join with fianchetto-cluster worker --connect nats://127.0.0.1:4222")`)
	b.picture("waiting")
	if n := complaints(); n > 0 { // from here on there are some
		t.Errorf("the console has %d complaints", n)
	}
	server.Close()
	b.eventually(`!document.getElementById("gone").hidden && document.getElementById("gone").innerText.includes("cannot be reached")`)
}

// lowContrast lists the texts whose contrast with their background is below 4.5:1.
//
//go:embed testdata/contrast.js
var lowContrast string

// browser is a window of a browser that a test drives.
type browser struct {
	testing.TB
	ctx context.Context
}

func (b *browser) do(actions ...chromedp.Action[chromedp.Void]) {
	b.Helper()
	must.Do(b, chromedp.Do(b.ctx, actions...))
}

func (b *browser) colors(scheme string) {
	b.Helper()
	must.Get(chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
	}))(b)
}

// watchConsole counts the complaints on the console, until the function is called that it returns.
func (b *browser) watchConsole() (complaints func() int) {
	ctx, cancel := context.WithCancel(b.ctx)
	messages := chromedp.Console(ctx)
	count := make(chan int, 1)
	go func() {
		n := 0
		for m, err := range messages {
			if err != nil {
				break
			}
			if m.IsException() || m.Type == "error" || m.Type == "warning" {
				n++
				b.Logf("the console: %v", m)
			}
		}
		count <- n
	}()
	return func() int { cancel(); return <-count }
}

func value[T any](b *browser, expression string) T {
	b.Helper()
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		b.Fatalf("%s: %v", expression, err)
	}
	return v
}

// eventually waits until an expression of JavaScript is true.
func (b *browser) eventually(expression string) {
	b.Helper()
	for end := time.Now().Add(time.Minute); !value[bool](b, expression); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			b.Fatalf("never true: %s\nthe page reads:\n%s", expression, value[string](b, "document.body.innerText"))
		}
	}
}

// picture writes a picture of the whole page, if pictures are wanted.
func (b *browser) picture(name string) {
	b.Helper()
	if *screenshots == "" {
		return
	}
	png, err := chromedp.Run(b.ctx, chromedp.FullScreenshot(100))
	if err == nil {
		err = os.WriteFile(filepath.Join(*screenshots, name+".png"), png, 0o644)
	}
	if err != nil {
		b.Fatal(err)
	}
}
