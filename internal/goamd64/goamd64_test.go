package goamd64

import (
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
)

func TestAdvice(t *testing.T) {
	for _, c := range []struct {
		build, best string
		want        bool
	}{
		{"v1", "v3", true}, {"v2", "v3", true},
		{"v1", "v1", false}, {"v1", "v2", false}, {"v2", "v2", false}, {"v3", "v3", false}, {"v4", "v3", false},
		{"", "", false}, {"", "v3", false}, {"GOARM64=v8.0", "", false},
	} {
		text := advice(c.build, c.best, "make install")
		if got := strings.HasSuffix(text, ": make install") && strings.Contains(text, c.build) && strings.Contains(text, c.best); got != c.want ||
			!c.want && text != "" {
			t.Errorf("a program for %q on a machine for %q: %q", c.build, c.best, text)
		}
	}
}

// TestSetting relies on go test recording the setting as go build does.
func TestSetting(t *testing.T) {
	key := "GO" + strings.ToUpper(runtime.GOARCH)
	output, err := exec.Command("go", "env", key).Output()
	if err != nil {
		t.Skip(err)
	}
	if want := key + "=" + strings.TrimSpace(string(output)); Setting() != want && want != key+"=" {
		t.Errorf("built by %q, want %q", Setting(), want)
	}
}

// TestBestHasAllOfItsLevel compares with what Linux lists of the processor: all that Go's v3 may
// use, and v3 where it is all there.
func TestBestHasAllOfItsLevel(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		if got := Best(); got != "" {
			t.Errorf("best level %q on %s", got, runtime.GOARCH)
		}
		return
	}
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		t.Skip(err)
	}
	_, flags, _ := strings.Cut(string(text), "flags")
	flags, _, _ = strings.Cut(flags, "\n")
	has := map[string]bool{}
	for _, f := range strings.Fields(flags) {
		has[f] = true
	}
	all := true
	for _, f := range []string{"avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe", "popcnt", "sse4_2"} {
		all = all && has[f]
	}
	if got := Best(); (got == "v3") != all {
		t.Errorf("best level %s, but v3 runs here: %v (%s)", got, all, flags)
	}
}
