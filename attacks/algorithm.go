package attacks

import (
	"fmt"
	"strings"

	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

// Slider is the signature all slider algorithms share: the squares a bishop or a rook on s attacks,
// up to and including the first occupied square of each ray. s is 0..63; occupancy may hold
// any squares, s too.
type Slider func(s bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard

// Algorithm is one way to work out slider attacks. All give the same answers and differ in speed and
// in memory; the package keeps them side by side to compare them and to test them against each other.
type Algorithm struct {
	Name       string // as [ByName] takes it
	Source     string // where it is described
	TableBytes int    // tables it reads, all of them built on first use except those of "fixed"
	Bishop     Slider // what a bishop attacks
	Rook       Slider // what a rook attacks

	unavailable bool
}

// Queen returns the squares a queen on s attacks: those of a bishop and of a rook there.
func (a Algorithm) Queen(s bitboard.Square, occupancy bitboard.Bitboard) bitboard.Bitboard {
	return a.Bishop(s, occupancy) | a.Rook(s, occupancy)
}

// Available reports whether this program and CPU have the instructions that a is about. If not, it
// still returns the right attacks, but its speed is not that of the algorithm.
func (a Algorithm) Available() bool { return !a.unavailable }

// Algorithms returns all slider algorithms, from the plainest to the most refined.
func Algorithms() []Algorithm {
	return []Algorithm{
		walker, breadcrumbs, coordinates, classical, hyperbola, obstruction,
		koggeStone, kindergarten, fancy, fixed, pext,
	}
}

// Default returns the algorithm behind [Bishop], [Rook] and [Queen]: the one that measures best.
func Default() Algorithm { return fixed }

// ByName returns the algorithm of that name. The error for an unknown name lists the names.
func ByName(name string) (Algorithm, error) {
	var names []string
	for _, a := range Algorithms() {
		if a.Name == name {
			return a, nil
		}
		names = append(names, a.Name)
	}
	return Algorithm{}, fmt.Errorf("attacks: unknown slider algorithm %s, want one of %s", quote.Text(name, 0), strings.Join(names, ", "))
}
