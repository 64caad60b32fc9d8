package perft

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/divide"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/figures"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// report is what a perft found, in the form of its JSON.
type report struct {
	FEN        string        `json:"fen"`
	Depth      int           `json:"depth"`
	Nodes      divide.Nodes  `json:"nodes"`
	Divide     []divide.Move `json:"divide,omitzero"`
	Seconds    float64       `json:"seconds"`
	Speed      uint64        `json:"nps"`
	Method     string        `json:"method"`
	Threads    int           `json:"threads"`
	HashMB     int           `json:"hash_mb,omitzero"`
	HashProbes divide.Nodes  `json:"hash_probes,omitzero"`
	HashHits   divide.Nodes  `json:"hash_hits,omitzero"`
}

func newReport(pos *fianchetto.Position, depth int, result *perft.Result, elapsed time.Duration) *report {
	r := &report{
		FEN:        pos.FEN(),
		Depth:      depth,
		Nodes:      divide.Nodes(result.Nodes),
		Divide:     divide.New(result.Moves, pos),
		Method:     result.Method.String(),
		Threads:    result.Threads,
		HashProbes: divide.Nodes(result.Probes),
		HashHits:   divide.Nodes(result.Hits),
	}
	r.Seconds = max(elapsed, time.Nanosecond).Seconds()
	r.Speed = uint64(float64(r.Nodes) / r.Seconds)
	return r
}

// writeDivide writes a line for each root move, if they were asked for.
func (r *report) writeDivide(results io.Writer) error {
	var text strings.Builder
	for _, d := range r.Divide {
		fmt.Fprintf(&text, "%s: %d\n", d.Move, d.Nodes)
	}
	_, err := io.WriteString(results, text.String())
	return err
}

// writeText writes the counts to results; time, speed and method, which differ from run to run, to diagnostics.
func (r *report) writeText(results, diagnostics io.Writer) error {
	err := r.writeDivide(results)
	if err == nil {
		_, err = fmt.Fprintf(results, "Nodes searched: %d\n", r.Nodes)
	}
	fmt.Fprintf(diagnostics, "%.3f s, %s, method %s, %s", r.Seconds, figures.Rate(float64(r.Speed), "nodes/s"), r.Method, figures.Things(r.Threads, "thread"))
	if r.HashProbes > 0 {
		fmt.Fprintf(diagnostics, ", hash of %s MiB, %.1f%% of %s probes hit", figures.Count(uint64(r.HashMB)), 100*float64(r.HashHits)/float64(r.HashProbes), figures.Count(uint64(r.HashProbes)))
	}
	fmt.Fprintln(diagnostics)
	return err
}

func (r *report) writeJSON(results io.Writer) error {
	return json.NewEncoder(results).Encode(r)
}
