package mutant

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

// Bug names a mistake.
type Bug string

// Mistakes in the moves of pawns.
const (
	NoEnPassant            Bug = "no-en-passant"
	EnPassantRankPin       Bug = "en-passant-ignores-rank-pin"
	EnPassantVictimShield  Bug = "en-passant-ignores-shielding-victim"
	EnPassantPinned        Bug = "en-passant-by-pinned-pawn"
	EnPassantKept          Bug = "en-passant-kept-too-long"
	EnPassantAnyPawn       Bug = "en-passant-of-any-pawn"
	EnPassantOneCapturer   Bug = "en-passant-by-one-pawn-only"
	EnPassantNoEvasion     Bug = "en-passant-never-meets-check"
	EnPassantOverCautious  Bug = "en-passant-refused-on-king-rank"
	EnPassantLeavesVictim  Bug = "en-passant-leaves-the-victim"
	DoublePushJumps        Bug = "double-push-jumps"
	DoublePushCaptures     Bug = "double-push-captures"
	DoublePushAnywhere     Bug = "double-push-from-third-rank"
	NoDoublePush           Bug = "no-double-push"
	PushCaptures           Bug = "pawn-captures-ahead"
	PawnCapturesOwn        Bug = "pawn-captures-own"
	PawnCapturesNothing    Bug = "pawn-captures-nothing"
	PawnWraps              Bug = "pawn-wraps"
	PawnBackwards          Bug = "pawn-moves-back"
	PromotionQueenOnly     Bug = "promotion-to-queen-only"
	NoKnightPromotion      Bug = "no-promotion-to-knight"
	NoCapturePromotion     Bug = "no-promotion-by-capture"
	PromotionOptional      Bug = "promotion-optional"
	PromotionToKing        Bug = "promotion-to-king"
	PromotionEarly         Bug = "promotion-on-seventh-rank"
	PromotionKeepsRookHome Bug = "promotion-capture-keeps-right"
)

// Mistakes in castling.
const (
	NoQueenside             Bug = "no-queenside-castling"
	CastlingThroughCheck    Bug = "castling-through-check"
	CastlingOutOfCheck      Bug = "castling-out-of-check"
	CastlingIntoCheck       Bug = "castling-into-check"
	CastlingPawnBlind       Bug = "castling-ignores-pawns-attacks"
	CastlingRookPathSafe    Bug = "castling-refused-if-rook-passes-attack"
	CastlingRookAttacked    Bug = "castling-refused-if-rook-attacked"
	CastlingOverPiece       Bug = "castling-over-piece-beside-rook"
	CastlingWithoutRight    Bug = "castling-without-right"
	CastlingRookStays       Bug = "castling-leaves-the-rook"
	RightsAfterRookMoved    Bug = "right-kept-after-rook-moved"
	RightsAfterKingMoved    Bug = "rights-kept-after-king-moved"
	RightsAfterRookCaptured Bug = "right-kept-after-rook-captured"
	RightsLostByAnyRook     Bug = "rights-lost-by-any-rook"
)

// Mistakes of kings, checks, pins and pieces.
const (
	PinnedMoves         Bug = "pinned-piece-moves-freely"
	PinnedKnightMoves   Bug = "pinned-knight-moves"
	PinnedNeverMoves    Bug = "pinned-piece-never-moves"
	DiagonalPinsIgnored Bug = "diagonal-pins-ignored"
	DoubleCheckCapture  Bug = "double-check-met-by-capture"
	DoubleCheckBlocked  Bug = "double-check-met-by-interposing"
	CheckIgnored        Bug = "check-ignored-by-knights"
	NoInterposition     Bug = "no-interposition"
	NoCheckerCapture    Bug = "no-capture-of-checker"
	KingBesideKing      Bug = "king-beside-king"
	KingAlongRay        Bug = "king-slides-along-ray"
	KingTakesGuarded    Bug = "king-takes-guarded"
	KingNeverCaptures   Bug = "king-never-captures"
	KingIgnoresPawns    Bug = "king-ignores-pawns"
	KingIgnoresKnights  Bug = "king-ignores-knights"
	KnightWraps         Bug = "knight-wraps"
	KingWraps           Bug = "king-wraps"
	BishopJumps         Bug = "bishop-jumps"
	RookStopsShort      Bug = "rook-never-captures"
	QueenNoDiagonals    Bug = "queen-without-diagonals"
	CapturesOwn         Bug = "knight-captures-own"
	MovesTwice          Bug = "queen-moves-twice"
	CastlesTwice        Bug = "castles-twice"
	MovesEnemy          Bug = "moves-enemy-knights"
)

// Mistakes in Chess960 that do not show in standard chess.
const (
	KingTargetTaken     Bug = "960-king-target-may-be-taken"
	RookPathIgnored     Bug = "960-rook-path-ignored"
	OwnRookBlocks       Bug = "960-castling-rook-blocks"
	KingStaysRefused    Bug = "960-no-castling-if-king-stays"
	RookStaysRefused    Bug = "960-no-castling-if-rook-stays"
	ShieldingRook       Bug = "960-castling-rook-shields"
	OuterRook           Bug = "960-outer-rook-castles"
	StandardPathSafety  Bug = "960-attacks-on-standard-path-only"
	StandardPathEmpty   Bug = "960-pieces-on-standard-path-only"
	CornerRights        Bug = "960-right-lost-from-corners-only"
	CornerCaptureRights Bug = "960-right-captured-in-corners-only"
	KingTwoSteps        Bug = "960-king-castles-two-squares"
	NoSwap              Bug = "960-no-castling-if-king-and-rook-swap"
	StayInCheck         Bug = "960-castles-in-check-if-king-stays"
)

// Bugs returns all mistakes, first those of standard chess.
func Bugs() []Bug {
	return []Bug{
		NoEnPassant, EnPassantRankPin, EnPassantVictimShield, EnPassantPinned, EnPassantKept, EnPassantAnyPawn,
		EnPassantOneCapturer, EnPassantNoEvasion, EnPassantOverCautious, EnPassantLeavesVictim,
		DoublePushJumps, DoublePushCaptures, DoublePushAnywhere, NoDoublePush, PushCaptures, PawnCapturesOwn,
		PawnCapturesNothing, PawnWraps, PawnBackwards, PromotionQueenOnly, NoKnightPromotion, NoCapturePromotion,
		PromotionOptional, PromotionToKing, PromotionEarly, PromotionKeepsRookHome,
		NoQueenside, CastlingThroughCheck, CastlingOutOfCheck, CastlingIntoCheck, CastlingPawnBlind, CastlingRookPathSafe,
		CastlingRookAttacked, CastlingOverPiece, CastlingWithoutRight, CastlingRookStays, RightsAfterRookMoved,
		RightsAfterKingMoved, RightsAfterRookCaptured, RightsLostByAnyRook,
		PinnedMoves, PinnedKnightMoves, PinnedNeverMoves, DiagonalPinsIgnored, DoubleCheckCapture, DoubleCheckBlocked,
		CheckIgnored, NoInterposition, NoCheckerCapture, KingBesideKing, KingAlongRay, KingTakesGuarded,
		KingNeverCaptures, KingIgnoresPawns, KingIgnoresKnights, KnightWraps, KingWraps, BishopJumps, RookStopsShort,
		QueenNoDiagonals, CapturesOwn, MovesTwice, CastlesTwice, MovesEnemy,
		KingTargetTaken, RookPathIgnored, OwnRookBlocks, KingStaysRefused, RookStaysRefused, ShieldingRook, OuterRook,
		StandardPathSafety, StandardPathEmpty, CornerRights, CornerCaptureRights, KingTwoSteps, NoSwap, StayInCheck,
	}
}

// IsChess960 reports whether the mistake shows in Chess960 only.
func (b Bug) IsChess960() bool { return strings.HasPrefix(string(b), "960-") }

// ParseBugs reads names with commas between.
func ParseBugs(text string) ([]Bug, error) {
	var bugs []Bug
	for name := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ',' }) {
		if !slices.Contains(Bugs(), Bug(name)) {
			return nil, fmt.Errorf("mutant: no bug is named %s", quote.Text(name, 0))
		}
		bugs = append(bugs, Bug(name))
	}
	return bugs, nil
}
