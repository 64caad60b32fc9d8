package repository

import (
	"math/bits"
	"path"
	"regexp"
	"strconv"
	"testing"

	"github.com/fianchetto-chess/fianchetto/internal/must"
)

// hotFunctions are what engines and the generator call at every node and every move, by the
// directory of the package. If they were not inlined, only speed would show it.
var hotFunctions = map[string][]string{
	"bitboard": {
		"Bitboard.Has", "Bitboard.With", "Bitboard.Without", "Bitboard.Len",
		"Bitboard.First", "Bitboard.Last", "(*Bitboard).Pop", "Bitboard.FlipVertical", "Bitboard.Shift",
		"SquareAt", "Square.File", "Square.Rank", "Square.FlipVertical", "Square.Bitboard",
		"Square.IsValid", "Square.Color", "Square.Diagonal", "Square.AntiDiagonal",
		"File.Mask", "Rank.Mask", "Diagonal.Mask", "AntiDiagonal.Mask",
		"Between", "Line",
		"Color.Opponent", "PieceOf", "Piece.Type", "Piece.Color", "Piece.Index",
	},
	"attacks": {
		"Bishop", "Rook", "Queen", "Knight", "King", "Pawn",
		"PawnAttacks", "PawnPushes", "PawnDoublePushes", "KnightAttacks", "KingAttacks",
	},
	"internal/core": {
		"Encode", "Decode", "(*Board).Occupancy", "(*Board).Kings", "(*Board).EnPassant",
		"(*Board).CastlingRooks", "(*childContext).lookup", "openCastlings",
		"(*TargetSets).Knights", "(*TargetSets).Bishops", "(*TargetSets).Rooks", "(*TargetSets).Queens",
		"(*TargetSets).King", "(*TargetSets).Pieces",
		"(*checksAndPins).isDoubleCheck", "(*checksAndPins).bishopTargets", "(*checksAndPins).rookTargets",
		"pawnReach", "countPawnMoves", "CastlingTargets",
		"LeaperAttackers", "DiagonalAttackers", "OrthogonalAttackers", "Lines", "CastlingPathsOf",
	},
	".": {
		"Move.From", "Move.To", "Move.Kind", "Move.Piece", "Move.Promotion", "Move.IsPromotion", "Move.PieceTo", "NewMove",
		"(*Position).SideToMove", "(*Position).Occupancy", "(*Position).ByColor", "(*Position).ByType",
		"(*Position).Pieces", "(*Position).King",
		"(*Position).CastlingRooks", "(*Position).EnPassant", "(*Position).HalfmoveClock", "(*Position).FullmoveNumber",
		"(*Position).IsChess960", "(*Position).Key", "(*Position).InCheck", "(*Position).IsCapture",
		"(*Position).After", "(*Position).Unmake",
		"(*Generator).GivesCheck",
		"(*Position).absolute", "(*Position).relative", "(*Position).flip", "(*Position).pushed", "Move.effect",
		"(*Position).afterPlain",
	},
}

func TestHotFunctionsInline(t *testing.T) {
	if bits.UintSize < 64 {
		t.Skip("counting the bits of 64 is a call where words have 32")
	}
	inlined := make(map[string]bool)
	for _, m := range compilerMessages(t, `can inline (\S+)`) {
		inlined[path.Join(m.directory, m.text)] = true
	}
	for directory, names := range hotFunctions {
		for _, name := range names {
			if !inlined[path.Join(directory, name)] {
				t.Errorf("%s: %s does not inline", directory, name)
			}
		}
	}
}

// TestMagicLookupsCheckNoBounds looks for bounds checks in the body of the default lookups, which
// are three lines.
func TestMagicLookupsCheckNoBounds(t *testing.T) {
	checks := compilerMessages(t, `Found (Is\w*InBounds)`)
	found := 0
	for _, lookup := range compilerMessages(t, `can inline (Bishop|Rook)$`) {
		if lookup.directory != "attacks" {
			continue
		}
		found++
		for _, check := range checks {
			if check.directory == "attacks" && check.file == lookup.file && check.line >= lookup.line &&
				check.line <= lookup.line+3 {
				t.Errorf("%s checks a bound in line %d", lookup.text, check.line)
			}
		}
	}
	if found != 2 || len(checks) == 0 {
		t.Errorf("%d lookups and %d bounds checks found: the test would find none", found, len(checks))
	}
}

// message is what the compiler reports about a line.
type message struct {
	directory string // of the package
	file      string
	line      int
	text      string
}

// compilerMessages returns what the compiler reports about the packages of hotFunctions where it
// matches a pattern, whose group is the text.
func compilerMessages(t *testing.T, pattern string) (messages []message) {
	t.Helper()
	arguments := []string{"build", "-gcflags=-m -d=ssa/check_bce"}
	for directory := range hotFunctions {
		arguments = append(arguments, "./"+directory)
	}
	report, err := goCommand(t, root, nil, arguments...).CombinedOutput()
	if err != nil {
		t.Fatalf("go build: %v\n%s", err, report)
	}
	for _, match := range regexp.MustCompile(`(?m)^(\S+\.go):(\d+):\d+: `+pattern).FindAllStringSubmatch(string(report),
		-1) {
		line := must.Get(strconv.Atoi(match[2]))(t)
		messages = append(messages, message{path.Dir(match[1]), match[1], line, match[3]})
	}
	return messages
}
