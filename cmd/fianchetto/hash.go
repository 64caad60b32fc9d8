package main

import (
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// hashSize is the value of a flag for the size of a hash table: a size, or "auto".
type hashSize struct {
	megabytes sizeValue
	auto      bool // the size that suits a count
}

// hashVar defines the flag --hash, of which 0 is the default.
func hashVar(flags *pflag.FlagSet, target *hashSize) {
	flags.Var(target, "hash", "size of the hash table, `MB`, with a unit (1G), or auto; 0 is none")
}

// String returns what Set reads.
func (h *hashSize) String() string {
	if h.auto {
		return "auto"
	}
	return h.megabytes.String()
}

// Type is what help prints for the value.
func (h *hashSize) Type() string { return h.megabytes.Type() }

// Set reads a size, or "auto".
func (h *hashSize) Set(text string) error {
	*h = hashSize{auto: strings.EqualFold(text, "auto")}
	if h.auto {
		return nil
	}
	if h.megabytes.Set(text) != nil {
		return fmt.Errorf("%s is not a size (64, 64M, 1G, auto)", quote.Text(text, 0))
	}
	return nil
}

// given reports whether there is to be a hash table.
func (h *hashSize) given() bool { return h.auto || h.megabytes != 0 }

// megabytesFor returns the size for a count.
func (h *hashSize) megabytesFor(pos fianchetto.Position, depth int) int {
	if h.auto {
		return perft.AutoHashMB(pos, depth)
	}
	return int(h.megabytes)
}
