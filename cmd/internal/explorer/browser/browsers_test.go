package browser

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/fianchetto-chess/fianchetto/internal/must"
)

// driver drives a browser by the commands of WebDriver.
type driver struct {
	testing.TB
	send func(command string, parameters any) (answer []byte, err error)
}

// start starts a program that ends with the test. Without the program it skips the test.
func start(t *testing.T, hint string, command *exec.Cmd) io.Reader {
	t.Helper()
	if command.Err != nil {
		t.Skipf("no %s here (Debian: %s)", filepath.Base(command.Path), hint)
	}
	out := must.Get(command.StdoutPipe())(t)
	must.Do(t, command.Start())
	t.Cleanup(func() {
		command.Process.Kill()
		command.Wait()
	})
	return out
}

// wait waits until look succeeds.
func wait[T any](t *testing.T, what string, look func() (T, error)) T {
	t.Helper()
	for end := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		found, err := look()
		if err == nil {
			return found
		}
		if time.Now().After(end) {
			t.Fatalf("no %s: %v", what, err)
		}
	}
}

// startFirefox starts a headless Firefox. Its protocol, Marionette, sends lists in JSON, each after
// its length and a colon.
func startFirefox(t *testing.T) *driver {
	profile := t.TempDir()
	preferences := "user_pref(\"marionette.port\", 0);\nuser_pref(\"app.update.enabled\", false);\n"
	must.Do(t, os.WriteFile(filepath.Join(profile, "user.js"), []byte(preferences), 0o644))
	program := exec.Command("firefox-esr", "--marionette", "--headless", "--no-remote", "--profile", profile)
	program.Env = append(os.Environ(), "HOME="+profile)
	start(t, "firefox-esr", program)
	conn := wait(t, "port of Firefox", func() (net.Conn, error) {
		// Firefox writes the port that it listens on into its profile.
		port, err := os.ReadFile(filepath.Join(profile, "MarionetteActivePort"))
		if err != nil {
			return nil, err
		}
		return net.Dial("tcp", "127.0.0.1:"+string(port))
	})
	t.Cleanup(func() { conn.Close() })
	reader := bufio.NewReader(conn)
	receive := func() ([]byte, error) {
		var length int
		if _, err := fmt.Fscanf(reader, "%d:", &length); err != nil {
			return nil, err
		}
		message := make([]byte, length)
		_, err := io.ReadFull(reader, message)
		return message, err
	}
	must.Get(receive())(t) // it introduces itself
	f := &driver{t, func(command string, parameters any) ([]byte, error) {
		message, err := json.Marshal([]any{0, 1, "WebDriver:" + command, parameters})
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(conn, "%d:%s", len(message), message)
		var answer [4]json.RawMessage
		if message, err = receive(); err == nil {
			err = json.Unmarshal(message, &answer)
		}
		if err == nil && string(answer[2]) != "null" {
			err = fmt.Errorf("%s", answer[2])
		}
		return answer[3], err
	}}
	f.call("NewSession", map[string]any{})
	return f
}

// startWebKit starts the browser of WebKitGTK on a virtual screen.
func startWebKit(t *testing.T) *driver {
	screen := exec.Command("Xvfb", "-displayfd", "1", "-screen", "0", "1400x1000x24", "-nolisten", "tcp")
	var display int
	must.Get(fmt.Fscan(start(t, "xvfb", screen), &display))(t)
	free := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	free.Close()
	_, port, _ := net.SplitHostPort(free.Addr().String())
	program := exec.Command("WebKitWebDriver", "--port="+port)
	program.Env = append(os.Environ(), fmt.Sprintf("DISPLAY=:%d", display), "GDK_BACKEND=x11", "HOME="+t.TempDir())
	start(t, "webkit2gtk-driver", program)
	session := ""
	paths := map[string]string{"NewSession": "", "Navigate": "/url", "SetWindowRect": "/window/rect",
		"ExecuteScript": "/execute/sync", "PerformActions": "/actions"}
	w := &driver{t, func(command string, parameters any) ([]byte, error) {
		body, err := json.Marshal(parameters)
		if err != nil {
			return nil, err
		}
		response, err := http.Post("http://127.0.0.1:"+port+"/session"+session+paths[command], "application/json",
			bytes.NewReader(body))
		if err != nil {
			return nil, err
		}
		defer response.Body.Close()
		answer, err := io.ReadAll(response.Body)
		if err == nil && response.StatusCode != http.StatusOK {
			err = fmt.Errorf("%s", answer)
		}
		return answer, err
	}}
	var opened struct{ Value struct{ SessionID string } }
	answer := wait(t, "session of WebKit", func() ([]byte, error) {
		return w.send("NewSession", map[string]any{"capabilities": map[string]any{}})
	})
	must.Do(t, json.Unmarshal(answer, &opened))
	session = "/" + opened.Value.SessionID
	t.Cleanup(func() {
		if request, err := http.NewRequest(http.MethodDelete, "http://127.0.0.1:"+port+"/session"+session, nil); err == nil {
			http.DefaultClient.Do(request) // the driver ends its browser
		}
	})
	return w
}

func (d *driver) call(command string, parameters any) []byte {
	d.Helper()
	answer, err := d.send(command, parameters)
	if err != nil {
		d.Fatalf("%s %v: %v", command, parameters, err)
	}
	return answer
}

// run returns the value of an expression of JavaScript as JSON.
func (d *driver) run(expression string) string {
	d.Helper()
	var result struct{ Value json.RawMessage }
	answer := d.call("ExecuteScript", map[string]any{"script": "return (" + expression + ")", "args": []any{}})
	must.Do(d, json.Unmarshal(answer, &result))
	return string(result.Value)
}

func (d *driver) eventually(expression string) {
	d.Helper()
	for end := time.Now().Add(patience); d.run("Boolean("+expression+")") != "true"; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			d.Fatalf("never true: %s\n%s", expression, d.run("location.href + document.body.innerText"))
		}
	}
}

func (d *driver) open(backend, state string) {
	d.Helper()
	d.call("Navigate", map[string]any{"url": "about:blank"})
	d.call("Navigate", map[string]any{"url": addresses[backend] + state})
	d.eventually(`document.querySelector(".cards, .board .square[aria-label]") &&
		document.querySelector(".cards, .panel").innerText.trim().length > 40`)
}

// TestOtherBrowsers opens pages in Firefox and in WebKit and checks that each fits. It drags a
// piece and counts with WebAssembly.
func TestOtherBrowsers(t *testing.T) {
	t.Parallel()
	for name, start := range map[string]func(*testing.T) *driver{"firefox": startFirefox, "webkit": startWebKit} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			start(t).smoke()
		})
	}
}

func (d *driver) smoke() {
	d.call("SetWindowRect", map[string]any{"width": 1280, "height": 900})
	for _, name := range []string{"start", "position", "finding", "learn", "cross", "sliders"} {
		d.open("http", states[name])
		if fault := d.run(check("faultyButtons()")); fault != "[]" {
			d.Errorf("%s: %s", name, fault)
		}
		if wide := d.run("document.documentElement.scrollWidth > innerWidth"); wide != "false" {
			d.Errorf("%s is cut off at the right", name)
		}
		if covered := d.run(check("coveredButtons()")); covered != `""` {
			d.Errorf("%s: buttons that cover each other: %s", name, covered)
		}
	}
	d.open("wasm", "#view=perft&depth=3")
	d.run(`[...document.querySelectorAll("button")].find((b) => b.innerText === "Count").click()`)
	d.eventually(`document.querySelector(".panel").innerText.includes("8,902 leaves at depth 3")`)
	d.open("wasm", "#view=position")
	d.eventually(`document.querySelector(".panel").innerText.includes("20 legal moves")`)
	move := func(square int) map[string]any {
		var at []float64
		must.Do(d, json.Unmarshal([]byte(d.run(fmt.Sprintf(`(() => {
			const r = document.querySelector('.board [data-square="%d"]').getBoundingClientRect();
			return [Math.round(r.x + r.width / 2), Math.round(r.y + r.height / 2)];
		})()`, square))), &at))
		return map[string]any{"type": "pointerMove", "duration": 20, "x": at[0], "y": at[1]}
	}
	d.call("PerformActions", map[string]any{"actions": []any{map[string]any{"type": "pointer", "id": "mouse",
		"actions": []any{move(12), map[string]any{"type": "pointerDown", "button": 0}, move(20), move(28),
			map[string]any{"type": "pointerUp", "button": 0}}}}})
	d.eventually(`location.hash.includes("e2e4")`)
	d.eventually(`document.getElementById("status").innerText.startsWith("1. e4, Black to move")`)
}
