package main

import (
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli/clitest"
	"github.com/fianchetto-chess/fianchetto/internal/must"
)

func TestHelp(t *testing.T) { clitest.CheckHelp(t, newRootCommand()) }

func TestScripts(t *testing.T) { clitest.RunScripts(t) }

func TestExamples(t *testing.T) {
	if testing.Short() {
		t.Skip("some examples wait for seconds")
	}
	clitest.RunExamples(t, newRootCommand())
}

// execute runs a command line, of words with spaces between, with a text on stdin.
func execute(t *testing.T, line, stdin string) (code int, stdout, stderr string) {
	return clitest.RunWith(t.Context(), newRootCommand(), stdin, strings.Fields(line)...)
}

func TestMain(m *testing.M) {
	clitest.Main(m, map[string]func(){
		"fianchetto-cluster": main,
		"slow-worker":        playSlowWorker, // a worker that takes its time
		"node":               playNode,       // a server of a broker that is a cluster
	})
}

// TestDeployedCommands holds the command lines in deploy to commands and flags of this program, and
// of nats-server.
func TestDeployedCommands(t *testing.T) {
	variable := regexp.MustCompile(`\$\{\w+:?-?([^}]*)\}|\$\(\w+\)`)
	lists := regexp.MustCompile(`(?s)(?:command|args): (\[.*?\])`)
	words := regexp.MustCompile(`"([^"]*)"|[^][,\s"]+`)
	for name, want := range map[string]int{"compose.yaml": 5, "kubernetes.yaml": 2} {
		text := variable.ReplaceAllString(string(must.Get(os.ReadFile("deploy/"+name))(t)), "$1")
		found := lists.FindAllStringSubmatch(text, -1)
		for _, list := range found {
			var args []string
			for _, word := range words.FindAllString(list[1], -1) {
				args = append(args, strings.Trim(word, `"`))
			}
			checkCommand(t, name, args)
		}
		if len(found) != want {
			t.Errorf("%s: %d commands, want %d", name, len(found), want)
		}
	}
	unit := string(must.Get(os.ReadFile("deploy/fianchetto-worker.service"))(t))
	for _, line := range regexp.MustCompile(`(?m)^ExecStart=\S*fianchetto-cluster (.*)$`).FindAllStringSubmatch(unit, -1) {
		checkCommand(t, "fianchetto-worker.service", strings.Fields(line[1]))
	}
}

// checkCommand fails the test unless a program has the command and the flags.
func checkCommand(t *testing.T, name string, args []string) {
	t.Helper()
	var err error
	if strings.HasPrefix(args[0], "-") {
		var o *server.Options
		o, err = server.ConfigureOptions(flag.NewFlagSet(name, flag.ContinueOnError), args, nil, nil, nil)
		server.FlagSnapshot = nil // servers of other tests would take it for their flags
		if err == nil && (!o.JetStream || len(o.Routes) != 3) {
			t.Errorf("%s: %v: no cluster with JetStream", name, args)
		}
	} else {
		cmd, rest, failure := newRootCommand().Find(args)
		if err = failure; err == nil && !cmd.HasParent() {
			t.Errorf("%s: %v: no such command", name, args)
		}
		if err == nil {
			err = cmd.ParseFlags(rest)
		}
	}
	if err != nil {
		t.Errorf("%s: %v: %v", name, args, err)
	}
}
