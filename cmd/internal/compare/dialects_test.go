package compare_test

import (
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/engine"
)

// TestRightCountsInAnyDialect claims no difference where there is none, and finds the two mistakes
// where there are.
func TestRightCountsInAnyDialect(t *testing.T) {
	const faulty = "r3k2r/8/8/3pP3/8/8/6p1/R3K2R w KQkq d6 0 2"
	const kingGoes = "missing e5d6: en passant, extra e1g1: castling through check"
	const kingTakes = "missing e5d6: en passant, extra e1h1: castling through check"
	for _, test := range []struct {
		args, want string
		protocol   engine.Protocol
	}{
		{"", kingGoes, engine.Perftree},
		{"", kingGoes, engine.Auto},
		{"--line '{move} {nodes}' --sum 'nodes {total}'", kingGoes, engine.Auto},
		{"--line '{move} - {nodes}' --sum 'perft {depth}: {total}'", kingGoes, engine.Auto},
		{"--line '{n}. {move} {nodes}' --sum 'perft: {total}'", kingGoes, engine.Auto},
		{"--line '{move}: {nodes};' --replace ';\n/   '", kingGoes, engine.Auto},
		{"--line '{move} = {nodes}' --sum '{total} nodes in 0.1 s' --replace 'q =/(Q) =/r =/(R) =/b =/(B) =/n =/(N) ='",
			kingGoes, engine.Auto},
		{"--quirks king-goes", kingGoes, engine.Auto},
		{"--quirks king-takes", kingTakes, engine.Auto},
		{"--quirks reversed,no-letters,loud,king-takes --line '{move} - {nodes}'", kingTakes, engine.Auto},
		{"--quirks totals-only", "", engine.Auto},
		{"--quirks loud --line '{move} {nodes}' --sum {total}", kingGoes, engine.Auto},
		{"--quirks san", kingGoes, engine.Auto},
		{"--quirks san --line '{move} {nodes}' --sum {total} --replace +//#//=/", kingGoes, engine.Auto},
		{"--quirks san --line '{move} {nodes}' --sum ''", kingGoes, engine.Auto},
		{"--quirks san --sum {total} --replace -/", kingGoes, engine.Auto},
		{"--quirks san --line '| {move} | {nodes} |'", kingGoes, engine.Auto},
		{"--quirks long --line '{move} - {nodes}' --sum 'Total: {total}'", kingGoes, engine.Auto},
		{"--quirks long --sum {total} --replace O/0", kingGoes, engine.Auto},
	} {
		t.Run(test.args, func(t *testing.T) {
			t.Parallel()
			_, args, err := engine.SplitCommand("buggy " + test.args)
			if err != nil {
				t.Fatal(err)
			}
			config := engine.Config{Protocol: test.protocol}
			fens := append(every(12, "traps", "traps960"), kiwipete, promotesTo3, stalemate)
			noDifference(t, open(t, config, args...), 2, fens...)
			wrong := open(t, config, append(args, "--bugs", "no-en-passant,castling-through-check")...)
			var got []string
			for _, d := range differences(t, wrong, faulty, 1) {
				got = append(got, d.Subject()+": "+string(d.Verdict.Rule))
			}
			if strings.Join(got, ", ") != test.want {
				t.Errorf("the differences are %q; want %s", got, test.want)
			}
		})
	}
}
