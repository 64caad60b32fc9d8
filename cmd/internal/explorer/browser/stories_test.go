package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/fianchetto-chess/fianchetto/internal/must"
)

const kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"

// divideState is a position of kiwipete in which an engine still castles with the rook that was
// captured, and wrongDivide what it prints.
const divideState = "#view=perft&depth=1&moves=g6h8&fen=" +
	"r3k2r/p1ppqpb1/b3pnN1/3P4/1p2P3/2N2Q1p/PPPBBPPP/R3K2R+w+KQkq+-+1+2"

var wrongDivide = strings.ReplaceAll("a6b5 a6b7 a6c4 a6c8 a6d3 a6e2 a8b8 a8c8 a8d8 b4b3 b4c3 c7c5 c7c6 d7d6 e6d5 "+
	"e6e5 e7c5 e7d6 e7d8 e7f8 e8c8 e8d8 e8f8 e8g8 f6d5 f6e4 f6g4 f6g8 f6h5 f6h7 g7f8 g7h6 g7h8 h3g2 ", " ", ": 1\n") +
	"Nodes searched: 34"

// words expands the abbreviations of stories.
var words = strings.NewReplacer("$kiwipete", strings.ReplaceAll(kiwipete, " ", "+"), "$divideState", divideState,
	"$divide", wrongDivide, "$packed", packedDivide)

// TestStories follows the files of testdata/stories. A line is a step: a word and its argument. The
// first step opens the page, with the named backends.
func TestStories(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/stories/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no stories: ", err)
	}
	for _, file := range files {
		text := must.Get(os.ReadFile(file))(t)
		lines := strings.Split(string(text), "\n")
		first := 0
		for !strings.HasPrefix(lines[first], "open ") {
			first++
		}
		opening, state, found := strings.Cut(words.Replace(lines[first]), "#")
		if found {
			state = "#" + state
		}
		for _, backend := range strings.Fields(opening)[1:] {
			t.Run(strings.TrimSuffix(filepath.Base(file), ".txt")+"/"+backend, func(t *testing.T) {
				t.Parallel()
				p := open(t, backend, state)
				for i, line := range lines[first+1:] {
					if line != "" && line[0] != '#' {
						p.at = fmt.Sprintf("%s:%d: ", file, first+2+i)
						p.step(words.Replace(line))
					}
				}
			})
		}
	}
}

// step takes a step of a story.
func (p *tab) step(line string) {
	p.Helper()
	word, about, _ := strings.Cut(line, " ")
	label, text, _ := strings.Cut(about, " =")
	switch word {
	case "reads":
		p.reads(about)
	case "lacks":
		p.eventually(fmt.Sprintf(`!document.querySelector("main").innerText.includes(%q)`, about))
	case "true":
		p.eventually(about)
	case "do":
		value[any](p, about+"; 0")
	case "press":
		p.press(about)
	case "enter":
		p.enter(label, strings.ReplaceAll(strings.TrimPrefix(text, " "), `\n`, "\n"))
	case "click":
		p.click(about)
	case "drag":
		p.drag(about[:2], about[3:])
	case "tap":
		p.do(chromedp.Click(chromedp.CSS(about)))
	case "focus":
		p.do(chromedp.Focus(chromedp.CSS(about)))
	case "key":
		keys := map[string]string{"ArrowUp": kb.ArrowUp, "ArrowLeft": kb.ArrowLeft, "ArrowRight": kb.ArrowRight,
			"Enter": kb.Enter, "Home": kb.Home, "End": kb.End, "Tab": kb.Tab, "Escape": kb.Escape}
		p.do(chromedp.KeyEvent(keys[about]))
	case "back":
		p.do(chromedp.NavigateBack())
	case "forward":
		p.do(chromedp.NavigateForward())
	case "reload":
		p.do(chromedp.Reload())
	case "resize":
		var width, height int64
		fmt.Sscan(about, &width, &height)
		p.do(chromedp.EmulateViewport(width, height))
	case "saves":
		p.savesMark(about)
	default:
		p.Fatalf("no step: %s", line)
	}
}
