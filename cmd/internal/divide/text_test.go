package divide

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
)

// TestParse reads lines and documents: "MOVE NODES", "total NODES", and "?" for an error.
func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"e2e4: 20":                             "e2e4 20",
		"  e2e4 20":                            "e2e4 20",
		"e2e4 - 20":                            "e2e4 20",
		"e2e4 = 20":                            "e2e4 20",
		"e2e4\t20":                             "e2e4 20",
		" 1. e2e4: 20":                         "e2e4 20",
		"1  2080  e5f7":                        "e5f7 2080",
		"2059 e1g1":                            "e1g1 2059",
		"1 e2e4\n2 d2d4\n3 g1f3":               "e2e4 1, d2d4 2, 1 not read",
		"20: O-O":                              "O-O 20",
		"2,059\ta7a8q":                         "a7a8q 2059",
		"1. e2e4":                              "1 not read",
		"e2-e4: 20":                            "e2-e4 20",
		"E7E8Q: 1,234,567":                     "E7E8Q 1234567",
		"e7e8=Q 5":                             "e7e8=Q 5",
		"O-O: 5":                               "O-O 5",
		"0-0-0 5":                              "0-0-0 5",
		"0-0 - 5":                              "0-0 5",
		"g1g1: 5":                              "g1g1 5",
		"e2e4: 20 nodes in 3 ms":               "e2e4 20",
		"e2e4: 18446744073709551615":           "e2e4 18446744073709551615",
		"e2e4: 18446744073709551616":           "?",
		"Nodes searched: 20":                   "total 20",
		"Nodes searched : 20":                  "total 20",
		"Nodes searched 20":                    "total 20",
		"nodes 20":                             "total 20",
		"nodecount:20, seconds: 0.1, nps: 0":   "total 20",
		"Total nodes: 20":                      "total 20",
		"total 20":                             "total 20",
		"perft 20":                             "total 20",
		"Perft 3: 8902":                        "total 8902",
		"perft(3) = 8902":                      "total 8902",
		"perft 3 8902 nodes":                   "total 8902",
		"8902":                                 "total 8902",
		"8902 nodes":                           "total 8902",
		"Nodes searched: 99999999999999999999": "?",
		"Nodes searched: NaN":                  "?",
		"Nodes searched:":                      "?",
		"move 20 : g1h3 : 1":                   "g1h3 1",
		"Move 20 is g1h3 : 1":                  "g1h3 1",
		"Test Complete : 20 nodes visited in 0ms": "total 20",
		"perft(1): 20  0.003s  6.70 MNPS":         "total 20",
		"Nodes/second: 1000":                      "",
		"nodes per second 1000":                   "",
		"info depth 1 nodes 20 nps 1000":          "",
		"info string e2e4 20":                     "",
		"e2e4":                                    "1 not read",
		"e9e4: 20":                                "e9e4 20",
		"bestmove e2e4":                           "",
		"time 20 ms":                              "",
		"":                                        "",

		"perft(3) = 8902 in 0.01s":                     "total 8902",
		"perft(3)=8902, 0.01s":                         "total 8902",
		"Perft(3): 8902 nodes in 10 ms (890200 nps)":   "total 8902",
		"depth=3 nodes=8902 time=10ms nps=890200":      "total 8902",
		"Depth 3 Nodes 8902 Time 10 ms":                "total 8902",
		"Perft to depth 3: 8902":                       "total 8902",
		"8902 leaf nodes at depth 3":                   "total 8902",
		"Total leaf nodes at depth 3: 8,902 (0.003 s)": "total 8902",
		"Searched 8902 positions in 0.01s, 0.9 Mnps":   "total 8902",
		"Result: 8902":                                 "total 8902",
		"20 moves, 8902 nodes":                         "total 8902",
		"Nodes: 8902\nMoves: 20":                       "total 8902",
		"e2e4: 5\nd2d4: 6\nMoves: 2":                   "e2e4 5, d2d4 6",
		"hash hits 20":                                 "",
		"Captures: 34":                                 "",
		"Total time: 20":                               "",
		"3 8902 34":                                    "",
		"> e2e4: 1":                                    "e2e4 1",
		">>> > e2e4: 1":                                "e2e4 1",
		"engine> e2e4 - 1":                             "e2e4 1",
		"White (1) $ Nf3 1":                            "Nf3 1",
		"engine> perft(3) = 8902":                      "total 8902",
		"engine> nodes searched 8902":                  "total 8902",
		"g1i2: 1":                                      "g1i2 1",
		"a7a9q 1":                                      "a7a9q 1",

		`[e2e4] 20`: "e2e4 20",

		`{"e2e4": 20, "d2d4": 21, "total": 41}`:                               "e2e4 20, d2d4 21, total 41",
		`{"depth": 2, "moves": {"e2e4": 20, "O-O": 21}, "nodes": 41}`:         "e2e4 20, O-O 21, total 41",
		`{"count":41,"list":[{"count":20,"move":"e2e4","nps":5}],"time":1.5}`: "e2e4 20, total 41",
		"{\n  \"moves\": [\n    [\"e2e4\", 20]\n  ],\n  \"total\": 20\n}":     "e2e4 20, total 20",
		"[{\"uci\":\"e2e4\",\"nodes\":20},\n{\"uci\":\"Nf3\",\"nodes\":21}]":  "e2e4 20, Nf3 21",
		"{\"move\":\"e2e4\",\"nodes\":20}\n{\"total\":20}":                    "e2e4 20, total 20",
		`{"e2e4": {"nodes": 20}, "fen": "8/8/8/8/8/8/8/8 w - - 0 1"}`:         "e2e4 20",
		`{'e2e4': 20, 'd2d4': 21}`:                                            "e2e4 20, d2d4 21",
		`[('e2e4', 20), ('d2d4', 21)]`:                                        "e2e4 20, d2d4 21",
		`{"e2e4": 18446744073709551616}`:                                      "?",
		`{"e2e4": -1}`:                                                        "?",
		"{ e2e4: 20 }":                                                        "e2e4 20",
		"{\ne2e4: 20\nNodes searched: 20":                                     "e2e4 20, total 20",
		strings.Repeat(" ", maxLine) + "e2e4: 20":                             "e2e4 20",
		"e2e4: 20" + strings.Repeat(",", maxLine):                             "?",
		strings.Repeat("[", 1<<24):                                            "?",
	} {
		answer, err := Parse(text)
		var parts []string
		for _, m := range answer.Moves {
			parts = append(parts, m.Move+" "+strconv.FormatUint(m.Nodes, 10))
		}
		if answer.HasTotal {
			parts = append(parts, "total "+strconv.FormatUint(answer.Total, 10))
		}
		if n := len(answer.Unread); n > 0 {
			parts = append(parts, fmt.Sprintf("%d not read", n))
		}
		got := strings.Join(parts, ", ")
		if err != nil {
			got = "?"
		}
		if got != want {
			t.Errorf("%q is read as %q, %v, want %q", text, got, err, want)
		}
	}
}

func FuzzReader(f *testing.F) {
	for _, line := range []string{"e2e4: 20", "Nodes searched: 20", "perft(3) = 8,902", "O-O - 5", "nodes \x00",
		"1'000"} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		var r Reader
		if err := r.Line(line); err == nil && len(r.divide.Moves) > 0 && r.HasTotal() && !strings.ContainsAny(line, "{[") {
			t.Errorf("%q is a move and a total", line)
		}
	})
}
