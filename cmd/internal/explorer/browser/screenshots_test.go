package browser

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/must"
)

var (
	screenshots = flag.String("screenshots", "", "write the pictures of the documentation to `DIR`")
	gallery     = flag.String("gallery", "", "write every page in every size, light and dark, to `DIR`")
)

// TestScreenshots makes the documentation's pictures of lessons and of a wrong move, light and
// dark.
func TestScreenshots(t *testing.T) {
	if *screenshots == "" {
		t.Skip("pictures are made with -screenshots DIR: make screenshots")
	}
	for name, picture := range map[string]struct {
		state  string
		height int64
	}{
		"step-mask":           {"#view=learn&step=3", 560},
		"step-product":        {"#view=learn&step=5", 900},
		"step-collision":      {"#view=learn&step=7&number=0x4104104010410410", 680},
		"step-attacks":        {"#view=learn&step=9", 560},
		"step-windows":        {"#view=learn&step=10", 640},
		"step-crossing":       {"#view=learn&lesson=checks&step=3", 560},
		"explorer-wrong-move": {divideState, 780},
	} {
		for _, scheme := range []string{"light", "dark"} {
			p := open(t, "http", picture.state)
			p.colors(scheme)
			p.do(chromedp.EmulateViewport(1200, picture.height))
			p.settled()
			if strings.HasPrefix(name, "step") {
				value[any](p, `document.querySelectorAll("header, footer, .hint, .keys, .listing")
					.forEach((e) => { e.hidden = true; })`)
			} else {
				p.enter("What your engine prints", wrongDivide)
				p.reads("castling right")
			}
			p.photograph(filepath.Join(*screenshots, name+"-"+scheme+".png"))
		}
	}
}

// TestGallery makes a picture of every page in every size, light and dark.
func TestGallery(t *testing.T) {
	if *gallery == "" {
		t.Skip("pictures are made with -gallery DIR: make screenshots")
	}
	for _, size := range [][2]int64{{1440, 900}, {1280, 800}, {1024, 768}, {390, 844}, {844, 390}} {
		for _, scheme := range []string{"light", "dark"} {
			p := open(t, "http", "")
			p.colors(scheme)
			p.do(chromedp.EmulateViewport(size[0], size[1]))
			for name, state := range states {
				p.do(chromedp.Navigate("about:blank"), chromedp.Navigate(addresses["http"]+state))
				p.settled()
				p.photograph(filepath.Join(*gallery, fmt.Sprintf("%s-%dx%d-%s.png", name, size[0], size[1], scheme)))
			}
		}
	}
}

// photograph writes what the page shows to a file.
func (p *tab) photograph(file string) {
	p.Helper()
	png := must.Get(chromedp.Run(p.ctx, chromedp.CaptureScreenshot()))(p)
	must.Do(p, os.WriteFile(file, png, 0o644))
}
