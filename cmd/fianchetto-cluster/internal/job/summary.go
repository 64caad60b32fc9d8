package job

// Summary is how far a job is, and, if it is done, what it has come to.
type Summary struct {
	Description
	TasksDone     int        `json:"tasks_done"`
	PositionsDone int        `json:"positions_done"`
	Counted       Count      `json:"nodes_counted"` // the leaves below the positions that are done
	Done          bool       `json:"done"`
	Nodes         *Count     `json:"nodes,omitzero"`  // the total, only if all tasks are there, and not of an outline
	Divide        []Nodes    `json:"divide,omitzero"` // by root move in the order of generation, only if all tasks are there
	Mismatches    []Mismatch `json:"mismatches,omitzero"`

	// Time on one thread, in seconds: of all results, and, by the mean of these, of those that are missing; 0 before the first.
	Seconds     float64 `json:"seconds"`
	SecondsLeft float64 `json:"seconds_left"`
}

// Nodes is a root move, in UCI notation, and the leaves below it.
type Nodes struct {
	Move  string `json:"move"`
	Nodes Count  `json:"nodes"`
}

// Summary returns how far the job is. There is no total before all tasks are there.
func (l *Ledger) Summary() Summary {
	s := Summary{
		Description:   l.job.Description(),
		TasksDone:     l.done,
		PositionsDone: l.counted,
		Counted:       l.nodes,
		Done:          l.Done(),
		Mismatches:    l.Mismatches(),
		Seconds:       l.spent.Seconds(),
	}
	if l.results > 0 {
		s.SecondsLeft = s.Seconds / float64(l.results) * float64(l.missing())
	}
	if s.Done && l.job.frontier != nil {
		total := l.nodes
		s.Nodes, s.Divide = &total, l.Divide()
	}
	return s
}
