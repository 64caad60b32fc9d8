package attacks

import (
	"math/rand/v2"
	"testing"
)

// The instruction and its portable stand-in must be interchangeable, on any mask.
func TestExtractAgreesWithItsPortableForm(t *testing.T) {
	if !pext.Available() {
		t.Skip("no PEXT in this build or CPU: there is only the portable form")
	}
	random := rand.New(rand.NewPCG(9, 10))
	for range 100_000 {
		source, mask := random.Uint64(), uint64(randomOccupancy(random))
		if got, want := extract(source, mask), extractPortable(source, mask); got != want {
			t.Fatalf("extract(%#x, %#x) = %#x, want %#x", source, mask, got, want)
		}
	}
}

func TestExtractPortable(t *testing.T) {
	tests := []struct{ source, mask, want uint64 }{
		{0, 0, 0},
		{^uint64(0), 0, 0},
		{0b1011_0110, 0b0101_0101, 0b0110},
		{1 << 63, 1<<63 | 1, 0b10},
		{0x0123456789abcdef, ^uint64(0), 0x0123456789abcdef},
	}
	for _, tt := range tests {
		if got := extractPortable(tt.source, tt.mask); got != tt.want {
			t.Errorf("extractPortable(%#x, %#x) = %#b, want %#b", tt.source, tt.mask, got, tt.want)
		}
	}
}
