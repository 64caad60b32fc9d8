package browser

import (
	"bufio"
	_ "embed"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/fianchetto-chess/fianchetto/internal/must"
)

// lowContrast lists the texts whose contrast with their background is below 4.5:1.
//
//go:embed testdata/contrast.js
var lowContrast string

// TestPageOfRun shows the page of a cluster's run, light and dark, wide and narrow: it fits the window,
// its text has enough contrast, it changes by itself, and it reports when the run cannot be reached.
func TestPageOfRun(t *testing.T) {
	program := filepath.Join(t.TempDir(), "fianchetto-cluster")
	build := exec.Command("go", "build", "-o", program, ".")
	build.Dir = "../../../fianchetto-cluster"
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	run := exec.Command(program, "run", "--depth", "8", "--split", "2", "--batch", "1", "--workers", "1", "--hash", "0",
		"--method", "plain", "--http", "127.0.0.1:0")
	diagnostics := must.Get(run.StderrPipe())(t)
	start(t, "", run)
	address, found := "", false
	for lines := bufio.NewScanner(diagnostics); !found && lines.Scan(); {
		address, found = strings.CutPrefix(lines.Text(), "status page at ")
	}
	p := open(t, "http", "")
	for _, scheme := range []string{"light", "dark"} {
		for _, width := range []int64{1280, 360} {
			p.colors(scheme)
			p.do(chromedp.EmulateViewport(width, 1400), chromedp.Navigate(address))
			if wide := value[int64](p, "document.documentElement.scrollWidth"); wide > width {
				t.Errorf("%s: the page is %d wide in a window of %d", scheme, wide, width)
			}
			if bad := value[[]string](p, lowContrast); len(bad) > 0 {
				t.Errorf("%s, %d: too little contrast: %q", scheme, width, bad)
			}
		}
	}
	value[any](p, `window.before = document.querySelector("progress").value`)
	p.eventually(`document.querySelector("progress").value > before`)
	p.using.Lock()
	p.quiet = false // from here on there are complaints
	p.using.Unlock()
	must.Do(t, run.Process.Kill())
	p.eventually(`!document.getElementById("gone").hidden && document.getElementById("gone").innerText.includes("cannot be reached")`)
}
