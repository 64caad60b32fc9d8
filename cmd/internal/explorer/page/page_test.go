package page

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto/internal/must"
)

func TestSiteIsWhole(t *testing.T) {
	site := Site([]byte("program"), []byte("// Go's script\n"))
	loaded := regexp.MustCompile(`(?:from"\./|src="|href=")([\w.]+)"`)
	for name, content := range site {
		for _, m := range loaded.FindAllStringSubmatch(string(content), -1) {
			if site[m[1]] == nil {
				t.Errorf("%s loads %s, which the site does not have", name, m[1])
			}
		}
		if isModule := bytes.Contains(content, []byte("export ")); isModule && !bytes.Contains(site["index.html"], []byte(name)) {
			t.Errorf("index.html does not load %s early", name)
		}
	}
	if index := string(site["index.html"]); !strings.Contains(index, `content="wasm"`) ||
		!strings.Contains(index, `id="piece-wk"`) || !strings.Contains(index, "Content-Security-Policy") {
		t.Error("index.html is not filled in")
	}
}

// TestNothingFromElsewhere holds every file of the page to addresses of its own, but for links that
// a reader follows.
func TestNothingFromElsewhere(t *testing.T) {
	address := regexp.MustCompile(`(?i)(https?:)?//[a-z0-9-]+\.[a-z]`)
	allowed := strings.NewReplacer("http://www.w3.org/2000/svg", "", `<a href="https://github.com/`, "",
		`<link rel="canonical" href="https://fianchetto-chess.github.io/`, "")
	for name, content := range Site(nil, nil) {
		for _, found := range address.FindAllString(allowed.Replace(string(content)), -1) {
			t.Errorf("%s names %s", name, found)
		}
	}
}

// TestPageIsSmall bounds what a browser loads besides the program and the positions, compressed.
func TestPageIsSmall(t *testing.T) {
	const most = 62_000
	var packed bytes.Buffer
	for _, content := range pageFiles() {
		w := must.Get(gzip.NewWriterLevel(&packed, gzip.BestCompression))(t)
		must.Get(w.Write(content))(t)
		w.Close()
	}
	if packed.Len() > most {
		t.Errorf("a browser loads %d bytes, want at most %d", packed.Len(), most)
	}
}

func TestSiteIsReproducible(t *testing.T) {
	if !reflect.DeepEqual(Site([]byte("program"), nil), Site([]byte("program"), nil)) {
		t.Error("the site differs from one time to the next")
	}
}

// TestLessonShowsOurCode looks for each line of Go in the lesson about sliders among the sources.
func TestLessonShowsOurCode(t *testing.T) {
	const root, fewest = "../../../../", 30
	sources := ""
	for _, pattern := range []string{"internal/sliders/*.go", "bitboard/bitboard.go", "attacks/attacks.go"} {
		for _, file := range must.Get(filepath.Glob(root + pattern))(t) {
			sources += string(must.Get(os.ReadFile(file))(t))
		}
	}
	script, _, _ := strings.Cut(string(must.Get(os.ReadFile("lesson_sliders.js"))(t)), "const coordinates")
	script = strings.ReplaceAll(script, "\" +\n    \"", "")
	lines := regexp.MustCompile(`\["[^"]*",\s+"([^"]+)"\]`).FindAllStringSubmatch(script, -1)
	for _, line := range lines {
		if !strings.Contains(sources, line[1]+"\n") {
			t.Errorf("the sources lack %s", line[1])
		}
	}
	if len(lines) < fewest {
		t.Errorf("the lesson shows %d lines of Go, want at least %d", len(lines), fewest)
	}
}
