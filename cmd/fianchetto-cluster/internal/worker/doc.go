// Package worker counts the tasks of a broker's jobs, one on each thread: it takes a task, counts it, reports the result,
// and only then gives up the task. Whatever becomes of a worker, its task is with another soon, and a
// result that two workers report is the same.
package worker
