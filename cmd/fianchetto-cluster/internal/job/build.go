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
	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

// ErrBuild reports that something is of another build, whose counts must not be mixed with this
// one's.
const ErrBuild fianchetto.Problem = "of another build: all programs of a job must be of one"

// Build identifies the program that runs. If it was built from a released version or a clean
// commit, that is the version, on whatever system. Else, for a program that was changed, or of
// which the build recorded no version, it is a digest of the executable: only the same file, or one
// built from the same source with the same options, has the same.
//
// The first call reads the executable, some 30 MB, if it must. Programs that go on for long call
// Build when they begin, because the file may be replaced on systems that do not keep the one that
// runs.
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
		return version + " unreadable:" + rand.Text() // equal to no other
	}
	return version + " sha256:" + digest
})

// CheckBuild returns ErrBuild, naming what is of a build and both builds, unless it is of this one.
func CheckBuild(what, build string) error {
	if build == Build() {
		return nil
	}
	return fmt.Errorf("%w: %s is of build %s, this is build %q", ErrBuild, what, quote.Text(build, 0), Build())
}

// isClean reports whether the version of the main module identifies a build: what was built is the
// module's own command, no file was changed, and neither was any module that it requires. In a
// workspace the library is built from the same repository.
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

// devel is the version of what was built from files that no version control vouches for.
const devel = "(devel)"

// isWithin reports whether a package or module path is that of a module or below it.
func isWithin(path, module string) bool {
	return path == module || strings.HasPrefix(path, module+"/")
}

// digestExecutable returns the first half of the SHA-256 of the program that runs, in hexadecimal.
func digestExecutable() (string, error) {
	path := "/proc/self/exe" // the program that runs, even if its file was replaced
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

// The name of a worker is "PROCESS/THREAD", and "CREDENTIAL:PROCESS/THREAD" if it has a credential
// of its own. The broker vouches for the credential; what is behind it is what the worker claims.

const (
	maxClaim = 64 // bytes of PROCESS/THREAD
	maxName  = 32 + len(":") + maxClaim
)

// Owner returns who answers for the results of a worker: its credential, if it has one. Workers of
// one credential count as one where a task must be counted by another worker, for they may claim
// any names.
func Owner(worker string) string {
	owner, _, _ := strings.Cut(worker, ":")
	return owner
}

// CheckName returns why a worker, or a process, with a credential must not have a name, nil if it
// may.
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
