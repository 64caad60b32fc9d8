// Package journal keeps the results of a job in a directory: the one truth about what is counted. Whatever else is lost, a
// job goes on from there.
//
// The file "journal" is text. Its first line is the job, the others are results, each as the message package job makes of it, in base64:
//
//	fianchetto job {"id":"5f0c...","version":1,...} 122fd6bae86a18c9
//	result RmlSczEB... ce374ba630b2479f
//
// Each line ends with the CRC-64 of what is before it, and is believed only if that agrees. Lines are only ever appended, and a result
// is told to be kept when it is safe on the disk. So a file whose last line is torn off was being written when the machine failed, and nobody was told
// of that result: the torn line is cut off. A line that is damaged in the middle is left where it is and not believed: its task is
// counted again. Either way what happens to the file costs time, never a leaf, and is reported.
//
// The one process that writes holds a lock on the file "lock", and the file "owner" names that process.
package journal

import "github.com/fianchetto-chess/fianchetto"

// What is wrong with a directory. *OtherJobError, *LockedError and *DamageError say more.
const (
	ErrNoJournal fianchetto.Problem = "there is no journal of a job"
	ErrOtherJob  fianchetto.Problem = "the journal is of another job"
	ErrLocked    fianchetto.Problem = "another process has the journal open"
	ErrDamaged   fianchetto.Problem = "the journal does not say of what job it is"
)
