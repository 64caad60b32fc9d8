// Package coordinator gives out the tasks of a job, takes the results, and keeps them in a journal before it
// acknowledges them to the broker. Only the journal decides what is counted: the broker may lose tasks and results, and what is
// missing is given out again. The ledger alone decides what a result changes.
package coordinator
