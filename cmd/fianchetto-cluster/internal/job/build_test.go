package job

import (
	"runtime/debug"
	"strings"
	"testing"
)

// TestIsClean separates builds that their version identifies from those that may have been changed.
func TestIsClean(t *testing.T) {
	const library, command = "github.com/fianchetto-chess/fianchetto", "github.com/fianchetto-chess/fianchetto/cmd"
	vcs := func(modified string) []debug.BuildSetting {
		return []debug.BuildSetting{{Key: "GOOS", Value: "linux"}, {Key: "vcs.revision", Value: "b04f3001"},
			{Key: "vcs.modified", Value: modified}}
	}
	released := []*debug.Module{{Path: library, Version: "v0.1.0"}, {Path: "example.com/a", Version: "v1.0.0"}}
	workspace := []*debug.Module{{Path: library, Version: "(devel)"}, {Path: "example.com/a", Version: "v1.0.0"}}
	for _, test := range []struct {
		name  string
		path  string // of the main package, below command
		main  debug.Module
		set   []debug.BuildSetting
		deps  []*debug.Module
		clean bool
	}{
		{"go install of a version", "/fianchetto", debug.Module{Path: command, Version: "v0.1.0", Sum: "h1:"}, nil,
			released, true},
		{"a clean checkout", "/fianchetto", debug.Module{Path: command, Version: "v0.1.0"}, vcs("false"), workspace,
			true},
		{"a clean commit", "/fianchetto", debug.Module{Path: command, Version: "v0.0.0-20261122010000-b04f300b04f3"},
			vcs("false"), workspace, true},
		{"a changed checkout", "/fianchetto", debug.Module{Path: command, Version: "v0.1.0+dirty"}, vcs("true"),
			workspace, false},
		{"changed, by the setting alone", "/fianchetto", debug.Module{Path: command, Version: "v0.1.0"}, vcs("true"),
			workspace, false},
		{"no version control", "/fianchetto", debug.Module{Path: command, Version: "(devel)"}, nil, workspace, false},
		{"no version", "/fianchetto", debug.Module{Path: command}, nil, released, false},
		{"a version, and a library of files", "/fianchetto", debug.Module{Path: command, Version: "v0.1.0"}, nil,
			workspace, false},
		{"a module of files elsewhere", "/fianchetto", debug.Module{Path: command, Version: "v0.1.0"}, vcs("false"),
			[]*debug.Module{{Path: "example.com/a", Version: "(devel)"}}, false},
		{"a module replaced", "/fianchetto", debug.Module{Path: command, Version: "v0.1.0"}, vcs("false"),
			[]*debug.Module{{Path: library, Version: "v0.1.0", Replace: &debug.Module{Path: "../"}}}, false},
		{"a tool of another module", "/fianchetto", debug.Module{Path: "example.com/engine", Version: "v1.0.0"},
			vcs("false"), released, false},
	} {
		info := &debug.BuildInfo{Path: command + test.path, Main: test.main, Settings: test.set, Deps: test.deps}
		if got := isClean(info); got != test.clean {
			t.Errorf("%s: clean %v, want %v", test.name, got, test.clean)
		}
	}
}

// TestBuildOfTest finds a digest: test binaries have no version.
func TestBuildOfTest(t *testing.T) {
	digest, err := digestExecutable()
	if err != nil || len(digest) != 32 || !strings.HasSuffix(Build(), " sha256:"+digest) {
		t.Errorf("build %q, digest %q, %v", Build(), digest, err)
	}
}

func TestOwner(t *testing.T) {
	for worker, want := range map[string]string{"host-1/2": "host-1/2", "alpha:host-1/2": "alpha",
		"alpha:x:y/1": "alpha", "": ""} {
		if got := Owner(worker); got != want {
			t.Errorf("%q is owned by %q, want %q", worker, got, want)
		}
	}
}

func TestCheckName(t *testing.T) {
	long := strings.Repeat("n", 64)
	for _, test := range []struct {
		name, credential string
		ok               bool
	}{
		{"host-1/2", "", true},
		{"host-1", "", true},
		{long, "", true},
		{long + "n", "", false},
		{"", "", false},
		{"alpha:host-1/2", "alpha", true},
		{"alpha:" + long, "alpha", true},
		{"alpha:" + long + "n", "alpha", false},
		{"alpha:", "alpha", false},
		{"alpha:host-1/2", "", false},
		{"alpha:host-1/2", "beta", false},
		{"host-1/2", "alpha", false},
		{":host-1/2", "", false},
		{"line\nbreak", "", false},
		{"\x1b[2J", "", false},
		{"\u202eright to left", "", false},
		{"\xff", "", false},
	} {
		err := CheckName(test.name, test.credential)
		if (err == nil) != test.ok {
			t.Errorf("%q with credential %q: %v, want it accepted: %t", test.name, test.credential, err, test.ok)
		}
	}
}
