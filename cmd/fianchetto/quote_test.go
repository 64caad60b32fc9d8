package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli"
)

// TestErrorsQuoteLittle has arguments and lines of a mebibyte: no message quotes more than some of it.
func TestErrorsQuoteLittle(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	const startEPD = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
	fen := startEPD + strings.Repeat("0", 1<<20) + "x"
	for _, test := range []struct {
		args  []string
		stdin string
	}{
		{args: []string{long}},
		{args: []string{"perft", long}},
		{args: []string{"perft", "--" + long}},
		{args: []string{"perft", "--depth", long}},
		{args: []string{"perft", "--hash", long}},
		{args: []string{"perft", "--fen", long}},
		{args: []string{"perft", "--fen", fen}},
		{args: []string{"perft", "--moves", long}},
		{args: []string{"perft", "--method", long}},
		{args: []string{"moves", "--fen", fen}},
		{args: []string{"show", "--attacks", "queen:" + long}},
		{args: []string{"show", "--line", long}},
		{args: []string{"magic", long}},
		{args: []string{"magic", "verify", "-"}, stdin: long},
		{args: []string{"compare", "--engine", "none", "--fen", fen}},
		{args: []string{"explore", "--http", long}},
		{args: []string{"suite", "-"}, stdin: startEPD + " ;D1 " + long},
		{args: []string{"suite", "-"}, stdin: fen[:1<<16-10] + " ;D1 1"},
		{args: []string{"uci"}, stdin: long},
		{args: []string{"uci"}, stdin: "position fen " + fen},
		{args: []string{"uci"}, stdin: "position startpos moves " + long},
		{args: []string{"uci"}, stdin: "setoption name Hash value " + long},
		{args: []string{"uci"}, stdin: "setoption name " + long},
		{args: []string{"uci"}, stdin: "go perft " + long},
	} {
		var stdout, stderr bytes.Buffer
		cli.Run(t.Context(), newRootCommand(), test.args, strings.NewReader(test.stdin), &stdout, &stderr)
		message := stdout.String() + stderr.String()
		if len(message) > 1500 || message == "" || strings.Count(message, "x")+strings.Count(message, "0") > 500 {
			t.Errorf("%.40q, stdin %.40q: %d bytes: %.300s", test.args, test.stdin, len(message), message)
		}
	}
}
