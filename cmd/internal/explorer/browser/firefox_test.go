package browser

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// A firefox is driven by Marionette, its own protocol: lists in JSON, each after its length and a colon.
type firefox struct {
	testing.TB
	conn   net.Conn
	reader *bufio.Reader
	sent   int
}

// startFirefox starts a headless Firefox with a profile of its own; it skips the test if there is none here.
func startFirefox(t *testing.T) *firefox {
	path, err := exec.LookPath("firefox-esr")
	if err != nil {
		if path, err = exec.LookPath("firefox"); err != nil {
			t.Skip("no firefox here (Debian: firefox-esr)")
		}
	}
	profile := t.TempDir()
	preferences := "user_pref(\"marionette.port\", 0);\nuser_pref(\"app.update.enabled\", false);\n"
	if err := os.WriteFile(filepath.Join(profile, "user.js"), []byte(preferences), 0o644); err != nil {
		t.Fatal(err)
	}
	program := exec.Command(path, "--marionette", "--headless", "--no-remote", "--profile", profile)
	program.Env = append(os.Environ(), "HOME="+profile)
	if err := program.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		program.Process.Kill()
		program.Wait()
	})
	f := &firefox{TB: t}
	for end := time.Now().Add(patience); f.conn == nil; time.Sleep(20 * time.Millisecond) {
		// Firefox writes the port that it listens on into its profile.
		if port, err := os.ReadFile(filepath.Join(profile, "MarionetteActivePort")); err == nil && len(port) > 0 {
			f.conn, _ = net.Dial("tcp", "127.0.0.1:"+string(port))
		}
		if time.Now().After(end) {
			t.Fatal("firefox does not listen")
		}
	}
	t.Cleanup(func() { f.conn.Close() })
	f.reader = bufio.NewReader(f.conn)
	f.receive() // it introduces itself
	f.call("WebDriver:NewSession", map[string]any{})
	f.call("WebDriver:SetTimeouts", map[string]any{"script": patience.Milliseconds()})
	return f
}

func (f *firefox) receive() []byte {
	f.Helper()
	length, err := f.reader.ReadString(':')
	if err != nil {
		f.Fatal(err)
	}
	n, err := strconv.Atoi(strings.TrimSuffix(length, ":"))
	if err != nil {
		f.Fatal(err)
	}
	message := make([]byte, n)
	if _, err := io.ReadFull(f.reader, message); err != nil {
		f.Fatal(err)
	}
	return message
}

// call sends a command and returns its result.
func (f *firefox) call(command string, parameters any) json.RawMessage {
	f.Helper()
	f.sent++
	message, err := json.Marshal([]any{0, f.sent, command, parameters})
	if err != nil {
		f.Fatal(err)
	}
	fmt.Fprintf(f.conn, "%d:%s", len(message), message)
	var answer [4]json.RawMessage
	if err := json.Unmarshal(f.receive(), &answer); err != nil || string(answer[2]) != "null" {
		f.Fatalf("%s %v: %s, %v", command, parameters, answer[2], err)
	}
	return answer[3]
}

// run returns the value of an expression of JavaScript as JSON, of a promise when it is there.
func (f *firefox) run(expression string) string {
	f.Helper()
	var result struct{ Value json.RawMessage }
	answer := f.call("WebDriver:ExecuteScript", map[string]any{"script": "return (" + expression + ")", "args": []any{}})
	if err := json.Unmarshal(answer, &result); err != nil {
		f.Fatal(err)
	}
	return string(result.Value)
}

func (f *firefox) eventually(expression string) {
	f.Helper()
	for end := time.Now().Add(patience); f.run("Boolean("+expression+")") != "true"; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			f.Fatalf("never true in Firefox: %s\n%s", expression, f.run("location.href + document.body.innerText"))
		}
	}
}

func (f *firefox) open(backend, state string) {
	f.Helper()
	f.call("WebDriver:Navigate", map[string]any{"url": "about:blank"})
	f.call("WebDriver:Navigate", map[string]any{"url": addresses[backend] + state})
	f.eventually(`document.querySelector(".board .square[aria-label]") &&
		document.querySelector(".panel").innerText.trim().length > 40`)
}

// TestFirefox goes through pages in Firefox: each is drawn and fits. It drags a piece, counts,
// and lets WebAssembly answer.
func TestFirefox(t *testing.T) {
	t.Parallel()
	f := startFirefox(t)
	f.call("WebDriver:SetWindowRect", map[string]any{"width": 1280, "height": 900})
	for _, name := range []string{"position", "learn", "cross", "sliders"} {
		f.open("http", states[name])
		if fault := f.run(faultyButtons); fault != "[]" {
			t.Errorf("%s: %s", name, fault)
		}
		if wide := f.run("document.documentElement.scrollWidth > innerWidth"); wide != "false" {
			t.Errorf("%s is cut off at the right", name)
		}
		if covered := f.run(coveredButtons); covered != `""` {
			t.Errorf("%s: buttons that cover each other: %s", name, covered)
		}
	}
	f.open("wasm", "#view=perft")
	f.run(`[...document.querySelectorAll("button")].find((b) => b.innerText === "Count").click()`)
	f.eventually(`document.querySelector(".panel").innerText.includes("8,902 leaves at depth 3")`)
	f.open("wasm", "")
	f.eventually(`document.querySelector(".panel").innerText.includes("20 legal moves")`)
	move := func(square int) map[string]any {
		var at []float64
		if err := json.Unmarshal([]byte(f.run(fmt.Sprintf(`(() => {
			const r = document.querySelector('.board [data-square="%d"]').getBoundingClientRect();
			return [Math.round(r.x + r.width / 2), Math.round(r.y + r.height / 2)];
		})()`, square))), &at); err != nil {
			t.Fatal(err)
		}
		return map[string]any{"type": "pointerMove", "duration": 20, "x": at[0], "y": at[1]}
	}
	f.call("WebDriver:PerformActions", map[string]any{"actions": []any{map[string]any{"type": "pointer", "id": "mouse",
		"actions": []any{move(12), map[string]any{"type": "pointerDown", "button": 0}, move(20), move(28),
			map[string]any{"type": "pointerUp", "button": 0}}}}})
	f.eventually(`location.hash.includes("e2e4")`)
	f.eventually(`document.getElementById("status").innerText.startsWith("1. e4, Black to move")`)
}
