package job

import (
	"runtime/debug"
	"sync"
)

// Build names the program that runs: the module's version and the commit, as far as the build recorded them.
var Build = sync.OnceValue(func() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "(unknown)"
	}
	build := info.Main.Version
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			build += " " + s.Value[:min(12, len(s.Value))]
		case s.Key == "vcs.modified" && s.Value == "true":
			build += " modified"
		}
	}
	return build
})
