// Package oracle is a second move generator, slow and simple, written from the rules of chess
// alone. Tests compare the fast generator with it.
//
// Pieces walk from square to square on an array of 64, and a move is legal if it does not leave its
// own king attacked. The oracle uses no sets of squares, tables, pins or check masks, because the
// two generators must not share a mistake. From package bitboard it takes only the types of
// squares, colours and pieces, and their names.
//
// One castling rule serves standard chess, Chess960 and double Chess960. Castling is encoded as
// king takes rook. Sources: FIDE Laws of Chess, articles 3 and 5, and guideline II (Chess960).
package oracle

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/fianchetto-chess/fianchetto/bitboard"
)

// Board is a comparable position: pieces, side to move, castling rights, en-passant square and
// clocks.
type Board struct {
	pieces         [64]bitboard.Piece
	sideToMove     bitboard.Color
	castlingRook   [2][2]bitboard.Square // by colour and castling side; NoSquare without the right
	enPassant      bitboard.Square       // the square that a pawn has just skipped, or NoSquare
	halfmoveClock  int
	fullmoveNumber int
}

// The castling sides.
const (
	kingSide = iota
	queenSide
)

// PieceAt returns the piece on s (0 to 63), or NoPiece.
func (b Board) PieceAt(s bitboard.Square) bitboard.Piece { return b.pieces[s] }

// SideToMove returns the side to move.
func (b Board) SideToMove() bitboard.Color { return b.sideToMove }

// EnPassant returns the square that a pawn skipped in the last move, even if no capture is
// possible, or NoSquare.
func (b Board) EnPassant() bitboard.Square { return b.enPassant }

func (b *Board) holds(s bitboard.Square, c bitboard.Color) bool {
	return b.pieces[s] != bitboard.NoPiece && b.pieces[s].Color() == c
}

func (b *Board) isEmpty(s bitboard.Square) bool { return b.pieces[s] == bitboard.NoPiece }

func (b *Board) isPawn(s bitboard.Square) bool { return b.pieces[s].Type() == bitboard.Pawn }

func (b *Board) king(c bitboard.Color) bitboard.Square {
	if i := slices.Index(b.pieces[:], bitboard.PieceOf(c, bitboard.King)); i >= 0 {
		return bitboard.Square(i)
	}
	return bitboard.NoSquare
}

func (b *Board) lift(s bitboard.Square) bitboard.Piece {
	piece := b.pieces[s]
	b.pieces[s] = bitboard.NoPiece
	return piece
}

// backRank is the first rank of each colour, pawnRank the rank of its pawns.
var (
	backRank = [...]bitboard.Rank{bitboard.White: bitboard.Rank1, bitboard.Black: bitboard.Rank8}
	pawnRank = [...]bitboard.Rank{bitboard.White: bitboard.Rank2, bitboard.Black: bitboard.Rank7}
)

type step struct{ files, ranks int }

var (
	rookSteps   = []step{{0, 1}, {1, 0}, {0, -1}, {-1, 0}}
	bishopSteps = []step{{1, 1}, {1, -1}, {-1, -1}, {-1, 1}}
	royalSteps  = slices.Concat(rookSteps, bishopSteps)
	knightSteps = []step{{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}}
)

var forward = [...]step{bitboard.White: {0, 1}, bitboard.Black: {0, -1}}

func pawnCaptures(c bitboard.Color) []step {
	ahead := forward[c].ranks
	return []step{{-1, ahead}, {1, ahead}}
}

// from returns the square one step from s and whether it is on the board.
func (d step) from(s bitboard.Square) (bitboard.Square, bool) {
	file, rank := int(s.File())+d.files, int(s.Rank())+d.ranks
	if file < 0 || file > 7 || rank < 0 || rank > 7 {
		return bitboard.NoSquare, false
	}
	return bitboard.SquareAt(bitboard.File(file), bitboard.Rank(rank)), true
}

// InCheck reports whether the king of the side to move is attacked.
func (b Board) InCheck() bool { return b.kingAttacked(b.sideToMove) }

func (b *Board) kingAttacked(c bitboard.Color) bool {
	return b.attacked(b.king(c), c.Opponent())
}

// attacked reports whether a piece of colour by attacks s. It walks from s as each piece type
// moves, pawns backwards, and looks for a piece of that type.
func (b *Board) attacked(s bitboard.Square, by bitboard.Color) bool {
	return b.seesAlong(s, rookSteps, by, bitboard.Rook, bitboard.Queen) ||
		b.seesAlong(s, bishopSteps, by, bitboard.Bishop, bitboard.Queen) ||
		b.seesBeside(s, knightSteps, by, bitboard.Knight) ||
		b.seesBeside(s, royalSteps, by, bitboard.King) ||
		b.seesBeside(s, pawnCaptures(by.Opponent()), by, bitboard.Pawn)
}

// seesAlong reports whether the first piece in one of the directions from s is by's and of the
// given types.
func (b *Board) seesAlong(s bitboard.Square, directions []step, by bitboard.Color, kinds ...bitboard.PieceType) bool {
	for _, d := range directions {
		at, ok := d.from(s)
		for ok && b.isEmpty(at) {
			at, ok = d.from(at)
		}
		if ok && b.holds(at, by) && slices.Contains(kinds, b.pieces[at].Type()) {
			return true
		}
	}
	return false
}

func (b *Board) seesBeside(s bitboard.Square, steps []step, by bitboard.Color, kind bitboard.PieceType) bool {
	for _, d := range steps {
		if at, ok := d.from(s); ok && b.pieces[at] == bitboard.PieceOf(by, kind) {
			return true
		}
	}
	return false
}

// Parse reads a FEN of six fields, or of four with the clocks 0 and 1, separated by single spaces.
// The castling field may be standard, X-FEN (KQkq for the outermost rooks, file letters for others)
// or Shredder-FEN (file letters). Parse also refuses unplayable positions: see Board.unplayable.
// Sources: https://www.chessprogramming.org/Forsyth-Edwards_Notation,
// https://en.wikipedia.org/wiki/X-FEN
func Parse(fen string) (Board, error) {
	fields := strings.Split(fen, " ")
	if len(fields) == 4 {
		fields = append(fields, "0", "1")
	}
	if len(fields) != 6 {
		return Board{}, fmt.Errorf("oracle: FEN %q: %d fields, want 6 or 4", fen, len(fields))
	}
	var b Board
	err := errors.Join(b.readPlacement(fields[0]), b.readSide(fields[1]), b.readCastling(fields[2]),
		b.enPassant.UnmarshalText([]byte(fields[3])), readClock(fields[4], &b.halfmoveClock), readClock(fields[5], &b.fullmoveNumber))
	if err == nil {
		err = b.unplayable()
	}
	if err != nil {
		return Board{}, fmt.Errorf("oracle: FEN %q: %w", fen, err)
	}
	return b, nil
}

func (b *Board) readPlacement(text string) error {
	ranks := strings.Split(ones.Replace(text), "/")
	if len(ranks) != 8 {
		return fmt.Errorf("placement of %d ranks", len(ranks))
	}
	for i, rank := range ranks {
		if len(rank) != 8 {
			return fmt.Errorf("placement: rank %q of %d files", rank, len(rank))
		}
		for file := range bitboard.File(8) {
			if rank[file] == '1' {
				continue
			}
			piece, err := bitboard.ParsePiece(rank[file : file+1])
			if err != nil {
				return fmt.Errorf("placement: rank %q: %w", rank, err)
			}
			b.pieces[bitboard.SquareAt(file, bitboard.Rank(7-i))] = piece
		}
	}
	return nil
}

// ones writes a number of empty squares as ones, and sumsOfOnes reverses that.
var (
	ones = strings.NewReplacer("8", "11111111", "7", "1111111", "6", "111111", "5", "11111", "4", "1111", "3", "111",
		"2", "11")
	sumsOfOnes = strings.NewReplacer("11111111", "8", "1111111", "7", "111111", "6", "11111", "5", "1111", "4", "111",
		"3", "11", "2")
)

func (b *Board) readSide(text string) error {
	if text != "w" && text != "b" {
		return fmt.Errorf("side to move %q", text)
	}
	b.sideToMove = bitboard.Color(strings.Index("wb", text))
	return nil
}

func (b *Board) readCastling(text string) error {
	b.castlingRook = [2][2]bitboard.Square{
		{bitboard.NoSquare, bitboard.NoSquare},
		{bitboard.NoSquare, bitboard.NoSquare},
	}
	switch text {
	case "-":
		return nil
	case "":
		return errors.New("castling: an empty field")
	}
	for i := range len(text) {
		if err := b.readRight(text[i]); err != nil {
			return err
		}
	}
	return nil
}

func (b *Board) readRight(letter byte) error {
	c := bitboard.White
	if 'a' <= letter && letter <= 'z' {
		c = bitboard.Black
	}
	king, rook := b.king(c), bitboard.NoSquare
	if king != bitboard.NoSquare && king.Rank() == backRank[c] {
		rook = b.namedRook(c, king, strings.ToUpper(string(letter)))
	}
	if rook == bitboard.NoSquare {
		return fmt.Errorf("castling: no king and rook for %q", letter)
	}
	w := Move{From: king, To: rook}.side()
	if b.castlingRook[c][w] != bitboard.NoSquare {
		return fmt.Errorf("castling: two rights on the side of %q", letter)
	}
	b.castlingRook[c][w] = rook
	return nil
}

// namedRook returns c's rook with the given name, K, Q or A to H, or NoSquare.
func (b *Board) namedRook(c bitboard.Color, king bitboard.Square, name string) bitboard.Square {
	rook := bitboard.NoSquare
	for file := range bitboard.File(8) {
		s := bitboard.SquareAt(file, backRank[c])
		first := rook == bitboard.NoSquare
		if b.pieces[s] == bitboard.PieceOf(c, bitboard.Rook) &&
			(name == fileLetter(s) || name == "K" && s > king || name == "Q" && s < king && first) {
			rook = s
		}
	}
	return rook
}

// fileLetter returns the letter of s's file, "A" to "H", as Shredder-FEN writes it for White.
func fileLetter(s bitboard.Square) string { return string("ABCDEFGH"[s.File()]) }

const maxClock = 1<<16 - 1

func readClock(text string, clock *int) error {
	n, err := strconv.ParseUint(text, 10, 16)
	if err != nil {
		return fmt.Errorf("clock: %w", err)
	}
	*clock = int(n)
	return nil
}

// FEN returns the position in six fields, with castling rights as KQkq if all are standard, and as
// the files of the rooks (Shredder-FEN) otherwise.
func (b Board) FEN() string {
	if b.isOrthodox() {
		return b.fen(strings.NewReplacer("H", "K", "A", "Q", "h", "k", "a", "q").Replace(b.rights()))
	}
	return b.ShredderFEN()
}

// ShredderFEN returns the FEN with the castling rooks' files instead of KQkq.
func (b Board) ShredderFEN() string { return b.fen(b.rights()) }

func (b *Board) fen(rights string) string {
	return fmt.Sprintf("%s %s %s %s %d %d", b.placement(), [2]string{"w", "b"}[b.sideToMove],
		rights, b.enPassant, b.halfmoveClock, b.fullmoveNumber)
}

func (b *Board) placement() string {
	var text strings.Builder
	for r := 7; r >= 0; r-- {
		for f := range bitboard.File(8) {
			letter := byte('1')
			if piece := b.pieces[bitboard.SquareAt(f, bitboard.Rank(r))]; piece != bitboard.NoPiece {
				letter = piece.Letter()
			}
			text.WriteByte(letter)
		}
		text.WriteByte('/')
	}
	return strings.TrimSuffix(sumsOfOnes.Replace(text.String()), "/")
}

func (b *Board) rights() string {
	text := ""
	for c, inCase := range []func(string) string{strings.ToUpper, strings.ToLower} {
		for _, rook := range b.castlingRook[c] {
			if rook != bitboard.NoSquare {
				text += inCase(fileLetter(rook))
			}
		}
	}
	return cmp.Or(text, "-")
}

// isOrthodox reports whether all castling rights are of kings on the e-file and rooks on the
// outermost files.
func (b *Board) isOrthodox() bool {
	corners := [2]bitboard.File{kingSide: bitboard.FileH, queenSide: bitboard.FileA}
	for c, rooks := range b.castlingRook {
		for w, rook := range rooks {
			king := b.king(bitboard.Color(c))
			if rook != bitboard.NoSquare && (rook.File() != corners[w] || king.File() != bitboard.FileE) {
				return false
			}
		}
	}
	return true
}

func (b *Board) unplayable() error {
	var kings [2]int
	for s, piece := range b.pieces {
		rank := bitboard.Square(s).Rank()
		if piece.Type() == bitboard.Pawn && (rank == bitboard.Rank1 || rank == bitboard.Rank8) {
			return errors.New("pawn on the first or eighth rank")
		}
		if piece.Type() == bitboard.King {
			kings[piece.Color()]++
		}
	}
	if kings != [2]int{1, 1} {
		return fmt.Errorf("%d and %d kings", kings[bitboard.White], kings[bitboard.Black])
	}
	if b.kingAttacked(b.sideToMove.Opponent()) {
		return errors.New("the side that just moved is in check")
	}
	if b.enPassant != bitboard.NoSquare && !b.doubleStepFits() {
		return fmt.Errorf("no double step skipped %v", b.enPassant)
	}
	return nil
}

// doubleStepFits reports whether the last move may have been a double step across the en-passant
// square.
func (b *Board) doubleStepFits() bool {
	mover := b.sideToMove.Opponent()
	ahead, back := forward[mover], forward[b.sideToMove]
	origin, _ := back.from(b.enPassant)
	landing, _ := ahead.from(b.enPassant)
	return origin.IsValid() && origin.Rank() == pawnRank[mover] &&
		b.isEmpty(origin) && b.isEmpty(b.enPassant) &&
		b.pieces[landing] == bitboard.PieceOf(mover, bitboard.Pawn)
}
