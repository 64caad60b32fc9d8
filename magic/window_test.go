package magic

import (
	"testing"
)

func TestPackLeavesNoCollisions(t *testing.T) {
	numbers := append(Numbers(), VariableNumbers()...)
	windows := Pack(numbers)
	for i, w := range windows {
		if w.Magic != numbers[i] {
			t.Fatalf("window %d is for %v, want %v", i, w.Magic, numbers[i])
		}
	}
	report, err := VerifyTable(windows)
	if want := "256 magics, 215296 occupancies, 0 collisions"; err != nil || report.String() != want {
		t.Errorf("VerifyTable = %v, %v; want %s", report, err, want)
	}
}

// The committed places are those Pack gives today.
func TestPackPlacesTheChosenNumbersWhereTheyAre(t *testing.T) {
	committed := Windows()
	size := 0
	for i, w := range Pack(Numbers()) {
		if w != committed[i] {
			t.Errorf("%v starts at slot %d, committed is %d", w.Magic, w.Start, committed[i].Start)
		}
		size = max(size, w.Start+w.Slots())
	}
	if size != tableSlots {
		t.Errorf("the table needs %d slots, has %d", size, tableSlots)
	}
}

func TestSpanCoversEveryIndex(t *testing.T) {
	for _, m := range append(Numbers(), VariableNumbers()...) {
		used := m.used()
		if used[0] != 0 || used[len(used)-1] != m.Span()-1 || m.Span() > m.Slots() {
			t.Errorf("%v uses slots %d to %d of %d, its span is %d", m, used[0], used[len(used)-1], m.Slots(), m.Span())
		}
	}
}
