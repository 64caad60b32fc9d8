package oracle

import "testing"

func TestFENSpellings(t *testing.T) {
	for _, test := range []struct{ name, fen, want, shredder string }{
		{"standard", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
			"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1"},
		{"Shredder", "r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1",
			"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1"},
		{"four fields", "4k3/8/8/8/8/8/8/4K3 b - -",
			"4k3/8/8/8/8/8/8/4K3 b - - 0 1", "4k3/8/8/8/8/8/8/4K3 b - - 0 1"},
		{"X-FEN, outermost rooks", "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkq - 0 1",
			"1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1", "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1"},
		{"X-FEN, an inner rook", "4k3/8/8/8/8/8/8/RR2K1RR w GQ - 0 1",
			"4k3/8/8/8/8/8/8/RR2K1RR w GA - 0 1", "4k3/8/8/8/8/8/8/RR2K1RR w GA - 0 1"},
		{"double Chess960", "r1k4r/8/8/8/8/8/8/1R3KR1 w KQkq - 0 1",
			"r1k4r/8/8/8/8/8/8/1R3KR1 w GBha - 0 1", "r1k4r/8/8/8/8/8/8/1R3KR1 w GBha - 0 1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := mustParse(t, test.fen)
			if got := b.FEN(); got != test.want {
				t.Errorf("FEN %s, want %s", got, test.want)
			}
			if got := b.ShredderFEN(); got != test.shredder {
				t.Errorf("Shredder-FEN %s, want %s", got, test.shredder)
			}
			if again := mustParse(t, b.ShredderFEN()); again != b {
				t.Errorf("read back %s", again.FEN())
			}
		})
	}
}
