package browser

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// divideState is a position of kiwipete in which an engine still castles with the rook that was captured.
const divideState = "#view=perft&depth=1&moves=g6h8&fen=" +
	"r3k2r/p1ppqpb1/b3pnN1/3P4/1p2P3/2N2Q1p/PPPBBPPP/R3K2R+w+KQkq+-+1+2"

func TestErrorReplacesVerdict(t *testing.T) {
	t.Parallel()
	p := open(t, "http", divideState)
	p.enter("What your engine prints", wrongDivide)
	p.press("Compare")
	p.reads("castling right")
	p.savesMark("wrong-move")
	p.enter("What your engine prints", "hello")
	p.press("Compare")
	p.reads("neither a move with its count")
	p.eventually(`!document.getElementById("main").innerText.includes("castling right")`)
	p.eventually(`!document.querySelector("table, .board .wrong-move")`)
}

func TestBackAfterStepRestoresDepth(t *testing.T) {
	t.Parallel()
	p := open(t, "http", "#view=perft&depth=3")
	p.press("Count")
	p.reads("8,902 leaves")
	p.press("e2e4 e4")
	p.reads("go perft 2")
	p.do(chromedp.NavigateBack())
	p.reads("go perft 3")
	p.eventually(`!location.hash.includes("moves")`)
}

func TestEmptyChess960NumberIsNone(t *testing.T) {
	t.Parallel()
	p := open(t, "http", "#edit=1")
	p.reads("20 legal moves")
	p.enter("Chess960 number", "")
	p.reads("from 0 to 959")
	p.eventually(`!location.hash.includes("fen=")`)
}

func TestPromotionPromptEndsWithItsPosition(t *testing.T) {
	t.Parallel()
	p := open(t, "http", "#fen=7k/P7/8/8/8/8/8/K7+w+-+-+0+1")
	for _, leave := range []func(){
		func() { p.press("Flip") },
		func() { p.enter("FEN", "7k/PP6/8/8/8/8/8/K7 w - - 0 1") },
	} {
		p.reads("White to move")
		p.drag("a7", "a8")
		p.eventually(`document.querySelector(".promotion:not([hidden])")`)
		leave()
		p.eventually(`document.querySelector(".promotion").hidden`)
	}
}

func TestExtraMoveHasItsCount(t *testing.T) {
	t.Parallel()
	p := open(t, "http", "#view=perft&depth=2")
	p.enter("What your engine prints", "e2e5: 7\ne2e4: 20\n")
	p.press("Compare")
	p.eventually(`document.querySelector("tr.extra td + td")?.innerText === "7"`)
}

func TestDepthIsCutToWhatCanBeCounted(t *testing.T) {
	t.Parallel()
	p := open(t, "http", "#view=perft&depth=2.5")
	p.press("Count")
	p.reads("400 leaves")
	p.enter("Depth", "32")
	p.reads("go perft 10")
	p.eventually(`document.querySelector("[role=status]").innerText.includes("depth 32 is cut to 10")`)
}

func TestSameRowsAreFolded(t *testing.T) {
	t.Parallel()
	p := open(t, "http", divideState)
	p.enter("What your engine prints", wrongDivide)
	p.press("Compare")
	p.reads("castling right")
	p.eventually(`document.querySelectorAll("tr.extra").length === 1`)
	p.eventually(`[...document.querySelectorAll("tr.same")].every((row) => !row.checkVisibility())`)
	p.reads("33 moves with the same count")
}

func TestChecksHaveSignsOfTheirOwn(t *testing.T) {
	t.Parallel()
	p := open(t, "http", states["checks"])
	p.reads("can give check from")
	p.eventually(`document.querySelector(".board .checking") && document.querySelector(".board .reachable")`)
	p.eventually(`!document.querySelector(".board .line-file, .board .line-rank")`)
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
