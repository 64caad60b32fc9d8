package job

import (
	"cmp"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/fianchetto-chess/fianchetto"
)

// ErrBuild reports another build, whose counts must not be mixed with those of this one.
const ErrBuild fianchetto.Problem = "built from a different version; all programs in a job must be the same build"

// Build identifies the program, by its version or a digest of the executable. Call it before that
// may be replaced.
var Build = sync.OnceValue(func() string {
	version := "(unknown)"
	if info, ok := debug.ReadBuildInfo(); ok {
		if version = info.Main.Version; isClean(info) {
			return version
		}
	}
	digest, err := digestExecutable()
	if err != nil {
		return version + " unreadable:" + rand.Text() // differs from every other
	}
	return version + " sha256:" + digest
})

// isClean reports whether the version identifies the build: no file of a module was changed. One of
// this repository without a version has the files of the stamped commit.
func isClean(info *debug.BuildInfo) bool {
	const devel = "(devel)"
	modified := func(value string) bool {
		return slices.Contains(info.Settings, debug.BuildSetting{Key: "vcs.modified", Value: value})
	}
	changed := func(m *debug.Module) bool {
		stamped := strings.HasPrefix(m.Path+"/", repository) && modified("false")
		return m.Replace != nil || m.Version == devel && !stamped
	}
	main := &info.Main
	return !modified("true") && main.Version != "" && main.Version != devel && !strings.Contains(main.Version, "+dirty") &&
		strings.HasPrefix(main.Path, repository) && !changed(main) && !slices.ContainsFunc(info.Deps, changed)
}

const repository = "github.com/fianchetto-chess/fianchetto/"

// digestExecutable returns half of the SHA-256 of the program.
func digestExecutable() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	program, err := os.ReadFile(path)
	return fmt.Sprintf("%x", sha256.Sum256(program))[:32], err
}

// Owner returns the owner of a worker's results. The name of a worker is "PROCESS/THREAD" or
// "CREDENTIAL:PROCESS/THREAD". Only the credential is verified, by the broker.
func Owner(worker string) string {
	owner, _, _ := strings.Cut(worker, ":")
	return owner
}

// CheckName returns an error if a worker or process with the credential must not use the name.
func CheckName(name, credential string) error {
	const maxClaim = 64 // bytes
	owner, claim, owned := strings.Cut(name, ":")
	if !owned {
		owner, claim = "", name
	}
	switch {
	case claim == "" || len(claim) > maxClaim || strings.ContainsFunc(claim, func(r rune) bool {
		return !unicode.IsPrint(r) || r == utf8.RuneError
	}):
		return fmt.Errorf("the name of a worker, %.*q of %d bytes, is not 1..%d bytes of printable text", maxClaim,
			claim, len(claim), maxClaim)
	case owner != credential || owned && owner == "":
		return fmt.Errorf("%s has the credential %s", name, cmp.Or(credential, "of no name"))
	}
	return nil
}
