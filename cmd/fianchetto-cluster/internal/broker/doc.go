// Package broker hands tasks to workers and results back, through NATS JetStream: a server embedded in this process
// unless a cluster of them is named. It knows nothing of chess: tasks and results are bytes with a key.
//
// A task is leased to one worker at a time. The lease is kept by heartbeats; when they end, the task goes to another
// worker. A worker reports the result before it gives up the task, so that a task may be done twice but is never lost
// while the broker lives. The broker keeps everything in memory and may lose all of it: whoever gives out the tasks must
// know which results it has, make the queue again and publish the others again, which is harmless at any time: a task
// that is already waiting or leased is not taken twice.
//
// Source: https://docs.nats.io/nats-concepts/jetstream
package broker
