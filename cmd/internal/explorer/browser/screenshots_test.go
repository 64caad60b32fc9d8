package browser

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

var (
	screenshots = flag.String("screenshots", "", "write the pictures of the documentation to `DIR`")
	gallery     = flag.String("gallery", "", "write every page in every size, light and dark, to `DIR`")
)

// wrongDivide is what an engine prints that keeps the right to castle with a rook that was captured.
var wrongDivide = strings.ReplaceAll("a6b5 a6b7 a6c4 a6c8 a6d3 a6e2 a8b8 a8c8 a8d8 b4b3 b4c3 c7c5 c7c6 d7d6 e6d5 "+
	"e6e5 e7c5 e7d6 e7d8 e7f8 e8c8 e8d8 e8f8 e8g8 f6d5 f6e4 f6g4 f6g8 f6h5 f6h7 g7f8 g7h6 g7h8 h3g2 ", " ", ": 1\n") +
	"Nodes searched: 34"

// TestScreenshots makes the pictures of the documentation, light and dark: steps of the lessons, and a wrong move.
func TestScreenshots(t *testing.T) {
	if *screenshots == "" {
		t.Skip("pictures are made with -screenshots DIR: make screenshots")
	}
	for name, picture := range map[string]struct {
		state  string
		height int64
	}{
		"step-mask":           {"#view=learn&step=2", 560},
		"step-product":        {"#view=learn&step=4", 700},
		"step-collision":      {"#view=learn&step=6&number=0x4104104010410410", 680},
		"step-attacks":        {"#view=learn&step=7", 560},
		"step-windows":        {"#view=learn&step=8&slider=b2", 640},
		"step-crossing":       {"#view=learn&lesson=checks&step=3", 560},
		"explorer-wrong-move": {divideState, 900},
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
				p.press("Compare")
				p.reads("castling right")
			}
			png, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
			if err == nil {
				err = os.WriteFile(filepath.Join(*screenshots, name+"-"+scheme+".png"), png, 0o644)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestGallery makes a picture of every page in every size, light and dark, for those who judge them.
func TestGallery(t *testing.T) {
	if *gallery == "" {
		t.Skip("pictures are made with -gallery DIR: make screenshots")
	}
	for _, size := range [][2]int64{{1440, 900}, {1024, 768}, {390, 844}, {844, 390}} {
		for _, scheme := range []string{"light", "dark"} {
			p := open(t, "http", "")
			p.colors(scheme)
			p.do(chromedp.EmulateViewport(size[0], size[1]))
			for name, state := range states {
				p.do(chromedp.Navigate("about:blank"), chromedp.Navigate(addresses["http"]+state))
				p.settled()
				png, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
				if err == nil {
					err = os.WriteFile(filepath.Join(*gallery, fmt.Sprintf("%s-%dx%d-%s.png", name, size[0], size[1],
						scheme)), png, 0o644)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}
