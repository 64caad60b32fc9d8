package bitboard_test

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/fianchetto-chess/fianchetto/bitboard"
)

func Example() {
	knights := bitboard.BitboardOf(bitboard.B1, bitboard.G1)
	centre := bitboard.Between(bitboard.C3, bitboard.F6)
	set := knights | centre
	fmt.Println(set.Len(), "squares:")
	for s := range set.Squares() {
		fmt.Print(s, " ")
	}
	// Output:
	// 4 squares:
	// b1 g1 d4 e5
}

// A table or the input of a network needs the twelve pieces side by side.
func ExamplePiece_Index() {
	for c := range bitboard.Black + 1 {
		pawn, king := bitboard.PieceOf(c, bitboard.Pawn), bitboard.PieceOf(c, bitboard.King)
		fmt.Println(pawn, pawn.Index(), king, king.Index())
	}
	// Output:
	// P 0 K 5
	// p 6 k 11
}

func ExampleBitboard() {
	fmt.Println(bitboard.FileE.Mask() &^ bitboard.Rank4.Mask())
	// Output:
	// . . . . 1 . . .
	// . . . . 1 . . .
	// . . . . 1 . . .
	// . . . . 1 . . .
	// . . . . . . . .
	// . . . . 1 . . .
	// . . . . 1 . . .
	// . . . . 1 . . .
}

func ExampleBitboard_Format() {
	fmt.Printf("%#x", bitboard.A1.Diagonal().Mask())
	// Output: 0x8040201008040201
}

func ExampleBitboard_Shift() {
	pawns := bitboard.Rank2.Mask()
	fmt.Println(pawns.Shift(bitboard.NorthEast)) // the step of the h-pawn would leave the board
	// Output:
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . 1 1 1 1 1 1 1
	// . . . . . . . .
	// . . . . . . . .
}

func ExampleBitboard_Subsets() {
	for subset := range bitboard.BitboardOf(bitboard.C1, bitboard.F4).Subsets() {
		fmt.Print("{ ")
		for s := range subset.Squares() {
			fmt.Print(s, " ")
		}
		fmt.Println("}")
	}
	// Output:
	// { }
	// { c1 }
	// { f4 }
	// { c1 f4 }
}

func ExampleLineKind_Fill() {
	fmt.Println(bitboard.DiagonalLine.Fill(bitboard.BitboardOf(bitboard.B3, bitboard.G2)))
	// Output:
	// . . . . . . 1 .
	// . . . . . 1 . .
	// . . . . 1 . . .
	// . . . 1 . . . .
	// . . 1 . . . . .
	// . 1 . . . . . 1
	// 1 . . . . . 1 .
	// . . . . . 1 . .
}

func ExampleWalk() {
	occupancy := bitboard.BitboardOf(bitboard.F6, bitboard.G7)
	fmt.Println(bitboard.Walk(bitboard.C3, bitboard.NorthEast, occupancy))
	// Output:
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . 1 . .
	// . . . . 1 . . .
	// . . . 1 . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . .
}

func ExampleParseSquare() {
	s, err := bitboard.ParseSquare("e9")
	fmt.Println(s, err)
	// Output:
	// - square "e9", offset 1: invalid rank (want 1 to 8)
}

func ExampleSquare_MarshalText() {
	text, _ := json.Marshal(map[string]bitboard.Square{"from": bitboard.E2, "to": bitboard.E4})
	fmt.Println(string(text))
	// Output: {"from":"e2","to":"e4"}
}

func ExampleSquare_Color() {
	for _, s := range []bitboard.Square{bitboard.C1, bitboard.F1, bitboard.C8, bitboard.F8} {
		if s.Color() == bitboard.Black {
			fmt.Println("the bishop on", s, "walks on dark squares")
		}
	}
	// Output:
	// the bishop on c1 walks on dark squares
	// the bishop on f8 walks on dark squares
}

func ExampleDiagonal() {
	d := bitboard.D3.Diagonal()
	fmt.Println(d, "has the squares", slices.Collect(d.Mask().Squares()))
	fmt.Printf("7+rank-file %d, rank-file %d, (rank-file)&15 %d\n", int(d), d.Offset(), d.Nexus())
	// Output:
	// b1/h7 has the squares [b1 c2 d3 e4 f5 g6 h7]
	// 7+rank-file 6, rank-file -1, (rank-file)&15 15
}

func ExampleAntiDiagonal() {
	a := bitboard.D3.AntiDiagonal()
	fmt.Println(a, "has the squares", slices.Collect(a.Mask().Squares()))
	fmt.Printf("rank+file %d, 7-rank-file %d, (rank+file)^7 %d\n", int(a), a.Offset(), a.Nexus())
	// Output:
	// f1\a6 has the squares [f1 e2 d3 c4 b5 a6]
	// rank+file 5, 7-rank-file 2, (rank+file)^7 2
}

func ExampleBetween() {
	fmt.Println(bitboard.Between(bitboard.B3, bitboard.F7))
	// Output:
	// . . . . . . . .
	// . . . . . . . .
	// . . . . 1 . . .
	// . . . 1 . . . .
	// . . 1 . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . .
}

func ExampleLine() {
	fmt.Println(bitboard.Line(bitboard.B3, bitboard.D5))
	// Output:
	// . . . . . . 1 .
	// . . . . . 1 . .
	// . . . . 1 . . .
	// . . . 1 . . . .
	// . . 1 . . . . .
	// . 1 . . . . . .
	// 1 . . . . . . .
	// . . . . . . . .
}

func ExampleIntersect() {
	s, ok := bitboard.Intersect(bitboard.AntiDiagonalLine, bitboard.D7, bitboard.RankLine, bitboard.A4)
	fmt.Println(s, ok)
	s, ok = bitboard.Intersect(bitboard.RankLine, bitboard.A4, bitboard.DiagonalLine, bitboard.D8)
	fmt.Println(s, ok) // beyond the a-file
	s, ok = bitboard.Intersect(bitboard.RankLine, bitboard.A4, bitboard.RankLine, bitboard.D4)
	fmt.Println(s, ok) // one and the same line
	// Output:
	// g4 true
	// - false
	// - false
}

// The squares that a rook can reach along its rank and a bishop along its diagonal.
func ExampleLineKind_Fill_intersections() {
	rooks := bitboard.BitboardOf(bitboard.A1, bitboard.H6)
	bishops := bitboard.BitboardOf(bitboard.C3, bitboard.F2)
	fmt.Println(bitboard.RankLine.Fill(rooks) & bitboard.DiagonalLine.Fill(bishops))
	// Output:
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . 1 . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// . . . . . . . .
	// 1 . . . 1 . . .
}

func ExampleDiagram() {
	s := bitboard.D4
	drawing := bitboard.Diagram{}.With(s.Diagonal().Mask(), '/').With(s.AntiDiagonal().Mask(), '\\').With(s.Bitboard(), '♗')
	fmt.Println(drawing)
	// Output:
	// . . . . . . . /
	// \ . . . . . / .
	// . \ . . . / . .
	// . . \ . / . . .
	// . . . ♗ . . . .
	// . . / . \ . . .
	// . / . . . \ . .
	// / . . . . . \ .
}
