package mutant

// Quirks are formats and mistakes of the program around the generator. They are switched on like bugs.
const (
	Plain          = "plain"          // "e2e4 20" and "nodes 20"
	Dashes         = "dashes"         // "e2e4 - 20" and "perft 1: 20"
	Reversed       = "reversed"       // moves in another order, after the total
	Loud           = "loud"           // moves and promotions in upper case
	NoLetters      = "no-letters"     // promotions without a letter
	KingTakes      = "king-takes"     // castling as king takes rook
	KingGoes       = "king-goes"      // castling as the king's target, in Chess960, too
	TotalsOnly     = "totals-only"    // no moves
	NoTotal        = "no-total"       // moves only
	ListsLate      = "lists-late"     // moves from depth 2 on
	OnStderr       = "on-stderr"      // answers there
	Late           = "late"           // answers after readyok
	WrongTotal     = "wrong-total"    // one too many
	WrongDivide    = "wrong-divide"   // below the first move one too many, from depth 2 on
	Silent         = "silent"         // answers only the questions that find the command
	Null           = "null"           // no moves, and a total of 0, likewise
	Crash          = "crash"          // ends instead of answering, likewise
	CrashLater     = "crash-later"    // ends instead of answering depth 3
	Hang           = "hang"           // hangs instead of answering depth 2 after depth 1
	Garbage        = "garbage"        // a total that is not a number, likewise
	Endless        = "endless"        // an answer that does not end, likewise
	LongLine       = "long-line"      // a line that does not end, likewise
	CrashAtStart   = "crash-at-start" // ends before uciok
	NotUCI         = "not-uci"        // does not answer uci
	NoOptions      = "no-options"     // declares no options
	Refuses        = "refuses"        // rejects an option that it has declared
	Blocks         = "blocks"         // searches without reading commands
	MovesAtOnce    = "moves-at-once"  // answers only with bestmove
	StartPosition  = "start-position" // counts in the start position unless the question has a FEN
	KeepsPosition  = "keeps-position" // keeps the position before if a clock of the new one is above 100
	IgnoresMoves   = "ignores-moves"  // of a position command
	FENNoEnPassant = "fen-en-passant" // reads no en-passant square from a FEN
	FENWhite       = "fen-white"      // has White to move, whatever a FEN has
	FENAllCastling = "fen-castling"   // reads every castling right from a FEN whose king and rook are on their start squares
)
