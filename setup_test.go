package fianchetto_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/oracle"
)

// randomFEN puts men anywhere, on a board anywhere between empty and full, and claims any rights and any en-passant square.
// Both kings are there once, mostly, and on their back ranks more often than not.
func randomFEN(random *rand.Rand) string {
	var men [64]byte
	density := random.IntN(100)
	for s := range men {
		if random.IntN(100) < density {
			men[s] = "PPPPPNBRQpppppnbrq"[random.IntN(18)]
			if (s < 8 || s >= 56) && random.IntN(50) > 0 {
				men[s] = "NBRQRnbrqr"[random.IntN(10)]
			}
		}
	}
	men[random.IntN(8)+8*random.IntN(2)*random.IntN(8)] = 'k' // the first square is a8
	men[63-random.IntN(8)-8*random.IntN(2)*random.IntN(8)] = 'K'
	var placement strings.Builder
	for s, man := range men {
		if s > 0 && s%8 == 0 {
			placement.WriteByte('/')
		}
		placement.WriteByte(max(man, '1')) // 1 is an empty square
	}
	rights := ""
	for _, letter := range "KQkqABCDEFGHabcdefgh" {
		if random.IntN(14) == 0 {
			rights += string(letter)
		}
	}
	if rights == "" {
		rights = "-"
	}
	enPassant := "-"
	if random.IntN(2) == 0 {
		enPassant = fmt.Sprintf("%c%d", 'a'+random.IntN(8), 3+3*random.IntN(2))
	}
	return fmt.Sprintf("%s %c %s %s %d %d", placement.String(), "wb"[random.IntN(2)], rights, enPassant, random.IntN(100), random.IntN(200))
}

// TestRandomSetupsAgreeWithOracle refuses the random setups that the oracle refuses, accepts the others, and has
// the oracle's moves in them, however unreachable they are.
func TestRandomSetupsAgreeWithOracle(t *testing.T) {
	const setups = 100000
	accepted, withRights, withEnPassant := 0, 0, 0
	random := rand.New(rand.NewPCG(5, 0))
	for range setups {
		fen := randomFEN(random)
		p, err := fianchetto.ParseFEN(fen)
		_, slowErr := oracle.Parse(fen)
		if (err == nil) != (slowErr == nil) {
			t.Fatalf("%q: %v, the oracle says %v", fen, err, slowErr)
		}
		var unplayable *fianchetto.UnplayableError
		if err != nil {
			if !errors.As(err, &unplayable) {
				t.Fatalf("%q: %v is no question of syntax", fen, err)
			}
			continue
		}
		n := newNode(t, fen)
		n.check(t)
		accepted++
		if p.CastlingRooks(fianchetto.White)|p.CastlingRooks(fianchetto.Black) != 0 {
			withRights++
		}
		if p.EnPassant() != fianchetto.NoSquare {
			withEnPassant++
		}
	}
	if min(withRights, withEnPassant) < 20 {
		t.Errorf("%d accepted, %d with castling rights, %d with an en-passant square", accepted, withRights, withEnPassant)
	}
	t.Logf("%d of %d setups accepted, %d with castling rights, %d with an en-passant square", accepted, setups, withRights, withEnPassant)
}
