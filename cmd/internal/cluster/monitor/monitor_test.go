package monitor

import (
	"encoding/xml"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/cluster/coordinator"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/cluster/job"
)

// example is a status with everything that can be shown, and names that must be escaped.
func example() coordinator.Status {
	return coordinator.Status{
		Job:     job.Description{Spec: job.Spec{FEN: "8/8/8/8/8/2k5/1q6/K7 w - - 0 1", Depth: 9, Split: 4, Verify: true}, Positions: 72078, Tasks: 400},
		Running: true, Elapsed: 90, TasksBefore: 100, TasksDone: 300, TasksOut: 7,
		Nodes: job.Count{Hi: 1, Lo: 5}, Rate: 2.5e9, Left: 45, Redeliveries: 3,
		Workers: []coordinator.WorkerStatus{
			{Name: `odd"\<b>`, Threads: 2, Tasks: 150, Rate: 1e9, Seen: time.Unix(1000, 0)},
			{Name: "gone", Seen: time.Unix(2000, 500e6)},
		},
		Mismatches: []job.Mismatch{{Index: 4, Result: job.ResultInfo{Worker: "<faulty>"}}},
		History:    []float64{0, 2e9, 1e9},
	}
}

// get asks a server that shows the example.
func get(t *testing.T, path string) (status int, kind, body string) {
	t.Helper()
	s, err := Listen("127.0.0.1:0", example)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	answer, err := http.Get(s.Address() + strings.TrimPrefix(path, "/"))
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, answer.Header.Get("Content-Type"), string(text)
}

// TestMetrics holds every line to the grammar of the format, and some to their values.
func TestMetrics(t *testing.T) {
	status, kind, body := get(t, "/metrics")
	if status != 200 || !strings.HasPrefix(kind, "text/plain; version=0.0.4") {
		t.Errorf("status %d, type %q", status, kind)
	}
	line := regexp.MustCompile(`^(# HELP [a-z_]+ .+|# TYPE [a-z_]+ (gauge|counter)|[a-z_]+(\{worker="([^"\\]|\\["\\n])*"\})? [0-9.e+]+)$`)
	names := make(map[string]bool)
	for text := range strings.Lines(body) {
		text = strings.TrimSuffix(text, "\n")
		if !line.MatchString(text) {
			t.Errorf("not in the format: %q", text)
		}
		if name, ok := strings.CutPrefix(text, "# TYPE "); ok {
			if names[name] {
				t.Errorf("%s is there twice", name)
			}
			names[name] = true
		}
	}
	for _, want := range []string{
		"fianchetto_tasks 400\n", "fianchetto_tasks_done 300\n", "fianchetto_nodes 1.8446744073709552e+19\n",
		"fianchetto_redeliveries_total 3\n", "fianchetto_mismatches_total 1\n", "fianchetto_left_seconds 45\n",
		`fianchetto_worker_threads{worker="odd\"\\<b>"} 2` + "\n", `fianchetto_worker_seen_timestamp_seconds{worker="gone"} 2000.5` + "\n",
	} {
		if !strings.Contains(body, want) {
			t.Errorf("%q is missing in\n%s", want, body)
		}
	}
}

func TestPage(t *testing.T) {
	status, kind, body := get(t, "/")
	if status != 200 || !strings.HasPrefix(kind, "text/html") {
		t.Errorf("status %d, type %q", status, kind)
	}
	for _, want := range []string{
		"300 of 400 tasks (75.0%)", "18446744073709551621 nodes", "2500.0 million nodes/s, 45s left", "3 redelivered", "100 done before this run",
		`points="0.0,100.0 300.0,0.0 600.0,50.0"`, "the top is 2000.0 million", "odd&#34;\\&lt;b&gt;", "<td>left</td>", "&lt;faulty&gt;", "each counted twice",
	} {
		if !strings.Contains(body, want) {
			t.Errorf("%q is missing in\n%s", want, body)
		}
	}
	drawing := regexp.MustCompile(`(?s)<svg.*</svg>`).FindString(body)
	if err := xml.Unmarshal([]byte(drawing), new(struct{})); err != nil {
		t.Errorf("the plot is not XML: %v\n%s", err, drawing)
	}
}

// TestTimeouts holds that no client can keep a connection open for ever.
func TestTimeouts(t *testing.T) {
	s, err := Listen("127.0.0.1:0", example)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for name, limit := range map[string]time.Duration{"read": s.server.ReadTimeout, "write": s.server.WriteTimeout, "idle": s.server.IdleTimeout} {
		if limit <= 0 || limit > 2*time.Minute {
			t.Errorf("%s timeout %v", name, limit)
		}
	}
}

func TestNothingElse(t *testing.T) {
	if status, _, _ := get(t, "/other"); status != 404 {
		t.Errorf("status %d, want 404", status)
	}
	if _, err := Listen("127.0.0.1:none", example); err == nil {
		t.Error("listens at an invalid port")
	}
}

// TestBeginning shows a run of which nothing is known yet.
func TestBeginning(t *testing.T) {
	var page, metrics strings.Builder
	s := new(coordinator.Status)
	if err := writePage(&page, s); err != nil || !strings.Contains(page.String(), "0 of 0 tasks") {
		t.Errorf("%v\n%s", err, page.String())
	}
	if err := writeMetrics(&metrics, s); err != nil || strings.Contains(metrics.String(), "NaN") {
		t.Errorf("%v\n%s", err, metrics.String())
	}
}
