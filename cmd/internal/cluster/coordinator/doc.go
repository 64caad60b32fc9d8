// Package coordinator gives out the tasks of a job, takes the results, and keeps them in a journal before it tells the
// engine that it has them. What is in the journal is the only truth: the engine may lose tasks and results, and what is
// missing is given out again. Nothing is ever incremented because of a message: the ledger decides what a result changes.
package coordinator
