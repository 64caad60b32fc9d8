package magic

import "testing"

func TestWindowsFillTheTable(t *testing.T) {
	size := 0
	for _, m := range Numbers() {
		size = max(size, m.Start+m.Slots())
	}
	if size != len(table) {
		t.Errorf("the windows need %d slots, the table has %d", size, len(table))
	}
}

func TestUsedAreTheIndicesOfOccupancies(t *testing.T) {
	slots := 0
	for _, m := range append(Numbers(), VariableNumbers()...) {
		used := m.Used()
		if used[0] != 0 || used[len(used)-1] >= m.Slots() || len(used) > 1<<m.Mask.Len() {
			t.Errorf("%v uses %d slots, %d to %d of %d", m, len(used), used[0], used[len(used)-1], m.Slots())
		}
		slots += len(used)
	}
	if slots < 128 || slots > 2*107648 {
		t.Errorf("%d slots are in use", slots)
	}
}

func TestNumbersHaveTheirTries(t *testing.T) {
	for _, m := range append(Numbers(), VariableNumbers()...) {
		if m.Tries < 1 {
			t.Errorf("%v was found after %d tries", m, m.Tries)
		}
	}
}
