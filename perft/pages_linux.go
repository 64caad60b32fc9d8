package perft

import "golang.org/x/sys/unix"

// adviseHugePages asks for large pages under memory that nobody has touched yet. Looking a position up in a table goes
// to a page at random: with small ones, finding the page takes longer than reading it. It is advice, and may be refused.
func adviseHugePages(memory []byte) {
	_ = unix.Madvise(memory, unix.MADV_HUGEPAGE)
}

// discardPages gives pages back to the system, and reports whether they are zero from then on.
func discardPages(memory []byte) bool {
	return len(memory) == 0 || unix.Madvise(memory, unix.MADV_DONTNEED) == nil
}
