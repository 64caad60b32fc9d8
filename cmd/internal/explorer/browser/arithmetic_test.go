package browser

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/fianchetto-chess/fianchetto/attacks"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/internal/must"
	"github.com/fianchetto-chess/fianchetto/magic"
)

// TestMagicPageCountsAsTheLibrary compares the page's masks, indexes, sums of columns and attacks
// with package magic, for each piece and square under 200 random occupancies.
func TestMagicPageCountsAsTheLibrary(t *testing.T) {
	t.Parallel()
	p := open(t, "http", "#view=learn")
	random := rand.New(rand.NewPCG(1, 2))
	type numbers struct {
		Mask, Attacks, Product string
		Index                  int
	}
	for _, m := range magic.Numbers() {
		occupancies, want := make([]string, 200), make([]numbers, 200)
		for i := range occupancies {
			occupancy := bitboard.Bitboard(random.Uint64() & random.Uint64())
			attack := attacks.Rook
			if m.Piece == bitboard.Bishop {
				attack = attacks.Bishop
			}
			occupancies[i] = fmt.Sprintf("0x%x", uint64(occupancy))
			want[i] = numbers{hex(magic.Mask(m.Piece, m.Square)), hex(attack(m.Square, occupancy)),
				hex(bitboard.Bitboard(uint64(occupancy&magic.Mask(m.Piece, m.Square)) * m.Factor)), m.Index(occupancy)}
		}
		list := must.Get(json.Marshal(occupancies))(t)
		got := value[[]numbers](p, fmt.Sprintf(`Promise.all([import("/magic.js"), import("/sets.js")])
			.then(([magic, sets]) => {
			const m = magic.numberOf(%q, %d);
			return %s.map(BigInt).map((occupied) => ({
				Mask: sets.hex(m.mask), Attacks: sets.hex(magic.attacksOf(m.piece, m.square, occupied)),
				Product: sets.hex(magic.columnsOf(m, [...sets.squaresOf(occupied & m.mask)])
					.reduce((sum, {bit}, i) => sum + (BigInt(bit) << BigInt(i)), 0n)),
				Index: magic.indexOf(m, occupied)}));
		})`, m.Piece, m.Square, list))
		for i := range want {
			if got[i] != want[i] {
				t.Fatalf("a %v on %v under %s: %+v, want %+v", m.Piece, m.Square, occupancies[i], got[i], want[i])
			}
		}
	}
}

func hex(b bitboard.Bitboard) string { return fmt.Sprintf("0x%016x", uint64(b)) }

// TestCollisionsAreReal draws a random number for every square and compares the page's table with
// package magic: the wrong slots, and the index and the attacks of each shown collision.
func TestCollisionsAreReal(t *testing.T) {
	t.Parallel()
	p := open(t, "http", "#view=learn")
	type collision struct {
		Index       int
		Occupancies []string
		Attacks     []string
	}
	type table struct {
		Factor                    string
		Used, Wrong               int
		Constructive, Destructive *collision
	}
	destructive := 0
	for _, m := range magic.Numbers() {
		got := value[table](p, fmt.Sprintf(`Promise.all([import("/magic.js"), import("/sets.js")])
			.then(([magic, sets]) => {
			const m = {...magic.numberOf(%q, %d), factor: magic.randomFactor()};
			const t = magic.tableOf(m, crypto.getRandomValues(new BigUint64Array(1))[0]);
			const pair = (c) => c &&
				{Index: c.index, Occupancies: c.occupancies.map(sets.hex), Attacks: c.attacks.map(sets.hex)};
			return {Factor: sets.hex(m.factor), Used: t.slots.size, Wrong: t.wrong.size,
				Constructive: pair(t.constructive), Destructive: pair(t.destructive)};
		})`, m.Piece, m.Square))
		var factor uint64
		fmt.Sscanf(got.Factor, "0x%x", &factor)
		m.Factor, m.Start = factor, 0
		first, wrong := map[int]bitboard.Bitboard{}, map[int]bool{}
		attack := map[bitboard.PieceType]func(bitboard.Square, bitboard.Bitboard) bitboard.Bitboard{
			bitboard.Bishop: attacks.Bishop, bitboard.Rook: attacks.Rook}[m.Piece]
		for occupancy := range magic.Mask(m.Piece, m.Square).Subsets() {
			index, attacked := m.Index(occupancy), attack(m.Square, occupancy)
			if found, ok := first[index]; ok && found != attacked {
				wrong[index] = true
			} else {
				first[index] = attacked
			}
		}
		if got.Used != len(first) || got.Wrong != len(wrong) || (got.Destructive != nil) != (len(wrong) > 0) {
			t.Fatalf("%v by %s: %+v, want %d slots, %d wrong", m, got.Factor, got, len(first), len(wrong))
		}
		for same, c := range map[bool]*collision{true: got.Constructive, false: got.Destructive} {
			if c == nil {
				continue
			}
			var occupancies [2]bitboard.Bitboard
			for i := range occupancies {
				fmt.Sscanf(c.Occupancies[i], "0x%x", (*uint64)(&occupancies[i]))
				if m.Index(occupancies[i]) != c.Index || hex(attack(m.Square, occupancies[i])) != c.Attacks[i] {
					t.Errorf("%v by %s: %s has not index %d and attacks %s", m, got.Factor, c.Occupancies[i], c.Index,
						c.Attacks[i])
				}
			}
			if occupancies[0] == occupancies[1] || (c.Attacks[0] == c.Attacks[1]) != same {
				t.Errorf("%v by %s: no collision: %+v", m, got.Factor, c)
			}
			if !same {
				destructive++
			}
		}
	}
	if destructive < 64 {
		t.Errorf("only %d of 128 random numbers have a destructive collision", destructive)
	}
}
