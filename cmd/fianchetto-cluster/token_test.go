//go:build unix

package main

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/broker"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/exit"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/must"
)

// write writes a file of a test and returns its path.
func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	must.Do(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

func TestTokens(t *testing.T) {
	file, named := write(t, "token", "from-file\n"), write(t, "named", "alpha own\n")
	for _, test := range []struct {
		flags    brokerFlags
		variable string
		want     broker.Credential
	}{
		{brokerFlags{}, "", broker.Credential{}},
		{brokerFlags{}, "from-variable", broker.Credential{Token: "from-variable"}},
		{brokerFlags{}, "alpha own", broker.Credential{Name: "alpha", Token: "own"}},
		{brokerFlags{tokenFile: file}, "from-variable", broker.Credential{Token: "from-file"}},
		{brokerFlags{tokenFile: named}, "", broker.Credential{Name: "alpha", Token: "own"}},
		{brokerFlags{token: "from-flag"}, "from-variable", broker.Credential{Token: "from-flag"}},
	} {
		t.Setenv(tokenVariable, test.variable)
		if got, err := test.flags.readToken(t.Context()); got != test.want || err != nil {
			t.Errorf("%+v, %q: %+v, %v, want %+v", test.flags, test.variable, got, err, test.want)
		}
	}
}

// TestLocalToken has a run make its own token: workers on the same machine find it, those with
// another do not get in, no other user else can read it, and it goes with the run.
func TestLocalToken(t *testing.T) {
	cache := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	t.Setenv("HOME", cache)
	t.Setenv(tokenVariable, "")
	stale := filepath.Join(cache, "fianchetto", "token-"+freePorts(t, 1)[0])
	must.Do(t, os.MkdirAll(filepath.Dir(stale), 0o700))
	must.Do(t, os.WriteFile(stale, []byte("of-a-run-that-was-killed"), 0o600))

	run, address := startRun(t, faultJob("run", "--listen", "127.0.0.1:0")...)
	path := run.Await(`the token of this run is in (\S+)\n`)
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 || filepath.Dir(path) != filepath.Dir(stale) {
		t.Fatalf("%s: %v, %v, want it for this user only, beside %s", path, info, err, stale)
	}
	if _, err := os.Stat(stale); !os.IsNotExist(err) {
		t.Errorf("the token of a run that was killed: %v, want it gone", err)
	}
	token, err := os.ReadFile(path)
	if err != nil || len(token) < 20 {
		t.Fatalf("token %q, %v", token, err)
	}
	guesser := startProcess(t, "fianchetto-cluster", "worker", "--hash", "0", "--connect", address, "--token", "guess")
	guesser.WantExit(exit.Usage, "")
	guesser.Await("refused the token")
	worker := startProcess(t, "fianchetto-cluster", "worker", "--hash", "0", "--connect",
		strings.TrimPrefix(address, "nats://"))
	run.WantExit(exit.OK, faultTotal)
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("%s after the run: %v, want it gone", path, err)
	}
	if strings.Contains(run.Text()+run.Results()+worker.Text(), strings.TrimSpace(string(token))) {
		t.Error("the token was printed")
	}
}

// TestIdleWorker has a worker wait for a broker that never comes, and for one that never answers:
// it ends when --idle wants it to.
func TestIdleWorker(t *testing.T) {
	t.Parallel()
	silent := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	defer silent.Close()
	const idle = 500 * time.Millisecond
	for _, address := range []string{"127.0.0.1:" + freePorts(t, 1)[0], silent.Addr().String()} {
		begin := time.Now()
		code, _, _ := execute(t, "worker --hash 0 --idle "+idle.String()+" --connect "+address, "")
		if took := time.Since(begin); code != exit.Failed || took < idle {
			t.Errorf("%s: exit code %d after %v, want %d after %v", address, code, took, exit.Failed, idle)
		}
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
	workers := must.Get(readTokens(t.Context(), path, broker.ParseCredentials))(t)
	b := must.Get(broker.Open(t.Context(), broker.Options{Listen: "127.0.0.1:0", Workers: workers}))(t)
	defer b.Close()
	f := &brokerFlags{credentials: path}
	notices := make(chan string, 10)
	go f.readmit(t.Context(), b, func(text string) { notices <- text })
	for _, change := range []struct{ text, notice string }{
		{"gamma", "stay as they were: " + path + ": line 1"}, {"gamma new", "may join now who are in " + path},
	} {
		must.Do(t, os.WriteFile(path, []byte(change.text), 0o600))
		if text := <-notices; !strings.Contains(text, change.notice) {
			t.Errorf("notice %q, want %q", text, change.notice)
		}
	}
	gamma := func() (broker.Credential, error) { return broker.Credential{Name: "gamma", Token: "new"}, nil }
	worker := broker.Options{Connect: b.Address(), Worker: true, Credential: gamma}
	must.Get(broker.Open(t.Context(), worker))(t).Close()
}
