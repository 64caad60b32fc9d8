package browser

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/buggy"
	"github.com/fianchetto-chess/fianchetto/internal/must"
)

// TestTwoPastes finds the bug of an engine from the empty start page, as a person does: it pastes a
// divide, asks the engine all questions that the page then shows, and pastes the answers. It touches
// no setting.
func TestTwoPastes(t *testing.T) {
	t.Parallel()
	const longest = time.Minute
	p := open(t, "wasm", "")
	p.reads("Paste what your engine prints")
	begun := time.Now()
	p.enter("What your engine prints", faultyEngine(t, "position fen "+kiwipete+"\ngo perft 4"))
	p.reads("Copy all questions")
	p.reads("48 counts differ. Every move here is right: the wrong move is deeper.")
	p.enter("What your engine prints", faultyEngine(t, value[string](p, `document.querySelector(".questions").innerText`)))
	p.reads(": castling through check")
	if took := time.Since(begun); took > longest {
		t.Errorf("two pastes take %v, want at most %v", took, longest)
	}
	p.eventually(`document.querySelector(".board .mark.wrong-move") && document.querySelector(".board path.wrong-move")`)
	p.eventually(`!document.querySelector(".settings").open && !document.querySelector(".box").open`)
	p.do(chromedp.NavigateBack())
	p.reads("48 counts differ")
}

// TestPasteInAnyOrder sets the position and the depth and pastes a divide, in each of the six
// orders. Each time the page keeps the text, and compares it with the right question.
func TestPasteInAnyOrder(t *testing.T) {
	t.Parallel()
	divide := faultyEngine(t, "position fen "+kiwipete+"\ngo perft 2")
	actions := []func(*tab){
		func(p *tab) { p.enter("FEN", "kiwipete") },
		func(p *tab) { p.enter("Depth", "2") },
		func(p *tab) { p.enter("What your engine prints", divide) },
	}
	for _, order := range [][]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
		t.Run(fmt.Sprint(order), func(t *testing.T) {
			t.Parallel()
			p := open(t, "http", "#view=perft")
			p.reads("go perft 3")
			for _, action := range order {
				actions[action](p)
			}
			p.eventually(fmt.Sprintf(`document.querySelector(".settings pre").textContent === "position fen %s\ngo perft 2"`, kiwipete))
			p.reads("4 counts differ. Every move here is right")
			if kept := value[string](p, `document.querySelector("textarea").value`); kept != divide {
				t.Errorf("the page keeps %q of %q", kept, divide)
			}
		})
	}
}

// faultyEngine asks the engine that castles through check.
func faultyEngine(t *testing.T, question string) string {
	t.Helper()
	var out bytes.Buffer
	if code := buggy.Run([]string{"--bugs", "castling-through-check"}, strings.NewReader(question+"\nquit\n"), &out,
		io.Discard); code != 0 {
		t.Fatalf("the engine ends with %d: %s", code, &out)
	}
	return out.String()
}

// TestLoadingIsShown delays the program. The page shows a loading bar, and answers when the program
// arrives. The start position and a lesson appear at once.
func TestLoadingIsShown(t *testing.T) {
	t.Parallel()
	site := must.Get(url.Parse(addresses["wasm"]))(t)
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
		select {
		case <-rest:
		case <-r.Context().Done():
		}
		io.Copy(w, program.Body)
	}))
	defer slow.Close()
	defer slow.CloseClientConnections() // of a test that failed
	p := open(t, "http", "")
	p.do(chromedp.Navigate(slow.URL + "/#view=position"))
	p.eventually(`document.querySelector("#loading:not([hidden]) progress")?.value > 0.4`)
	p.press("Learn")
	p.reads("A set of squares is a number")
	p.press("Position")
	p.reads("White to move, 20 legal moves")
	p.click("e2")
	p.click("e4")
	close(rest)
	p.reads("Black to move, 20 legal moves")
	p.eventually(`document.getElementById("loading").hidden`)
}
