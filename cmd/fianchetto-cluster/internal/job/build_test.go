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
	version := debug.Module{Path: command, Version: "v0.1.0"}
	for _, test := range []struct {
		name  string
		main  debug.Module
		set   []debug.BuildSetting
		deps  []*debug.Module
		clean bool
	}{
		{"go install of a version", debug.Module{Path: command, Version: "v0.1.0", Sum: "h1:"}, nil, released, true},
		{"a clean checkout", version, vcs("false"), workspace, true},
		{"a clean commit", debug.Module{Path: command, Version: "v0.0.0-20261122010000-b04f300b04f3"}, vcs("false"), workspace, true},
		{"a changed checkout", debug.Module{Path: command, Version: "v0.1.0+dirty"}, vcs("true"), workspace, false},
		{"changed, by the setting alone", version, vcs("true"), workspace, false},
		{"no version control", debug.Module{Path: command, Version: "(devel)"}, nil, workspace, false},
		{"no version", debug.Module{Path: command}, nil, released, false},
		{"a version, and a library of files", version, nil, workspace, false},
		{"a module of files elsewhere", version, vcs("false"), []*debug.Module{{Path: "example.com/a", Version: "(devel)"}}, false},
		{"a module replaced", version, vcs("false"), []*debug.Module{{Path: library, Version: "v0.1.0", Replace: &debug.Module{Path: "../"}}}, false},
		{"a tool of another module", debug.Module{Path: "example.com/engine", Version: "v1.0.0"}, vcs("false"), released, false},
	} {
		info := &debug.BuildInfo{Path: command + "/fianchetto", Main: test.main, Settings: test.set, Deps: test.deps}
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

// TestNames reads the owner of a name, and holds which names a credential may use.
func TestNames(t *testing.T) {
	long := strings.Repeat("n", 64)
	for _, test := range []struct{ name, credential, owner string }{
		{"host-1/2", "", "host-1/2"}, {"host-1", "", "host-1"}, {long, "", long}, {"alpha:host-1/2", "alpha", "alpha"},
		{"alpha:" + long, "alpha", "alpha"}, {"alpha:x:y/1", "alpha", "alpha"},
	} {
		if err := CheckName(test.name, test.credential); err != nil || Owner(test.name) != test.owner {
			t.Errorf("%+v: owned by %q, %v", test, Owner(test.name), err)
		}
	}
	for name, credential := range map[string]string{long + "n": "", "": "", "alpha:" + long + "n": "alpha", "alpha:": "alpha",
		"alpha:host-1/2": "", "alpha:host-1/3": "beta", "host-1/2": "alpha", ":host-1/2": "", "line\nbreak": "", "\x1b[2J": "",
		"\u202eright to left": "", "\xff": ""} {
		if CheckName(name, credential) == nil {
			t.Errorf("%q is accepted with credential %q", name, credential)
		}
	}
}
