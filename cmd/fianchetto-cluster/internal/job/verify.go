package job

import (
	"slices"

	"github.com/fianchetto-chess/fianchetto/perft"
)

// candidates are the results of a task that has none accepted yet, each another than those before. In a job that is verified a result
// is accepted if two of them are equal and independent of each other. As long as they are not, there are at most three of each
// value: of one worker by three methods, or of two workers by one.
type candidates []candidate

type candidate struct {
	ResultInfo
	digest digest
}

// independent reports whether two results were counted by different methods and, unless there was one worker only, by different
// workers. A fault of a method shows in all counts by it, whoever counts, and one of a machine in all its counts.
func (c *candidate) independent(other *candidate) bool {
	return c.Method != other.Method && (c.owner() != other.owner() || c.Alone && other.Alone)
}

// owner returns who answers for the result.
func (c *candidate) owner() string { return Owner(c.Worker) }

// confirm reports whether a result is equal to one of the candidates, and independent of it.
func (all candidates) confirm(c *candidate) bool {
	return slices.ContainsFunc(all, func(a candidate) bool { return a.digest == c.digest && a.independent(c) })
}

// enough is how many workers' results of one value by one method there can be: a third adds nothing.
const enough = 2

// have reports whether a result adds nothing to the candidates.
func (all candidates) have(c *candidate) bool {
	same := 0
	for i := range all {
		if all[i].digest == c.digest && all[i].Method == c.Method {
			same++
			if all[i].owner() == c.owner() || same == enough {
				return true
			}
		}
	}
	return false
}

// contradict reports whether the same worker has counted something else by the same method.
func (all candidates) contradict(c *candidate) bool {
	return slices.ContainsFunc(all, func(a candidate) bool {
		return a.digest != c.digest && a.Worker == c.Worker && a.Method == c.Method
	})
}

// values returns how many different results there are.
func (all candidates) values() int {
	different := make(map[digest]bool)
	for i := range all {
		different[all[i].digest] = true
	}
	return len(different)
}

func (all candidates) conflict(index int) error {
	return &ConflictError{index, all.infos()}
}

func (all candidates) infos() (infos []ResultInfo) {
	for i := range all {
		infos = append(infos, all[i].ResultInfo)
	}
	return infos
}

// want returns what to ask for next: the method that can confirm most of the values, of a worker whose result would confirm each of
// these. It reports false if no method is left: two workers by one method contradict two workers by another.
func (all candidates) want(index int) (w Want, ok bool) {
	w = Want{Index: index, Pass: len(all)}
	if len(all) == 0 {
		return w, true
	}
	most, fewest := 0, 0
	for _, m := range []perft.Method{perft.TwoPly, perft.Plain} { // the methods of all machines, the faster first
		if all.exhausted(m) {
			continue
		}
		values, counts := all.confirmable(m), all.countsBy(m)
		if values > most || values == most && counts < fewest {
			most, fewest, w.Method = values, counts, m
		}
	}
	if most == 0 {
		return w, false
	}
	for i := range all {
		if owner := all[i].owner(); all.mustAvoid(owner, w.Method) && !slices.Contains(w.Avoid, owner) {
			w.Avoid = append(w.Avoid, owner)
		}
	}
	return w, true
}

// exhausted reports whether enough workers came to the same by a method.
func (all candidates) exhausted(m perft.Method) bool {
	counts := make(map[digest]int)
	for i := range all {
		if all[i].Method == m {
			counts[all[i].digest]++
		}
	}
	for _, n := range counts {
		if n >= enough {
			return true
		}
	}
	return false
}

// confirmable returns how many values a method can confirm: those that another method has counted.
func (all candidates) confirmable(m perft.Method) int {
	values := make(map[digest]bool)
	for i := range all {
		if all[i].Method != m {
			values[all[i].digest] = true
		}
	}
	return len(values)
}

// countsBy returns how many results are by a method.
func (all candidates) countsBy(m perft.Method) (n int) {
	for i := range all {
		if all[i].Method == m {
			n++
		}
	}
	return n
}

// mustAvoid reports whether a worker's result by a method might decide nothing: it has one by this method, or, of those that have
// counted some value by another method, it is the only one.
func (all candidates) mustAvoid(owner string, m perft.Method) bool {
	return slices.ContainsFunc(all, func(c candidate) bool {
		another := func(a candidate) bool { return a.digest == c.digest && a.Method != m && a.owner() != owner }
		return c.owner() == owner && (c.Method == m || !c.Alone && !slices.ContainsFunc(all, another))
	})
}
