package magic

import (
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto/bitboard"
)

func TestChosenNumbersShareTheirTable(t *testing.T) {
	report, err := VerifyTable(Numbers())
	if want := "128 magics, 107648 occupancies, 0 collisions"; err != nil || report.String() != want {
		t.Errorf("VerifyTable(Numbers()) = %v, %v; want %s", report, err, want)
	}
}

func TestVariableNumbersAreSound(t *testing.T) {
	report, err := Verify(VariableNumbers())
	if want := "128 magics, 107648 occupancies, 0 collisions"; err != nil || report.String() != want {
		t.Errorf("Verify(VariableNumbers()) = %v, %v; want %s", report, err, want)
	}
}

func TestReportAgreesInNumber(t *testing.T) {
	for want, report := range map[string]Report{
		"1 magic, 1 occupancy, 1 collision":      {1, 1, make([]Collision, 1)},
		"0 magics, 0 occupancies, 0 collisions":  {},
		"2 magics, 64 occupancies, 2 collisions": {2, 64, make([]Collision, 2)},
	} {
		if got := report.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestVerifySeesAWrongFactor(t *testing.T) {
	numbers := Numbers()
	numbers[77].Factor = 0 // sends all 1024 occupancies to one slot, where the first stays
	report, err := Verify(numbers)
	if err != nil || len(report.Collisions) != 1023 {
		t.Fatalf("Verify = %v, %v; want 1023 collisions", report, err)
	}
	for _, c := range report.Collisions {
		if c.Magic.Square != numbers[77].Square || c.Magic.Piece != numbers[77].Piece {
			t.Fatalf("collision at %v, of which nothing was changed", c.Magic)
		}
		if c.Attacks != walk(c.Magic.Piece, c.Magic.Square, c.Occupancy) || c.Attacks == c.Found {
			t.Fatalf("%#x and %#x do not collide", uint64(c.Attacks), uint64(c.Found))
		}
	}
}

// Each number is sound by itself; it is the overlap that must be refused.
func TestVerifyTableSeesWindowsInEachOthersWay(t *testing.T) {
	numbers := Numbers()
	numbers[100].Start = numbers[101].Start
	report, err := VerifyTable(numbers)
	if err != nil || len(report.Collisions) == 0 {
		t.Errorf("VerifyTable = %v, %v; want collisions", report, err)
	}
}

func TestVerifyRefusesWhatIsNotAMagic(t *testing.T) {
	sound := Numbers()[0]
	tests := []struct {
		field string
		spoil func(*Magic)
	}{
		{"piece", func(m *Magic) { m.Piece = bitboard.Knight }},
		{"square", func(m *Magic) { m.Square = bitboard.NoSquare }},
		{"shift", func(m *Magic) { m.Shift = MinShift - 1 }},
		{"shift", func(m *Magic) { m.Shift = 64 }},
		{"mask", func(m *Magic) { m.Mask = bitboard.Full }},
		{"start", func(m *Magic) { m.Start = -1 }},
	}
	for _, tt := range tests {
		m := sound
		tt.spoil(&m)
		_, err := Verify([]Magic{sound, m})
		if err == nil || !strings.HasPrefix(err.Error(), "number 1: magic: "+tt.field) {
			t.Errorf("Verify of %v with another %s gives error %v", m, tt.field, err)
		}
	}
}
