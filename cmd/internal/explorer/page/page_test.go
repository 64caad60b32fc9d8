package page

import (
	"regexp"
	"strings"
	"testing"
)

func TestSiteIsWhole(t *testing.T) {
	site := Site([]byte("program"), []byte("// Go's script\n"))
	loaded := regexp.MustCompile(`(?:from "\./|src="|href=")([\w.]+)"`)
	for name, content := range site {
		if name == SingleFile {
			continue
		}
		for _, m := range loaded.FindAllStringSubmatch(string(content), -1) {
			if site[m[1]] == nil {
				t.Errorf("%s loads %s, which the site does not have", name, m[1])
			}
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
	single := string(Site([]byte("program"), []byte("// Go's script\n"))[SingleFile])
	if strings.Contains(single, `src="`) {
		t.Errorf("%s has a source, which is another file", SingleFile)
	}
}

// TestPageIsSmall bounds what a browser loads besides the program and the positions, compressed.
func TestPageIsSmall(t *testing.T) {
	const most = 65_522
	size := 0
	for _, content := range pageFiles() {
		size += len(packed(content))
	}
	if size > most {
		t.Errorf("a browser loads %d bytes, want at most %d", size, most)
	}
}

func TestSiteIsReproducible(t *testing.T) {
	first, second := Site([]byte("program"), nil), Site([]byte("program"), nil)
	for name := range first {
		if string(first[name]) != string(second[name]) {
			t.Errorf("%s differs from one time to the next", name)
		}
	}
}
