package monitor

import (
	"encoding/json"
	"encoding/xml"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/coordinator"
	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/job"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/must"
)

// example is a status with everything that can be shown, and names that must be escaped.
func example() coordinator.Status {
	s := coordinator.Status{
		Job:     job.Description{Spec: job.Spec{FEN: "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", Depth: 9, Split: 4, Verify: true}, Positions: 72078, Tasks: 400},
		Running: true, Elapsed: 90, TasksBefore: 100, TasksDone: 300, TasksOut: 7, Threads: 2,
		Nodes: job.Count{Hi: 1, Lo: 5}, Rate: 2.5e9, Left: 45, Redeliveries: 3,
		Divide: []job.Nodes{{Move: "e2a6", Nodes: job.Count{Lo: 3e12}}, {Move: "a2a3", Nodes: job.Count{Lo: 1e12}}},
		Workers: []coordinator.WorkerStatus{
			{Name: `back\"slash<b>`, Threads: 2, Tasks: 150, Rate: 1e9, Seen: time.Now(),
				Holds: []coordinator.Hold{{Task: 17, Since: time.Now().Add(-time.Minute)}, {Task: 18, Since: time.Now()}}},
			{Name: "gone", Seen: time.Unix(2000, 500e6)},
		},
		Mismatches: []job.Mismatch{{Index: 4, Result: job.ResultInfo{Worker: "<faulty>"}}},
		Interval:   1,
	}
	for i := range 90 {
		s.History = append(s.History, 2e9+1.5e9*math.Sin(float64(i)/8))
	}
	return s
}

// get asks a server that shows the example. It fails the test if the answer has another status, or
// type.
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
		"<dd>18,446,744,073,709,551,621</dd>", "<dd>2.50 G</dd>", "<dd>45s</dd>", "back\\&#34;slash&lt;b&gt;", "<td>left</td>", `<span title="the first is task 17">2 for 1m0s</span>`, "&lt;faulty&gt;", "each counted twice",
		`<th scope="row">a2a3</th><td>1,000,000,000,000</td>`, "<td>25.0%</td>", "72,078 positions after 4 plies, cut into 400 tasks",
	)
	for _, drawing := range regexp.MustCompile(`(?s)<svg role="img" aria.*?</figcaption>`).FindAllString(body, -1) {
		drawing, _, _ = strings.Cut(drawing, "<figcaption")
		if err := xml.Unmarshal([]byte(drawing), new(struct{})); err != nil {
			t.Errorf("the plot is not XML: %v\n%s", err, drawing)
		}
	}
	if strings.Contains(body, "Waiting for workers") {
		t.Error("it waits for workers, and has one")
	}
}

// TestWaitingPage shows a run that no worker has joined.
func TestWaitingPage(t *testing.T) {
	s := example()
	s.Threads, s.TasksDone, s.Workers, s.Divide, s.History, s.Left = 0, 0, nil, nil, nil, 0
	s.Join = "fianchetto-cluster worker --connect nats://127.0.0.1:4222"
	var page strings.Builder
	must.Do(t, writePage(&page, &s))
	for _, want := range []string{"Waiting for workers. They join with <code>fianchetto-cluster worker --connect nats://127.0.0.1:4222</code>", "<dd>unknown</dd>", "None yet.", "No task is done yet.", "The plot begins"} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("%q is missing in\n%s", want, page.String())
		}
	}
}

// TestJSON reads back what programs get.
func TestJSON(t *testing.T) {
	body := get(t, "/status.json", 200, "application/json")
	var s coordinator.Status
	must.Do(t, json.Unmarshal([]byte(body), &s))
	if want := example(); s.TasksDone != want.TasksDone || s.Nodes != want.Nodes ||
		len(s.History) != len(want.History) || len(s.Workers) != 2 || s.Left != 45 {
		t.Errorf("%+v", s)
	}
	for _, field := range []string{"job", "time", "running", "tasks_before", "tasks_done", "tasks_out", "nodes",
		"divide", "elapsed_seconds", "nps", "threads",
		"thread_seconds", "thread_seconds_left", "left_seconds", "redeliveries", "workers", "nps_per_thread", "seen", "mismatches", "history", "history_interval_seconds"} {
		wantTexts(t, body, `"`+field+`":`)
	}
}

func TestPlot(t *testing.T) {
	for _, test := range []struct {
		rates         []float64
		interval      float64
		values, times string
		first, last   string
		window        string
	}{
		{[]float64{0, 0}, 1, "0 1", "0s 1s 2s", "0.0,1000.0", "1000.0,1000.0", "2s"},
		{[]float64{4, 4, 4, 4}, 1, "0 1 2 3 4", "0s 1s 2s 3s 4s", "0.0,0.0", "1000.0,0.0", "4s"},
		{[]float64{0, 3e9}, 30, "0 500 M 1 G 1.5 G", "0s 15s 30s 45s 1m0s", "0.0,1000.0", "1000.0,0.0", "1m0s"},
		{slices.Repeat([]float64{7e6}, 200), 128, "0 2 M 4 M 6 M 8 M", "0s 2h0m0s 4h0m0s 6h0m0s", "0.0,125.0",
			"1000.0,125.0", "21m20s"},
		{slices.Repeat([]float64{1}, 200), 8192, "0 1", "0s 5.0 days 10.0 days 15.0 days", "0.0,0.0", "1000.0,0.0",
			"22h45m20s"},
	} {
		p := newPlot(test.rates, test.interval)
		labels := func(marks []mark) string {
			var all []string
			for _, m := range marks {
				all = append(all, m.Label)
			}
			return strings.Join(all, " ")
		}
		points := strings.Fields(p.Points)
		if labels(p.Values) != test.values || labels(p.Times) != test.times || points[0] != test.first ||
			points[len(points)-1] != test.last || len(points) != len(test.rates) || p.Window != test.window {
			t.Errorf("%v: means of %s, %q, %q, %s to %s of %d, want %+v", test.interval, p.Window, labels(p.Values),
				labels(p.Times), points[0], points[len(points)-1], len(points), test)
		}
	}
	if all := means([]float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}); all[0] != 1 || all[9] != 5.5 || all[11] != 7.5 {
		t.Errorf("means %v", all)
	}
	if newPlot([]float64{1}, 1) != nil || newPlot(nil, 0) != nil {
		t.Error("a plot of nothing")
	}
}

// TestTimeouts holds that no client can keep a connection open for ever.
func TestTimeouts(t *testing.T) {
	s := must.Get(Listen("127.0.0.1:0", example))(t)
	defer s.Close()
	for name, limit := range map[string]time.Duration{"read": s.ReadTimeout, "write": s.WriteTimeout,
		"idle": s.IdleTimeout} {
		if limit <= 0 || limit > 2*time.Minute {
			t.Errorf("%s timeout %v", name, limit)
		}
	}
}

// TestHost answers for addresses, localhost and the name that it listens at, and for no name that
// was made to point here.
func TestHost(t *testing.T) {
	h := onlyFor("monitor.example:80", handler(example))
	for host, want := range map[string]int{"localhost:8080": 200, "127.0.0.1": 200, "[::1]:80": 200, "[::1]": 200,
		"monitor.example:80": 200, "evil.example:80": 403, "": 403} {
		r := httptest.NewRequest("GET", "/status.json", nil)
		r.Host = host
		answer := httptest.NewRecorder()
		if h.ServeHTTP(answer, r); answer.Code != want {
			t.Errorf("%q: status %d, want %d", host, answer.Code, want)
		}
	}
}

func TestNothingElse(t *testing.T) {
	get(t, "/other", 404, "text/plain")
	if _, err := Listen("127.0.0.1:none", example); err == nil {
		t.Error("listens at an invalid port")
	}
}

// TestBeginning shows a run of which nothing is known yet.
func TestBeginning(t *testing.T) {
	var page, metrics strings.Builder
	s := new(coordinator.Status)
	if err := writePage(&page, s); err != nil || !strings.Contains(page.String(), "0 of 0 tasks done") {
		t.Errorf("%v\n%s", err, page.String())
	}
	if err := writeMetrics(&metrics, s); err != nil || strings.Contains(metrics.String(), "NaN") {
		t.Errorf("%v\n%s", err, metrics.String())
	}
}
