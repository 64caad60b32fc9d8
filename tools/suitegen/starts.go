package main

import (
	"fmt"
	"strings"
)

// standardArray is the number of the standard array among the 960.
const standardArray = 518

// startArray returns the pieces of Chess960 start position n (0..959) from the a-file
// to the h-file, by Scharnagl's numbering: 518 is "RNBQKBNR".
// Source: https://en.wikipedia.org/wiki/Fischer_random_chess_numbering_scheme
func startArray(n int) string {
	array := []byte("        ")
	// place puts piece on the free file with the given number of free files before it.
	place := func(piece byte, free int) {
		for file, taken := range array {
			if taken != ' ' {
				continue
			}
			if free == 0 {
				array[file] = piece
				return
			}
			free--
		}
	}
	array[2*(n%4)+1] = 'B' // on a light square
	n /= 4
	array[2*(n%4)] = 'B' // on a dark one
	n /= 4
	place('Q', n%6)
	n /= 6
	first, second := knightFiles(n)
	place('N', second)
	place('N', first)
	for _, piece := range []byte("RKR") {
		place(piece, 0)
	}
	return string(array)
}

// knightFiles returns the n-th (0..9) pair of the five free files, in lexical order.
func knightFiles(n int) (first, second int) {
	for first = 0; ; first++ {
		if pairs := 4 - first; n >= pairs {
			n -= pairs
			continue
		}
		return first, first + 1 + n
	}
}

// startFEN returns the start position in which White has array white and Black array black.
func startFEN(white, black int) string {
	return fmt.Sprintf("%s/pppppppp/8/8/8/8/PPPPPPPP/%s w KQkq - 0 1", strings.ToLower(startArray(black)), startArray(white))
}
