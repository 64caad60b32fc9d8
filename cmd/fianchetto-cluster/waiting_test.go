//go:build unix

package main

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/broker"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/exit"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/must"
)

// TestStopsWhileWaiting interrupts commands that wait for what never comes, on stdin, in a pipe, or
// for its other end.
func TestStopsWhileWaiting(t *testing.T) {
	dir := t.TempDir()
	pipe, state := filepath.Join(dir, "pipe"), filepath.Join(dir, "state")
	must.Do(t, syscall.Mkfifo(pipe, 0o600))
	if code, _, text := execute(t, "tasks --depth 3 --state "+state, ""); code != exit.OK {
		t.Fatal(text)
	}
	for line, want := range map[string]int{
		"total --state " + state:              exit.Interrupted,
		"total --state " + state + " " + pipe: exit.Interrupted,
		"leaf --hash 0":                       exit.Interrupted,
		"worker --connect 127.0.0.1:1 --hash 0 --token-file " + pipe:        exit.Interrupted,
		"run --depth 3 --hash 0 --listen 127.0.0.1:0 --token-file " + pipe:  exit.Interrupted,
		"run --depth 3 --hash 0 --listen 127.0.0.1:0 --credentials " + pipe: exit.Interrupted,
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		stdin, _ := io.Pipe()
		var output strings.Builder
		if code := cli.Run(ctx, newRootCommand(), strings.Fields(line), stdin, &output, &output); code != want {
			t.Errorf("%s ended with %d, want %d: %s", line, code, want, output.String())
		}
		cancel()
	}
}

// TestPortInUse holds that a port in use is a failure of the machine, and an invalid address wrong
// usage.
func TestPortInUse(t *testing.T) {
	listener := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	defer listener.Close()
	t.Setenv(tokenVariable, "secret")
	for _, flags := range []string{" --http ", " --listen "} {
		code, _, text := execute(t, "run --depth 3 --hash 0"+flags+listener.Addr().String(), "")
		if code != exit.Failed || !strings.Contains(text, "address already in use") {
			t.Errorf("%s: exit code %d, %s", flags, code, text)
		}
	}
}

// TestFailedWritesAreReported has commands print to a disk that is full.
func TestFailedWritesAreReported(t *testing.T) {
	state := " --state " + t.TempDir()
	reader, stdout := io.Pipe()
	reader.CloseWithError(errors.New("no space left"))
	for _, line := range []string{
		"run --depth 3 --hash 0" + state, "run --depth 3 --hash 0 --json", "status" + state, "export" + state,
		"total" + state + " " + os.DevNull, "tasks --depth 3" + state + "-new",
	} {
		var text strings.Builder
		code := cli.Run(t.Context(), newRootCommand(), strings.Fields(line), nil, stdout, &text)
		if code != exit.Failed || strings.Count(text.String(), "no space left") != 1 {
			t.Errorf("%s: exit code %d, %q, want the cause once", line, code, text.String())
		}
	}
}

// write writes a file of a test and returns its path.
func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	must.Do(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

// TestTokens reads tokens from flags, files and the environment. It refuses a file that other users
// can read, and short tokens at addresses that others can reach.
func TestTokens(t *testing.T) {
	file, named := write(t, "token", "from-file\n"), write(t, "named", "alpha own\n")
	open, short := write(t, "open", "0123456789abcdef"), write(t, "short", "0123456789abcde")
	must.Do(t, os.Chmod(open, 0o644))
	shared := func(token string) []broker.Credential { return []broker.Credential{{Token: token}} }
	alpha, fifteen := []broker.Credential{{Name: "alpha", Token: "own"}}, shared("0123456789abcde")
	for _, test := range []struct {
		flags    brokerFlags
		variable string
		want     []broker.Credential
		problem  string
	}{
		{brokerFlags{}, "", nil, ""},
		{brokerFlags{}, "from-variable", shared("from-variable"), ""},
		{brokerFlags{}, "alpha own", alpha, ""},
		{brokerFlags{tokenFile: file}, "from-variable", shared("from-file"), ""},
		{brokerFlags{token: "from-flag"}, "from-variable", shared("from-flag"), ""},
		{brokerFlags{tokenFile: named}, "", alpha, ""},
		{brokerFlags{tokenFile: open, access: broker.Options{Connect: "localhost:1"}}, "", nil, "chmod 600 " + open},
		{brokerFlags{tokenFile: short, access: broker.Options{Listen: "0.0.0.0:4222"}}, "", nil, "a token of 15 bytes is too short"},
		{brokerFlags{tokenFile: short, access: broker.Options{Listen: "127.0.0.1:4222"}}, "", fifteen, ""},
		{brokerFlags{tokenFile: short, access: broker.Options{Connect: "192.0.2.1:4222"}}, "", fifteen, ""},
	} {
		t.Setenv(tokenVariable, test.variable)
		got, err := test.flags.credentials(t.Context())
		if test.problem == "" && (err != nil || !slices.Equal(got, test.want)) ||
			test.problem != "" && (err == nil || !strings.Contains(err.Error(), test.problem)) {
			t.Errorf("%+v, %q: %+v, %v, want %+v, %q", test.flags, test.variable, got, err, test.want, test.problem)
		}
	}
}

// TestLocalToken has a run and its workers use the token of this user: those with another do not
// get in, and no other user can read it.
func TestLocalToken(t *testing.T) {
	cache := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	t.Setenv("HOME", cache)
	t.Setenv(tokenVariable, "")
	run, address := startRun(t, faultJob("run", "--listen", "127.0.0.1:0")...)
	path, text, err := localToken()
	if info, failed := os.Stat(path); err != nil || failed != nil || info.Mode().Perm() != 0o600 || len(text) < 20 {
		t.Fatalf("%s: %v, %v, %v, want it for this user only", path, info, err, failed)
	}
	guesser := startProcess(t, "fianchetto-cluster", "worker", "--hash", "0", "--connect", address, "--token", "guess")
	guesser.WantExit(exit.Usage, "")
	guesser.Await("refused the token")
	worker := startProcess(t, "fianchetto-cluster", "worker", "--hash", "0", "--connect",
		strings.TrimPrefix(address, "nats://"))
	run.WantExit(exit.OK, faultTotal)
	if strings.Contains(run.Text()+run.results.String()+worker.Text(), text) {
		t.Error("the token was printed")
	}
}

// TestIdleWorker has a worker wait for a broker that never answers: it ends when --idle wants it
// to.
func TestIdleWorker(t *testing.T) {
	t.Parallel()
	silent := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	defer silent.Close()
	begin := time.Now()
	code, _, _ := execute(t, "worker --token secret --hash 0 --idle 500ms --connect "+silent.Addr().String(), "")
	if took := time.Since(begin); code != exit.Failed || took < time.Second/2 {
		t.Errorf("exit code %d after %v, want %d after 500ms", code, took, exit.Failed)
	}
}

// TestImpatientWorker has the broker of workers go for good: they report that, and --idle or
// --patience ends them.
func TestImpatientWorker(t *testing.T) {
	t.Parallel()
	run, address := startRun(t, faultJob("run", "--listen", "127.0.0.1:0")...)
	busy := startWorkers(t, 1, address, "1h")
	busy.Await(` begins`)
	worker := []string{"worker", "--hash", "0", "--connect", address, "--threads", "1"}
	idle := startProcess(t, "fianchetto-cluster", append(worker, "--idle", "1s")...)
	impatient := startProcess(t, "fianchetto-cluster", append(worker, "--patience", "1s")...)
	idle.Await(`connected`)
	impatient.Await(`connected`)
	run.Kill()
	impatient.WantExit(exit.Failed, "")
	impatient.Await(`lost the connection to the broker`)
	impatient.Await(`the broker failed: no answer for `)
	idle.AwaitExit()
}

// TestReadmit changes the file of the credentials while a run goes on: an unusable one changes
// nothing.
func TestReadmit(t *testing.T) {
	t.Parallel()
	path := write(t, "credentials", "alpha a\nbeta b\n")
	r := program{brokerFlags: brokerFlags{tokenFile: path, access: broker.Options{Listen: "127.0.0.1:0"}}}
	r.access.Credentials = must.Get(r.brokerFlags.credentials(t.Context()))(t)
	r.broker = must.Get(broker.Open(t.Context(), r.access))(t)
	defer r.broker.Close()
	reader, notices := io.Pipe()
	defer reader.Close()
	r.view = newView(notices)
	go r.readmit(t.Context())
	lines := bufio.NewScanner(reader)
	for _, change := range []struct{ text, notice string }{
		{"gamma new new", "stay as they were: " + path + ": line 1"}, {"gamma new", "reloaded " + path},
	} {
		must.Do(t, os.Rename(write(t, "new", change.text), path)) // at once, so that no half is read
		if !lines.Scan() || !strings.Contains(lines.Text(), change.notice) {
			t.Errorf("notice %q, want %q", lines.Text(), change.notice)
		}
	}
	if names := r.broker.Credentials(); !slices.Equal(names, []string{"gamma"}) {
		t.Errorf("admitted %q", names)
	}
}
