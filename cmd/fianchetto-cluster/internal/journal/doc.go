// Package journal keeps the results of a job in a directory: the one truth about what is counted. Whatever else is lost, a
// job goes on from there.
//
// The file "journal" is text. Its first line is the job, the others are results, each as the message package job makes of it, in base64:
//
//	fianchetto job {"id":"5f0c...","version":2,...} 122fd6bae86a18c9
//	result RmlSczEB... ce374ba630b2479f
//
// The form of the lines, their checksums and their reader are those of the library's internal/journal. Lines are only ever appended, and
// a result counts as kept when it is safe on the disk. So a file whose last line is torn off was being written when the machine
// failed, and its result did not count yet: the torn line is cut off. A line that is damaged in the middle stays and is not used: its task is
// counted again. Damage costs time, never changes a count, and is reported.
//
// The one process that writes holds a lock on the file "lock", and the file "owner" names that process.
package journal

import "github.com/fianchetto-chess/fianchetto"

// Problems of a directory. *OtherJobError and *LockedError have the details.
const (
	ErrNoJournal fianchetto.Problem = "there is no journal of a job"
	ErrOtherJob  fianchetto.Problem = "the journal is of another job"
	ErrLocked    fianchetto.Problem = "another process has the journal open"
	ErrDamaged   fianchetto.Problem = "the journal has no title"
	ErrIrregular fianchetto.Problem = "not a regular file"
)
