package pgn

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Unexported names, for the tests.
const (
	ErrText  = errText
	MaxToken = maxToken
	MaxGame  = maxGame
	MaxDepth = maxDepth
)

var Play = play

func (t Tags) Has(name string) bool { return t.index(name) >= 0 }

// SetPieceSize changes how many bytes Parallel reads at once, and returns how many it read before.
func SetPieceSize(size int) (before int) {
	before, pieceSize = pieceSize, size
	return before
}

func (b *Bytes) Total() int64 { return b.total() }

// Report returns what the error or warning says about the skipped bytes.
func (b *Bytes) Report() string { return skippedBytes{*b}.Error() }

// Signs returns all signs.
func Signs() []string { return slices.Sorted(maps.Keys(nagOfSign)) }

// Tables returns the tables of signs and of variants as docs/data.md shows them.
func Tables() string {
	text := "| NAG | signs |\n|--:|---|\n"
	for _, row := range signTable {
		text += fmt.Sprintf("| %d | `%s` |\n", row.value, strings.ReplaceAll(row.names, " ", "` `"))
	}
	text += "\n| rules | names |\n|---|---|\n"
	for i, name := range []string{"as the FEN says", "standard chess", "Chess960"} {
		text += fmt.Sprintf("| %s | %s |\n", name, strings.ReplaceAll(variants[i].names, " ", ", "))
	}
	return strings.Replace(text, "| 0 |", "| |", 1)
}
