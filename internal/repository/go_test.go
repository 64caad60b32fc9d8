package repository

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// root is the directory of the repository.
const root = "../.."

// goCommand returns a go command to run in a directory. It builds for this machine, whatever the test is built for. Each of the
// settings, like "GOWORK=off", replaces what the environment has.
func goCommand(t *testing.T, directory string, settings []string, arguments ...string) *exec.Cmd {
	t.Helper()
	tool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("no go command: ", err)
	}
	command := exec.Command(tool, arguments...)
	command.Dir = directory
	command.Env = append(append(os.Environ(), "GOOS=", "GOARCH=", "GOFLAGS=", "GOWORK="), settings...)
	return command
}

// output runs a command and returns what it prints.
func output(t *testing.T, command *exec.Cmd) string {
	t.Helper()
	var stderr strings.Builder
	command.Stderr = &stderr
	out, err := command.Output()
	if err != nil {
		t.Fatalf("%v: %v\n%s", command.Args, err, stderr.String())
	}
	return string(out)
}
