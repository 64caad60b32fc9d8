package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
	"github.com/fianchetto-chess/fianchetto/perft"
)

// HashSize is the value of a flag for the size of a hash table: a size, or "auto".
type HashSize struct {
	megabytes sizeValue
	auto      bool // the size that suits a count
}

// HashVar defines the flag --hash, of which 0 is the default.
func HashVar(flags *pflag.FlagSet, target *HashSize) {
	flags.Var(target, "hash", "size of the hash table, `MB`, with a unit (1G), or auto; 0 is none")
}

// String returns what Set reads.
func (h *HashSize) String() string {
	if h.auto {
		return "auto"
	}
	return h.megabytes.String()
}

// Type is what help prints for the value.
func (h *HashSize) Type() string { return h.megabytes.Type() }

// Set reads a size, or "auto".
func (h *HashSize) Set(text string) error {
	*h = HashSize{auto: strings.EqualFold(text, "auto")}
	if h.auto {
		return nil
	}
	if h.megabytes.Set(text) != nil {
		return fmt.Errorf("%s is not a size (64, 64M, 1G, auto)", quote.Text(text, 0))
	}
	return nil
}

// Given reports whether there is to be a hash table.
func (h *HashSize) Given() bool { return h.auto || h.megabytes != 0 }

// MegabytesFor returns the size for a count.
func (h *HashSize) MegabytesFor(pos fianchetto.Position, depth int) int {
	if h.auto {
		return perft.AutoHashMB(pos, depth)
	}
	return int(h.megabytes)
}
