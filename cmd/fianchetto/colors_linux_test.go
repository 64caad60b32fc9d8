package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli"
)

// openTerminal opens a pseudo-terminal and returns both ends: what is written to the second can be read
// from the first.
func openTerminal(t *testing.T) (screen, terminal *os.File) {
	t.Helper()
	screen, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { screen.Close() })
	fd := int(screen.Fd())
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		t.Skip(err)
	}
	number, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		t.Skip(err)
	}
	terminal, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { terminal.Close() })
	return screen, terminal
}

func TestColorOnTerminalOnly(t *testing.T) {
	for _, test := range []struct {
		name, noColor, term string
		terminal            bool
		want                string // of the square b2, "" without colours
	}{
		{"terminal of 256 colours", "", "xterm-256color", true, "\x1b[1;38;5;231;48;5;18m * \x1b[0m"},
		{"terminal of 16 colours", "", "xterm", true, "\x1b[1;97;41m * \x1b[0m"},
		{"terminal with NO_COLOR", "1", "xterm-256color", true, ""},
		{"dumb terminal", "", "dumb", true, ""},
		{"no terminal", "", "xterm-256color", false, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Setenv("NO_COLOR", test.noColor)
			t.Setenv("TERM", test.term)
			t.Setenv("COLORTERM", "")
			t.Setenv("WT_SESSION", "")
			screen, terminal := openTerminal(t)
			code, shown := 0, ""
			if test.terminal {
				code = cli.Run(t.Context(), newRootCommand(), []string{"show", "--between", "a1,h8", "--draw"}, nil,
					terminal, terminal)
				buffer := make([]byte, 64<<10)
				for strings.Count(shown, "a  b  c") < 2 { // the first line and the last of the board
					n, err := screen.Read(buffer)
					if err != nil {
						t.Fatal(err)
					}
					shown += string(buffer[:n])
				}
			} else {
				var stdout bytes.Buffer
				code = cli.Run(t.Context(), newRootCommand(), []string{"show", "--between", "a1,h8", "--draw"}, nil,
					&stdout, terminal)
				shown = stdout.String()
			}
			if colored := strings.Contains(shown, "\x1b["); code != 0 || colored != (test.want != "") ||
				!strings.Contains(shown, test.want) {
				t.Errorf("exit code %d, want 0 and %q: %q", code, test.want, shown)
			}
		})
	}
}

// TestStatsFitTerminal prints the table of --stats on a terminal of 40 columns.
func TestStatsFitTerminal(t *testing.T) {
	screen, terminal := openTerminal(t)
	if err := unix.IoctlSetWinsize(int(screen.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Col: 40, Row: 24}); err != nil {
		t.Fatal(err)
	}
	go cli.Run(t.Context(), newRootCommand(), []string{"perft", "4", "--fen", "kiwipete", "--stats"}, nil, terminal,
		terminal)
	lines := bufio.NewScanner(screen)
	var shown string
	for lines.Scan() && !strings.HasPrefix(lines.Text(), "Nodes searched") {
		shown += lines.Text() + "\n"
		if len(lines.Text()) > 40 {
			t.Errorf("%q is wider than the terminal", lines.Text())
		}
	}
	if strings.Count(shown, "depth") != 3 || !strings.Contains(shown, "4.09M") {
		t.Errorf("printed\n%s", shown)
	}
}
