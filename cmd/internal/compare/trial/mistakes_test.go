package trial

// mistake is a mistake that the engine makes.
type mistake uint8

const (
	noMistake mistake = iota

	// Moves that are listed wrong.
	knightLeavesBoard
	kingWrapsAround
	enPassantSquareBlocks
	enPassantOpensRank
	enPassantRefusedBesideRook
	enPassantDoesNotEvade
	enPassantIgnoresPins
	pinnedPawnPushesOnce
	pinnedSliderStopsBeforePinner
	pinnedKnightMoves
	queenPinsOnlyStraight
	pinnedPieceAttacksNothing
	doublePushDoesNotInterpose
	noDoublePushIfPawnCaptures
	promotionDoesNotCaptureChecker
	noCapturingPromotionOnH8
	noPromotionToBishopByCapture
	doubleCheckIsFirstCheck
	kingNeverCapturesInDoubleCheck
	kingCapturesBesideKing
	blackKingIgnoresKing
	kingShieldsDiagonal
	sliderSeesSixSquares
	castlingOverOccupiedB
	castlingRefusedIfBAttacked
	castlingRefusedIfRookAttacked
	castlingIgnoresPawns

	// Moves that are made wrong.
	rightSurvivesCapturingPromotion
	rightSurvivesCaptureOnA8
	rookOfFileEndsRight
	kingKeepsLongRight
	castlingEndsRightsOfBoth
	enPassantLeavesPawn
	anyPieceCapturesEnPassant
	enPassantSurvivesCastling
	enPassantOnlyFromFilesBToG
	blackPromotesToWhite
	promotedQueenListedTwice
	kingSquareStaysWhenCastling
	castlingRookGivesNoCheck
	enPassantDiscoversNoCheck
	promotionGivesNoCheck

	// Moves that are taken back wrong.
	enPassantPawnPutBackOnTarget
	capturedPawnComesBackAsOwn
	longRookNotPutBack
	listNotRestoredAfterCapturingPromotion
	rightsRestoredForKingAndRook
	enPassantNotRestored
	kingSquareStaysAfterCapture

	// The table of counts.
	keyWithoutSide
	keyWithoutRights
	keyWithoutEnPassant
	keyOfPromotionIsPawn
	tableComparesNoKey
	tableIgnoresDepth

	// Counting.
	leavesPseudoLegal
	countsOnePlyMore
	finishedGameIsLeaf
	stalemateIsLeaf
	fiftyMoveDrawEndsTree
	leavesInSignedByte
	totalIn16Bits
	listOf100
	addsInRace

	// Reading the question, and what is left of the one before.
	fenCutAt60
	movesLostAfterNumber100
	rightsAllOrNone
	rightsOfOneLetter
	fenEnPassantOfWhiteOnly
	enPassantOfLastQuestion
	readsPromotionAsQueen
	readsRookMoveAsCastling
	historyNeverEmptied
	crashesWithoutMoves

	mistakes
)
