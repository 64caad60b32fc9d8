package browser

import (
	"bytes"
	"flag"
	"image"
	_ "image/png"
	"os"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/fianchetto-chess/fianchetto/internal/must"
)

var update = flag.Bool("update", false, "write the pictures of the documentation")

// TestPictures photographs the pages of which the documentation has pictures, light and dark. The
// pictures must be much like these, or -update writes them: make screenshots.
func TestPictures(t *testing.T) {
	t.Parallel()
	const most = 0.012 // the mean difference of brightness; the two most similar pictures differ by 0.013
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
		"step-hyperbola":      {"#view=learn&lesson=sliders&step=5&at=2", 720},
		"explorer-wrong-move": {states["finding"], 780},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, scheme := range []string{"light", "dark"} {
				p := open(t, "http", picture.state)
				p.colors(scheme)
				p.do(chromedp.EmulateViewport(1200, picture.height))
				p.settled()
				if name == "explorer-wrong-move" {
					p.reads("castling right")
				} else {
					value[any](p, `document.querySelectorAll("header, footer, .hint, .keys:not(.formula), .listing")
						.forEach((e) => { e.hidden = true; })`)
				}
				photo := must.Get(chromedp.Run(p.ctx, chromedp.CaptureScreenshot()))(p)
				file := "../../../../docs/pictures/" + name + "-" + scheme + ".png"
				if *update {
					must.Do(t, os.WriteFile(file, photo, 0o644))
				}
				before, now := thumbnail(t, must.Get(os.ReadFile(file))(t)), thumbnail(t, photo)
				difference := 0.0
				for i := range now {
					difference += max(now[i]-before[i], before[i]-now[i]) / float64(len(now))
				}
				if difference > most {
					t.Errorf("%s differs from the page by %.2f: make screenshots", file, difference)
				}
			}
		})
	}
}

// thumbnail returns the brightness of 32 by 32 parts of a picture, from 0 to 1.
func thumbnail(t *testing.T, png []byte) []float64 {
	t.Helper()
	const side = 32
	picture, _, err := image.Decode(bytes.NewReader(png))
	must.Do(t, err)
	size, parts := picture.Bounds().Size(), make([]float64, side*side)
	for y := range size.Y {
		for x := range size.X {
			_, green, _, _ := picture.At(x, y).RGBA()
			parts[y*side/size.Y*side+x*side/size.X] += float64(green) / 0xffff * side * side / float64(size.X*size.Y)
		}
	}
	return parts
}
