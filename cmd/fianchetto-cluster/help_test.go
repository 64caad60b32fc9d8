package main

import (
	"os/exec"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli/clitest"
)

func TestHelp(t *testing.T) {
	clitest.CheckHelp(t, newRootCommand())
}

func TestScripts(t *testing.T) { clitest.RunScripts(t) }

func TestExamples(t *testing.T) {
	if testing.Short() {
		t.Skip("some examples wait for seconds")
	}
	clitest.RunExamples(t, newRootCommand())
}

// TestNotices holds the printed licences to the modules that this program links here.
func TestNotices(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}}{{end}}{{end}}").Output()
	if err != nil || !strings.Contains(string(out), "nats") {
		t.Fatalf("%v: %s", err, out)
	}
	_, notices, _ := execute(t, "licenses", "")
	for module := range strings.FieldsSeq(string(out)) {
		if !strings.HasPrefix(module, "github.com/fianchetto-chess/") && !strings.Contains(notices, module) {
			t.Errorf("the licence of %s is missing: go generate makes the list anew", module)
		}
	}
}

// execute runs a command line, of words with spaces between, with a text on stdin.
func execute(t *testing.T, line, stdin string) (code int, stdout, stderr string) {
	return clitest.RunWith(t.Context(), newRootCommand(), stdin, strings.Fields(line)...)
}

func TestMain(m *testing.M) {
	debug.SetGCPercent(collectAt) // as in main, which the commands of tests do not go through
	clitest.Main(m, newRootCommand, map[string]func(){
		"faulty-worker": playFaultyWorker, // a worker with faults
		"node":          playNode,         // a server of a broker that is a cluster
	})
}
