package perft

import (
	"os"
	"unsafe"
)

// makeLarge returns a slice of so many zero values, with large pages under it where the system has them.
func makeLarge[T any](n int) []T {
	slice := make([]T, n)
	_, pages, _ := cutPages(bytesOf(slice))
	adviseHugePages(pages)
	return slice
}

// clearLarge sets a slice of values without pointers to zero. Where the system can, its pages go back to the system, which gives empty ones
// when they are used again.
func clearLarge[T any](slice []T) {
	before, pages, after := cutPages(bytesOf(slice))
	clear(before)
	clear(after)
	if !discardPages(pages) {
		clear(pages)
	}
}

// bytesOf returns the memory of a slice.
func bytesOf[T any](slice []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(slice))), len(slice)*int(unsafe.Sizeof(*new(T))))
}

// cutPages cuts memory where its first whole page begins and its last one ends, as systems ask of what they are advised on.
func cutPages(memory []byte) (before, pages, after []byte) {
	page := os.Getpagesize()
	begin := min(int(-uintptr(unsafe.Pointer(unsafe.SliceData(memory)))&uintptr(page-1)), len(memory))
	end := begin + (len(memory)-begin)&^(page-1)
	return memory[:begin], memory[begin:end], memory[end:]
}
