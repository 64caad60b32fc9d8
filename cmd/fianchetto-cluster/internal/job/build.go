package job

import (
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"github.com/fianchetto-chess/fianchetto"
)

// ErrBuild reports a different build, because its counts must not be mixed with those of this one.
const ErrBuild fianchetto.Problem = "built from a different version; all programs in a job must be the same build"

// Build identifies the running program. For a build of a released version or a clean commit it is
// the version. For any other build it is a digest of the executable, which is equal only for the
// same source built with the same options.
//
// The first call may read the executable, about 30 MB. Long-running programs should call Build at
// the start, because some systems let the file be replaced while the program runs.
var Build = sync.OnceValue(func() string {
	version := "(unknown)"
	if info, ok := debug.ReadBuildInfo(); ok {
		if isClean(info) {
			return info.Main.Version
		}
		version = info.Main.Version
	}
	digest, err := digestExecutable()
	if err != nil {
		return version + " unreadable:" + rand.Text() // differs from every other
	}
	return version + " sha256:" + digest
})

// isClean reports whether the version of the main module identifies the build: the program is the
// module's own command, and no file of it or of a required module was changed. In a workspace the
// library comes from the same repository.
func isClean(info *debug.BuildInfo) bool {
	main := &info.Main
	modified := slices.Contains(info.Settings, debug.BuildSetting{Key: "vcs.modified", Value: "true"})
	unmodified := slices.Contains(info.Settings, debug.BuildSetting{Key: "vcs.modified", Value: "false"})
	if main.Version == "" || main.Version == devel || strings.Contains(main.Version, "+dirty") || modified ||
		main.Replace != nil || !isWithin(info.Path, main.Path) {
		return false
	}
	return !slices.ContainsFunc(info.Deps, func(d *debug.Module) bool {
		sameRepository := unmodified && isWithin(main.Path, d.Path)
		return d.Replace != nil || d.Version == devel && !sameRepository
	})
}

// devel is the version of a build without version control.
const devel = "(devel)"

// isWithin reports whether path is module or below it.
func isWithin(path, module string) bool {
	return path == module || strings.HasPrefix(path, module+"/")
}

// digestExecutable returns the first half of the SHA-256 of the running program, in hexadecimal.
func digestExecutable() (string, error) {
	path := "/proc/self/exe" // the running program, even if its file was replaced
	if runtime.GOOS != "linux" {
		var err error
		if path, err = os.Executable(); err != nil {
			return "", err
		}
	}
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	h := sha256.New()
	if _, err := io.Copy(h, file); err != nil {
		return "", err
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:16]), nil
}

// The name of a worker is "PROCESS/THREAD" or, with a credential, "CREDENTIAL:PROCESS/THREAD". The
// broker verifies the credential. The rest is the worker's claim.

const (
	maxClaim = 64 // the bytes of PROCESS/THREAD
	maxName  = 32 + len(":") + maxClaim
)

// Owner returns the owner of a worker's results: its credential, if it has one. Workers with the
// same credential count as one worker in verification, because they may claim any names.
func Owner(worker string) string {
	owner, _, _ := strings.Cut(worker, ":")
	return owner
}

// CheckName returns an error if a worker or process with the given credential must not use the
// name.
func CheckName(name, credential string) error {
	owner, claim, owned := strings.Cut(name, ":")
	if !owned {
		owner, claim = "", name
	}
	switch {
	case claim == "" || len(claim) > maxClaim || !printable(claim):
		return fmt.Errorf("the name of a worker, %.*q of %d bytes, is not 1..%d bytes of printable text", maxClaim,
			claim, len(claim), maxClaim)
	case owned && credential == "":
		return fmt.Errorf("%s claims a credential without one", name)
	case owner != credential:
		return fmt.Errorf("%s has the credential %s", name, credential)
	}
	return nil
}
