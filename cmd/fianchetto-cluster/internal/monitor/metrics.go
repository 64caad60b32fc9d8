package monitor

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/coordinator"
)

// writeMetrics writes a status in Prometheus' text form.
// Source: https://prometheus.io/docs/instrumenting/exposition_formats/
func writeMetrics(w io.Writer, s *coordinator.Status) error {
	var text strings.Builder
	metric := func(name, kind, help string, value float64) {
		fmt.Fprintf(&text, "# HELP fianchetto_%[1]s %[3]s\n# TYPE fianchetto_%[1]s %[2]s\nfianchetto_%[1]s %[4]s\n", name, kind, help, number(value))
	}
	metric("tasks", "gauge", "Tasks of the job.", float64(s.Job.Tasks))
	metric("tasks_done", "gauge", "Tasks that are done, those of earlier runs included.", float64(s.TasksDone))
	metric("tasks_before", "gauge", "Tasks that were done when this run began.", float64(s.TasksBefore))
	metric("tasks_out", "gauge", "Tasks that are given out and not done.", float64(s.TasksOut))
	metric("positions", "gauge", "Positions of the frontier.", float64(s.Job.Positions))
	metric("nodes", "gauge", "Leaves below the tasks that are done.", s.Nodes.Float())
	metric("nodes_per_second", "gauge", "Leaves per second, of late.", s.Rate)
	metric("redeliveries_total", "counter", "Tasks that were given to another worker because the first sent no heartbeat.", float64(s.Redeliveries))
	metric("mismatches_total", "counter", "Results that differ from the accepted ones.", float64(len(s.Mismatches)))
	metric("elapsed_seconds", "gauge", "Time since this run began.", s.Elapsed)
	metric("left_seconds", "gauge", "Time that the rest will take, 0 if unknown.", s.Left)
	perWorker := func(name, kind, help string, value func(*coordinator.WorkerStatus) float64) {
		fmt.Fprintf(&text, "# HELP fianchetto_worker_%[1]s %[3]s\n# TYPE fianchetto_worker_%[1]s %[2]s\n", name, kind, help)
		for i := range s.Workers {
			fmt.Fprintf(&text, "fianchetto_worker_%s{worker=\"%s\"} %s\n", name, label(s.Workers[i].Name), number(value(&s.Workers[i])))
		}
	}
	perWorker("threads", "gauge", "Threads of a worker, 0 if it has left.", func(w *coordinator.WorkerStatus) float64 { return float64(w.Threads) })
	perWorker("tasks_total", "counter", "Tasks that a worker has counted in this run.", func(w *coordinator.WorkerStatus) float64 { return float64(w.Tasks) })
	perWorker("nodes_per_second", "gauge", "Leaves per second of a worker's thread.", func(w *coordinator.WorkerStatus) float64 { return w.Rate })
	perWorker("seen_timestamp_seconds", "gauge", "When the last message of a worker came.", func(w *coordinator.WorkerStatus) float64 { return float64(w.Seen.UnixMilli()) / 1000 })
	_, err := io.WriteString(w, text.String())
	return err
}

func number(value float64) string { return strconv.FormatFloat(value, 'g', -1, 64) }

// label escapes the value of a label.
func label(value string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(value)
}
