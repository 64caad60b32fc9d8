package coordinator

import (
	"encoding/json"
	"os"
	"path/filepath"
	"time"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/job"
)

// Status is how far a run is at a moment. Its JSON is that of the page's /status.json, and of "fianchetto-cluster status --json".
type Status struct {
	Job         job.Description `json:"job"`
	Time        time.Time       `json:"time"`
	Running     bool            `json:"running"`      // whether a coordinator made the status, or only what the journal has is known
	TasksBefore int             `json:"tasks_before"` // done when this run began
	TasksDone   int             `json:"tasks_done"`
	TasksOut    int             `json:"tasks_out"`       // given out, and not done
	Nodes       job.Count       `json:"nodes,omitzero"`  // the leaves below what is done
	Divide      []job.Nodes     `json:"divide,omitzero"` // the same by root move, in the order of generation
	Elapsed     float64         `json:"elapsed_seconds"` // since this run began
	Rate        float64         `json:"nps"`             // leaves per second, of late
	Threads     int             `json:"threads"`         // that count now

	// The one estimate of the time that is left: the results that are missing take as long, on one thread each, as those that are
	// there took on the mean. Zeros are unknown.
	ThreadSeconds     float64 `json:"thread_seconds"`      // of all results
	ThreadSecondsLeft float64 `json:"thread_seconds_left"` // of those that are missing
	Left              float64 `json:"left_seconds"`        // the same on all Threads

	Redeliveries int            `json:"redeliveries"`
	Workers      []WorkerStatus `json:"workers"`
	Mismatches   []job.Mismatch `json:"mismatches,omitzero"`
	Address      string         `json:"address,omitzero"` // where other workers can join

	History  []float64 `json:"history,omitzero"`                  // leaves per second in each interval since this run began
	Interval float64   `json:"history_interval_seconds,omitzero"` // the length of an interval

	before float64 // the leaves that were counted when this run began
}

// NewStatus returns the status of a run of which only the journal is known.
func NewStatus(s *job.Summary) Status {
	return Status{
		Job: s.Description, Time: time.Now(), TasksDone: s.TasksDone, Nodes: s.Counted,
		ThreadSeconds: s.Seconds, ThreadSecondsLeft: s.SecondsLeft, Workers: []WorkerStatus{}, Mismatches: s.Mismatches,
	}
}

// Counted returns how many leaves this run has counted.
func (s *Status) Counted() float64 { return s.Nodes.Float() - s.before }

// Done returns what part of the tasks is done, 0 to 1.
func (s *Status) Done() float64 {
	if s.Job.Tasks == 0 {
		return 1
	}
	return float64(s.TasksDone) / float64(s.Job.Tasks)
}

// WorkerStatus is how a process that counts is.
type WorkerStatus struct {
	Name    string    `json:"name"`
	Threads int       `json:"threads"`        // 0: it has left
	Tasks   int       `json:"tasks"`          // that it has counted in this run
	Rate    float64   `json:"nps_per_thread"` // while it counts; a position's leaves are taken once, however many paths lead there
	Seen    time.Time `json:"seen"`

	nodes   float64
	counted time.Duration // of all threads
	has     []taskKey     // its tasks
}

// silentTime is how long a worker may send nothing before its threads no longer count for estimates: heartbeats come every second.
const silentTime = 5 * time.Second

// Silent returns for how long a worker has sent nothing, 0 if that means nothing.
func (w *WorkerStatus) Silent(now time.Time) time.Duration {
	if silent := now.Sub(w.Seen); silent > silentTime {
		return silent
	}
	return 0
}

// statusFile is where a run keeps its status for other processes. It is for people only: nothing depends on it.
const statusFile = "status.json"

// SaveStatus writes a status into the directory of a run, where ReadStatus finds it, whole or not at all.
func SaveStatus(dir string, s Status) error {
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	path := filepath.Join(dir, statusFile)
	if err := os.WriteFile(path+".new", append(text, '\n'), 0o666); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}

// ReadStatus reads the last status that a run wrote into its directory. Its Time shows how old it is. The error is that of the
// file, or of what is in it.
func ReadStatus(dir string) (Status, error) {
	var s Status
	text, err := os.ReadFile(filepath.Join(dir, statusFile))
	if err == nil {
		err = json.Unmarshal(text, &s)
	}
	return s, err
}

// RemoveStatus takes away what SaveStatus wrote, for the run has ended.
func RemoveStatus(dir string) { _ = os.Remove(filepath.Join(dir, statusFile)) } // if it stays, its Time shows its age
