package bitboard

import "testing"

func TestSquareMapping(t *testing.T) {
	for index := range 64 {
		s := Square(index)
		f, r := File(index%8), Rank(index/8)
		if s.File() != f || s.Rank() != r || SquareAt(f, r) != s {
			t.Errorf("%d: file %v, rank %v", index, s.File(), s.Rank())
		}
		if s.FlipRank() != SquareAt(f, 7-r) || s.FlipFile() != SquareAt(7-f, r) {
			t.Errorf("%v flips to %v and %v", s, s.FlipRank(), s.FlipFile())
		}
		if want := string(rune('a'+f)) + string(rune('1'+r)); s.String() != want || !s.IsValid() {
			t.Errorf("%d is %v, want %s", index, s, want)
		}
		if s.Bitboard() != 1<<index {
			t.Errorf("the set of %v is\n%v", s, s.Bitboard())
		}
		if got, err := ParseSquare(s.String()); got != s || err != nil {
			t.Errorf("%v is read as %v, %v", s, got, err)
		}
	}
	if NoSquare.IsValid() || NoSquare.String() != "-" {
		t.Errorf("NoSquare is %v", NoSquare)
	}
}

// A square is dark if it is reached from a1 by an even number of single steps.
func TestSquareColor(t *testing.T) {
	for s := range allSquares {
		dark := (int(s.File())+int(s.Rank()))%2 == 0
		if (s.Color() == Black) != dark || DarkSquares.Has(s) != dark || LightSquares.Has(s) == dark {
			t.Errorf("%v is %v, want dark %v", s, s.Color(), dark)
		}
	}
}

func TestFilesAndRanks(t *testing.T) {
	named := map[Rank]Bitboard{
		Rank1: Rank1Mask, Rank2: Rank2Mask, Rank3: Rank3Mask, Rank4: Rank4Mask,
		Rank5: Rank5Mask, Rank6: Rank6Mask, Rank7: Rank7Mask, Rank8: Rank8Mask,
	}
	for i := range uint8(8) {
		for s := range allSquares {
			if got := File(i).Mask().Has(s); got != (s.File() == File(i)) {
				t.Errorf("file %v has %v: %v", File(i), s, got)
			}
			if got := Rank(i).Mask().Has(s); got != (s.Rank() == Rank(i)) {
				t.Errorf("rank %v has %v: %v", Rank(i), s, got)
			}
		}
		if named[Rank(i)] != Rank(i).Mask() {
			t.Errorf("the constant of rank %v is\n%v", Rank(i), named[Rank(i)])
		}
	}
	if FileAMask != FileA.Mask() || FileHMask != FileH.Mask() {
		t.Error("the constants of the outer files differ from their masks")
	}
}

func TestPieces(t *testing.T) {
	seen := map[Piece]bool{}
	for _, c := range []Color{White, Black} {
		if c.Opponent() == c || c.Opponent().Opponent() != c {
			t.Errorf("the opponent of %v is %v", c, c.Opponent())
		}
		for kind := Pawn; kind <= King; kind++ {
			p := PieceOf(c, kind)
			if p.Color() != c || p.Type() != kind || !p.IsValid() || seen[p] {
				t.Errorf("%v: %v %v", p, p.Color(), p.Type())
			}
			seen[p] = true
		}
		if PieceOf(c, NoPieceType) != NoPiece {
			t.Errorf("a %v piece of no type is %v", c, PieceOf(c, NoPieceType))
		}
	}
	for p, name := range map[Piece]string{
		WhitePawn: "P", WhiteKnight: "N", WhiteBishop: "B", WhiteRook: "R", WhiteQueen: "Q", WhiteKing: "K",
		BlackPawn: "p", BlackKnight: "n", BlackBishop: "b", BlackRook: "r", BlackQueen: "q", BlackKing: "k",
	} {
		if p.String() != name || !seen[p] {
			t.Errorf("%v, want %s", p, name)
		}
	}
	if NoPiece.IsValid() || NoPieceType.IsValid() || NoPiece.Type() != NoPieceType {
		t.Error("an empty square has a piece")
	}
}
