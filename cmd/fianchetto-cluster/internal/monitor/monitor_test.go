package monitor

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/cluster"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/job"
	"github.com/fianchetto-chess/fianchetto/internal/must"
)

// example is a status with everything to show, and names to escape.
func example() cluster.Status {
	s := cluster.Status{
		Summary: job.Summary{Job: job.Description{Spec: job.Spec{FEN: "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", Depth: 9, Split: 4, Verify: true}, Positions: 72078, Tasks: 400},
			TasksDone: 300, Nodes: job.Count{Hi: 1, Lo: 5},
			Divide:        []job.Nodes{{Move: "a2a3", Nodes: job.Count{Lo: 1 << 62}}, {Move: "e2a6", Nodes: job.Count{Lo: 3<<62 + 5}}},
			Mismatches:    []job.Fault{{Worker: "<faulty>", Wrong: 1, Results: 4}},
			Disagreements: []job.Disagreement{{Between: []string{"ann", "<bob>"}, Tasks: 12}}},
		Running: true, Elapsed: 90, TasksBefore: 100, TasksOut: 7, Threads: 2,
		Rate: 2.5e9, Left: 45, Redeliveries: 3,
		Workers: []cluster.WorkerStatus{
			{Name: `back\"slash<b>`, Threads: 2, Tasks: 150, Rate: 1e9, Seen: time.Now()},
			{Name: "gone", Seen: time.Unix(2000, 500e6)},
		},
		Blocked: &cluster.Blocked{Tasks: 18, Counted: []string{"alpha"}, May: []string{"<beta>"}},
	}
	return s
}

// get asks a server that shows the example, and checks status and type.
func get(t *testing.T, path string, status int, kind string) (body string) {
	t.Helper()
	s := must.Get(Listen("127.0.0.1:0", example))(t)
	defer s.Close()
	answer := must.Get(http.Get("http://" + s.Addr + path))(t)
	defer answer.Body.Close()
	text := must.Get(io.ReadAll(answer.Body))(t)
	if got := answer.Header.Get("Content-Type"); answer.StatusCode != status || !strings.HasPrefix(got, kind) {
		t.Errorf("%s: status %d, type %q, want %d, %q", path, answer.StatusCode, got, status, kind)
	}
	return string(text)
}

// wantTexts fails the test if a body lacks a text.
func wantTexts(t *testing.T, body string, texts ...string) {
	t.Helper()
	for _, want := range texts {
		if !strings.Contains(body, want) {
			t.Errorf("%q is missing in\n%s", want, body)
		}
	}
}

// TestMetrics holds every line to the grammar of the format, and some to their values.
func TestMetrics(t *testing.T) {
	body := get(t, "/metrics", 200, "text/plain; version=0.0.4")
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
	wantTexts(t, body,
		"fianchetto_tasks 400\n", "fianchetto_tasks_done 300\n", "fianchetto_nodes 1.8446744073709552e+19\n",
		"fianchetto_redeliveries_total 3\n", "fianchetto_mismatches_total 1\n", "fianchetto_left_seconds 45\n",
		`fianchetto_worker_threads{worker="back\\\"slash<b>"} 2`+"\n", `fianchetto_worker_seen_timestamp_seconds{worker="gone"} 2000.5`+"\n",
	)
}

func TestPage(t *testing.T) {
	body := get(t, "/", 200, "text/html")
	wantTexts(t, body,
		"<strong>75.0%</strong>", "300 of 400 tasks done, 100 of them before this run; 7 given out; 3 redelivered",
		"<dd>18,446,744,073,709,551,621</dd>", "<dd>2.50 G</dd>", "<dd>45s</dd>", "back\\&#34;slash&lt;b&gt;", "<td>left</td>", "&lt;faulty&gt;", "each counted twice",
		"18 tasks wait for a worker of &lt;beta&gt;",
		"results of 12 tasks differ between ann and &lt;bob&gt;",
		`<th scope="row">a2a3</th><td>4,611,686,018,427,387,904</td>`, "<td>25.0%</td>", "72,078 positions after 4 plies, cut into 400 tasks",
	)
	if strings.Contains(body, "Waiting for workers") {
		t.Error("it waits for workers, and has one")
	}
}

func TestJSON(t *testing.T) {
	body := get(t, "/status.json", 200, "application/json")
	var s cluster.Status
	must.Do(t, json.Unmarshal([]byte(body), &s))
	if want := example(); s.TasksDone != want.TasksDone || s.Nodes != want.Nodes ||
		s.Blocked.String() != want.Blocked.String() || len(s.Workers) != 2 || s.Left != 45 {
		t.Errorf("%+v", s)
	}
	for _, field := range []string{"job", "time", "running", "tasks_before", "tasks_done", "tasks_out", "nodes",
		"divide", "elapsed_seconds", "nps", "threads",
		"thread_seconds", "thread_seconds_left", "left_seconds", "redeliveries", "workers", "nps_per_thread", "seen", "mismatches", "disagreements", "blocked", "may"} {
		wantTexts(t, body, `"`+field+`":`)
	}
}

func TestNothingElse(t *testing.T) {
	get(t, "/other", 404, "text/plain")
	s := must.Get(Listen("127.0.0.1:0", example))(t)
	defer s.Close()
	r, w := httptest.NewRequest("GET", "http://evil.example/", nil), httptest.NewRecorder()
	if s.Handler.ServeHTTP(w, r); w.Code != http.StatusForbidden {
		t.Errorf("a name that was made to point here: %d", w.Code)
	}
	if _, err := Listen("127.0.0.1:none", example); err == nil {
		t.Error("listens at an invalid port")
	}
}

// TestBeginning shows a run that no worker has joined, and one of which nothing is known yet.
func TestBeginning(t *testing.T) {
	waiting := example()
	waiting.Threads, waiting.TasksDone, waiting.Workers, waiting.Divide, waiting.Left = 0, 0, nil, nil, 0
	waiting.Join = "fianchetto-cluster worker --connect nats://127.0.0.1:4222"
	var html, metrics strings.Builder
	must.Do(t, page.Execute(&html, &waiting), page.Execute(&html, new(cluster.Status)),
		texts.ExecuteTemplate(&metrics, "metrics.txt", new(cluster.Status)))
	wantTexts(t, html.String(), "Waiting for workers. They join with <code>"+waiting.Join+"</code>", "<dd>unknown</dd>",
		"None yet.", "No task is done yet.", "0 of 0 tasks done")
	if strings.Contains(metrics.String(), "NaN") {
		t.Error(metrics.String())
	}
}

// TestTexts has no worker yet, a run that is interrupted, one that is done, and very many workers.
func TestTexts(t *testing.T) {
	for want, s := range map[string]cluster.Status{
		"0 of 400 tasks are done (0.0%), 0 nodes, 0 nodes/s, waiting for workers": {Running: true,
			Summary: job.Summary{Job: job.Description{Tasks: 400}}},
		"100 of 400 tasks are done (25.0%), 3.0 days left on one thread": {
			Summary: job.Summary{Job: job.Description{Tasks: 400}, TasksDone: 100, ThreadSecondsLeft: 3 * 86400}},
		"1 of 1 task is done": {Summary: job.Summary{Job: job.Description{Tasks: 1}, TasksDone: 1}},
	} {
		if got := Text("overview", &s); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	s := example()
	s.Workers = slices.Repeat(s.Workers, 1<<10)
	if text := Text("workers", &s); strings.Count(text, "\n") != 13 || !strings.HasSuffix(text, "  and 2,036 more\n") {
		t.Error(text)
	}
}
