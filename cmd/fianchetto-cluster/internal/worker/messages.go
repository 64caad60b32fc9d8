package worker

import (
	"encoding/binary"
	"fmt"

	"github.com/fianchetto-chess/fianchetto/cmd/fianchetto-cluster/internal/job"
)

// Take asks the coordinator for tasks, as JSON. The answer is a row of messages of tasks, empty if there is none now,
// or Ended. A report of results is a row of messages, too; its answer is empty, and comes when they are safe.
type Take struct {
	Thread string `json:"thread"` // that is to count them
	Limit  int    `json:"limit"`  // how many at most, 1..MaxBatch
}

// Ended is the answer to Take when all tasks are done. No row of messages is like it.
const Ended = "the run has ended"

// Heartbeat is what a process that works sends now and then, as JSON.
type Heartbeat struct {
	Name    string `json:"name"`
	Threads int    `json:"threads"` // 0: it leaves
	Tasks   []int  `json:"tasks"`   // the indices of those that it has
}

// AppendMessage appends a message to a row: its length, and its bytes.
func AppendMessage(row, message []byte) []byte {
	return append(binary.AppendUvarint(row, uint64(len(message))), message...)
}

// Messages returns the messages of a row. Its error is job.ErrMessage.
func Messages(row []byte) (messages [][]byte, err error) {
	for len(row) > 0 {
		size, n := binary.Uvarint(row)
		if n <= 0 || size > uint64(len(row)-n) {
			return messages, fmt.Errorf("%w: a row of messages ends too soon", job.ErrMessage)
		}
		messages, row = append(messages, row[n:n+int(size)]), row[n+int(size):]
	}
	return messages, nil
}
