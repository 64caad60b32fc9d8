package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fianchetto-chess/fianchetto/internal/oracle"
)

// trap is a position on which move generators fail, and the moves that show whether one
// does. Castling is written as king takes own rook.
type trap struct {
	name, why, fen string
	legal, illegal string // moves, with spaces between; "" for none
}

// traps are those of standard chess.
var traps = []trap{
	{"ep", "en passant, by either of two pawns", "4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 2", "c5d6 e5d6", ""},
	{"ep-expired", "the chance of en passant is gone after one move", "4k3/8/8/2PpP3/8/8/8/4K3 w - - 2 3", "c5c6 e5e6", "c5d6 e5d6"},
	{"ep-edge", "en passant on the edge does not wrap round it", "4k3/8/8/pP5P/8/8/8/4K3 w - a6 0 2", "b5a6", "h5g6"},
	{"ep-nobody", "an en passant square that nobody can capture on", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", "e7e5", ""},
	{"ep-rank", "both pawns leave the rank and bare the king", "8/8/8/K2pP2r/8/8/8/7k w - d6 0 2", "e5e6", "e5d6"},
	{"ep-rank-third", "a third pawn keeps the rank closed", "8/8/8/K1PpP2r/8/8/8/7k w - d6 0 2", "c5d6 e5d6", ""},
	{"ep-rank-bishop", "a bishop on the rank is no danger", "8/8/8/K2pP2b/8/8/8/7k w - d6 0 2", "e5d6", ""},
	{"ep-pinned-off", "the capturer is pinned on a diagonal and would leave it", "7k/6b1/8/3pP3/8/2K5/8/8 w - d6 0 2", "c3d3", "e5d6 e5e6"},
	{"ep-pinned-along", "the capturer is pinned on a diagonal and stays on it", "7k/2b5/8/3pP3/5K2/8/8/8 w - d6 0 2", "e5d6", "e5e6"},
	{"ep-pinned-file", "the capturer is pinned on its file", "4r2k/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "e5e6", "e5d6"},
	{"ep-victim-pinned", "the captured pawn is all that closes a diagonal", "b6k/8/8/3pP3/8/5K2/8/8 w - d6 0 2", "e5e6", "e5d6"},
	{"ep-victim-file", "the capturer closes the file that the captured pawn leaves", "3r3k/8/8/3pP3/8/8/8/3K4 w - d6 0 2", "e5d6 e5e6", ""},
	{"ep-takes-checker", "en passant captures the pawn that gives check", "7k/8/8/3pP3/4K3/8/8/8 w - d6 0 2", "e5d6", "e5e6"},
	{"ep-saves", "en passant is the only answer to check", "8/8/R7/4k3/2pP4/2N1K3/8/5R2 b - d3 0 1", "c4d3", ""},
	{"ep-other-check", "en passant does not end a check by another piece", "7k/8/8/b2pP3/8/8/8/4K3 w - d6 0 2", "e1e2", "e5d6 e5e6"},
	{"ep-checks", "the capturer gives check", "8/4k3/8/3pP3/8/8/8/4K3 w - d6 0 2", "e5d6", ""},
	{"ep-discovers-diagonal", "the captured pawn's departure discovers check", "k7/8/8/3pP3/8/8/6B1/4K3 w - d6 0 2", "e5d6", ""},
	{"ep-discovers-rank", "both pawns' departure discovers check", "8/8/8/k2pP2R/8/8/8/4K3 w - d6 0 2", "e5d6", ""},
	{"ep-double-check", "the capturer gives check and discovers another", "8/4k3/8/3pP3/8/8/8/K3R3 w - d6 0 2", "e5d6", ""},
	{"ep-only-move", "but for en passant it would be stalemate", "6rk/8/4p3/3pP3/8/8/r7/7K w - d6 0 2", "e5d6", "e5e6"},

	{"castling", "castling to both sides", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1a1 e1h1", ""},
	{"castling-rights", "one right each", "r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1", "e1h1", "e1a1"},
	{"castling-no-rights", "no rights, though all stand as if", "r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1", "", "e1a1 e1h1"},
	{"castling-out-of-check", "not out of check", "4r3/1k6/8/8/8/8/3P1P2/R3K2R w KQ - 0 1", "e1d1", "e1a1 e1h1"},
	{"castling-through-check", "not across an attacked square", "3r4/1k6/8/8/8/8/4PP2/R3K2R w KQ - 0 1", "e1h1", "e1a1"},
	{"castling-into-check", "not into check", "6r1/1k6/8/8/8/8/3PPP2/R3K2R w KQ - 0 1", "e1a1", "e1h1"},
	{"castling-b1-attacked", "the rook may cross an attacked square", "1r5k/8/8/8/8/8/3PPP2/R3K3 w Q - 0 1", "e1a1", ""},
	{"castling-rook-attacked", "an attacked rook may castle", "r6k/8/8/8/8/8/3PPP2/R3K3 w Q - 0 1", "e1a1", ""},
	{"castling-b1-own", "not over a piece of one's own that only the rook crosses", "7k/8/8/8/8/8/3PPP2/RN2K3 w Q - 0 1", "e1d1", "e1a1"},
	{"castling-b1-enemy", "nor over one of the enemy", "7k/8/8/8/8/8/3PPP2/Rn2K3 w Q - 0 1", "e1d1 a1b1", "e1a1"},
	{"castling-pawn", "a pawn attacks the path", "8/1k6/8/8/8/8/3PP1p1/R3K2R w KQ - 0 1", "e1a1", "e1h1 e1f1"},
	{"castling-pawn-ahead", "a pawn before the path does not attack what is ahead of it", "8/1k6/8/8/8/8/6p1/R3K3 w Q - 0 1", "e1a1", ""},
	{"castling-knight", "a knight attacks both paths", "8/1k6/8/8/8/4n3/3P1P2/R3K2R w KQ - 0 1", "e1e2", "e1a1 e1h1"},
	{"castling-king", "a king attacks the path", "8/8/8/8/8/8/1k6/R3K2R w KQ - 0 1", "e1h1", "e1a1"},
	{"castling-checks-short", "castling gives check", "5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1h1", ""},
	{"castling-checks-long", "castling gives check, long", "3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1a1", ""},
	{"castling-rook-taken-by-knight", "a rook captured on its corner takes the right with it", "r3k2r/8/8/8/8/8/5n2/R3K2R b KQkq - 0 1", "f2h1", ""},
	{"castling-rook-taken-by-bishop", "either corner within reach of a bishop", "r3k2r/8/8/3B4/8/8/8/R3K2R w KQkq - 0 1", "d5a8", ""},
	{"castling-rook-takes-rook", "rook takes rook: one right of each side is gone", "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "a8a1 h8h1", ""},
	{"castling-rook-replaced", "another rook on the corner brings no right", "4k3/8/8/8/8/8/R6r/R3K2R b KQ - 0 1", "h2h1", ""},

	{"promotion", "four kinds, ahead and by capture on both sides", "1n1n2k1/2P5/8/8/8/8/8/4K3 w - - 0 1", "c7c8q c7c8r c7c8b c7c8n c7b8q c7d8n", ""},
	{"promotion-checks", "promotion with check", "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q a7a8r a7a8b a7a8n", ""},
	{"promotion-knight-checks", "only the knight gives check", "8/3P1k2/8/8/8/8/8/4K3 w - - 0 1", "d7d8n", ""},
	{"promotion-checks-back", "check along the file that the pawn came from", "8/3P4/8/8/3k4/8/8/6K1 w - - 0 1", "d7d8q d7d8r", ""},
	{"promotion-discovers", "promotion discovers check on the rank it leaves", "8/k2P3R/8/8/8/8/8/4K3 w - - 0 1", "d7d8n", ""},
	{"promotion-corner", "promotion by capture on a corner takes a castling right", "r3k2r/1P4P1/8/8/8/8/8/4K3 w kq - 0 1", "b7a8q g7h8n", ""},
	{"promotion-pinned-rank", "a pawn pinned on the seventh rank", "8/K2P3r/8/8/8/8/8/7k w - - 0 1", "a7a8", "d7d8q d7d8n"},
	{"promotion-pinned-diagonal", "a pinned pawn captures the piece that pins it", "4b2k/3P4/8/1K6/8/8/8/8 w - - 0 1", "d7e8q d7e8n", "d7d8q"},
	{"promotion-takes-checker", "promotion captures the checker", "4r3/3P4/8/8/8/8/7k/4K3 w - - 0 1", "d7e8r", "d7d8q"},
	{"promotion-interposes", "promotion steps between", "r6K/3P4/8/8/8/8/8/k7 w - - 0 1", "d7d8b", ""},
	{"promotion-stalemates", "a queen stalemates, a rook does not", "8/5P1k/8/6K1/8/8/8/8 w - - 0 1", "f7f8q f7f8r", ""},
	{"promotion-blocked", "a blocked pawn does not promote", "3n1k2/3P4/8/8/8/8/8/4K3 w - - 0 1", "e1e2", "d7d8q"},

	{"double-step-blocked", "neither step of a pawn captures, nor jumps", "4k3/8/8/8/8/p2n4/P2P4/6K1 w - - 0 1", "g1g2", "a2a3 a2a4 d2d3 d2d4"},
	{"double-step-own", "nor over a piece of one's own", "4k3/8/8/8/8/N6n/P6P/4K3 w - - 0 1", "a3b5", "a2a3 a2a4 h2h3 h2h4"},
	{"pawn-wrap", "pawns on the edges do not capture round them", "4k3/p6p/8/P6p/p6P/8/P6P/4K3 w - - 0 1", "a5a6 h2h3 a2a3", "h4h5 a2a4"},
	{"knight-edge", "knights on the edges do not jump round them", "n3k2n/8/8/N6N/n6n/8/8/N3K2N w - - 0 1", "a1b3 h1f2 a5b7", "a1h2"},

	{"double-check", "in double check only the king moves", "4r2k/8/8/8/8/5n2/6R1/4K3 w - - 0 1", "e1d1 e1f1 e1f2", "g2g1 g2e2"},
	{"double-check-takes", "nor does capturing one checker help", "4r2k/8/8/8/8/5n2/6P1/4K3 w - - 0 1", "e1f2", "g2f3"},
	{"gives-double-check", "a knight gives check and discovers another", "4k3/8/8/8/4N3/8/8/K3R3 w - - 0 1", "e4d6 e4f6", ""},
	{"discovers-by-knight", "every move of the knight discovers check", "4k3/8/8/8/8/8/4N3/K3R3 w - - 0 1", "e2c1", ""},
	{"discovers-by-king", "the king steps off the line", "4k3/8/8/8/8/8/4K3/4R3 w - - 0 1", "e2d2 e2f3", ""},
	{"discovers-by-pawn", "a pawn's step opens the rank", "8/8/8/R2P3k/8/8/8/4K3 w - - 0 1", "d5d6", ""},
	{"king-on-line", "the king may not step back along the line of check", "4r2k/8/8/8/4K3/8/8/8 w - - 0 1", "e4d3", "e4e3 e4e5"},
	{"king-on-diagonal", "nor along the diagonal", "7k/6b1/8/8/3K4/8/8/8 w - - 0 1", "d4d5", "d4c3 d4e5"},
	{"king-next-to-king", "kings keep apart", "8/8/8/3k4/8/3K4/8/8 w - - 0 1", "d3c3", "d3c4 d3d4 d3e4"},
	{"king-takes", "the king takes an unguarded queen", "4k3/8/8/8/8/8/3q4/4K3 w - - 0 1", "e1d2", "e1d1 e1e2"},
	{"king-takes-guarded", "but not a guarded one", "4k3/8/8/8/8/2b5/3q4/4K3 w - - 0 1", "e1f1", "e1d2"},
	{"king-guards", "a king guards its queen", "8/8/8/8/8/3k4/3q4/4K3 w - - 0 1", "e1f1", "e1d2"},
	{"king-takes-guarded-by-pinned", "a pinned guard still guards", "4k3/8/8/8/4n3/8/3q4/2K1R3 w - - 0 1", "c1b1", "c1d2"},

	{"pinned-rook", "a pinned rook moves along the pin", "4r2k/8/8/8/8/4R3/8/4K3 w - - 0 1", "e3e2 e3e8", "e3d3"},
	{"pinned-bishop", "a pinned bishop moves along the pin", "7k/8/7b/8/8/4B3/8/2K5 w - - 0 1", "e3h6 e3d2", "e3d4"},
	{"pinned-queen", "a pinned queen moves along the pin", "4r2k/8/8/8/8/4Q3/8/4K3 w - - 0 1", "e3e8", "e3d4 e3h3"},
	{"pinned-knight", "a pinned knight stays", "4r2k/8/8/8/8/4N3/8/4K3 w - - 0 1", "e1d1", "e3d5"},
	{"pinned-pawn-file", "a pawn pinned on its file may advance", "4r2k/8/8/8/8/3p4/4P3/4K3 w - - 0 1", "e2e3 e2e4", "e2d3"},
	{"pinned-pawn-rank", "a pawn pinned on the rank may not", "7k/8/8/8/8/8/K2P3r/8 w - - 0 1", "a2a3", "d2d3 d2d4"},
	{"pinned-pawn-diagonal", "a pawn pinned on a diagonal may capture the piece that pins it", "7k/8/8/8/8/6b1/5P2/4K3 w - - 0 1", "f2g3", "f2f3 f2f4"},
	{"pinned-in-check", "a pinned rook does not help against another check", "4r2k/8/8/8/8/4Rn2/8/4K3 w - - 0 1", "e1d1", "e3f3"},
	{"two-on-the-line", "two pieces on the line: neither is pinned", "4r2k/8/8/4N3/8/4N3/8/4K3 w - - 0 1", "e3d5 e5c6", ""},
	{"pinned-two-lines", "one knight pinned on the file, another on a diagonal", "4r2k/8/8/8/7b/8/4NN2/4K3 w - - 0 1", "e1d1", "e2c3 f2g4"},

	{"evasion-interpose", "a rook steps between", "4r2k/8/8/8/8/8/R7/4K3 w - - 0 1", "a2e2 e1d1", "a2a8"},
	{"evasion-capture", "a bishop takes the checker", "4r2k/8/8/8/B7/8/8/4K3 w - - 0 1", "a4e8", "a4d7"},
	{"evasion-double-step", "a double step steps between, a single one does not", "8/8/8/8/r6K/8/3P4/k7 w - - 0 1", "d2d4", "d2d3"},
	{"evasion-pawn-takes", "a pawn takes the checker", "7k/8/8/8/8/3b4/2P5/5K2 w - - 0 1", "c2d3", "c2c3"},
	{"evasion-knight", "a knight's check cannot be met by stepping between", "7k/8/8/8/8/5n2/R7/4K3 w - - 0 1", "e1f2", "a2e2"},

	{"checkmate", "checkmate", "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", "", "e1f2 g4g5"},
	{"checkmate-smothered", "checkmate by a knight", "6RK/5nPP/8/8/8/8/8/4k3 w - - 0 1", "", "g8f8"},
	{"checkmate-next", "checkmate within two plies", "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", "a1a8", ""},
	{"stalemate", "stalemate", "7K/5q2/6k1/8/8/8/8/8 w - - 0 1", "", "h8g8 h8h7"},
	{"stalemate-pinned", "stalemate with a pinned bishop", "7k/8/8/8/8/8/7r/KB5r w - - 0 1", "", "b1c2 a1b2"},
	{"moves-218", "the most moves that a game can come to", "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1", "d7d8", ""},
}

// traps960 are those of castling in Chess960, written in X-FEN or Shredder-FEN.
var traps960 = []trap{
	{"king-stays-short", "only the rook moves", "k7/8/8/8/8/8/5PPP/6KR w H - 0 1", "g1h1", ""},
	{"king-stays-long", "only the rook moves, over the king", "7k/8/8/8/8/8/PPPP4/R1K5 w A - 0 1", "c1a1", ""},
	{"king-stays-beside", "only the rook moves, over the king beside it", "7k/8/8/8/8/8/PPPP4/1RK5 w B - 0 1", "c1b1", ""},
	{"rook-stays-short", "only the king moves, over the rook", "7k/8/8/8/8/8/4PPPP/4KR2 w F - 0 1", "e1f1", ""},
	{"rook-stays-long", "only the king moves, over the rook, long", "7k/8/8/8/8/8/2PPP3/3RK3 w D - 0 1", "e1d1", ""},
	{"swap-short", "king and rook change places", "7k/8/8/8/8/8/4PPPP/5KR1 w G - 0 1", "f1g1", ""},
	{"swap-long", "king and rook change places, long", "7k/8/8/8/8/8/PPPPP3/2RK4 w C - 0 1", "d1c1", ""},
	{"rook-shields-beside", "the rook's departure bares the king", "7k/8/8/8/8/8/PPPP4/qRK5 w B - 0 1", "c1d1", "c1b1"},
	{"rook-shields-swap", "the rook's departure bares the king's new square", "7k/8/8/8/8/8/4PPPP/5KRq w G - 0 1", "f1e1", "f1g1"},
	{"rook-shields-far", "the rook's departure bares the king's new square, long", "7k/8/8/8/8/8/PPPPP3/rR1K4 w B - 0 1", "d1e1", "d1b1"},
	{"rook-shields-knight", "a knight behind the rook has no line to bare", "7k/8/8/8/8/8/PPPP4/nRK5 w B - 0 1", "c1b1", ""},
	{"long-way-short", "the king goes from b1 to g1", "k7/8/8/8/8/8/PPPPPPPP/1K5R w H - 0 1", "b1h1", ""},
	{"long-way-long", "the king goes from g1 to c1", "k7/8/8/8/8/8/PPPPPPPP/R5K1 w A - 0 1", "g1a1", ""},
	{"long-way-attacked", "a square on the long way is attacked", "3r3k/8/8/8/8/8/PPP1PPPP/1K5R w H - 0 1", "b1c1", "b1h1"},
	{"long-way-blocked", "a piece on the long way", "k7/8/8/8/8/8/PPPPPPPP/1K3N1R w H - 0 1", "b1c1", "b1h1"},
	{"king-goes-out", "long castling moves the king away from its rook's corner", "7k/8/8/8/8/8/PPPPPPPP/RK6 w A - 0 1", "b1a1", ""},
	{"king-goes-out-attacked", "the king's new square is attacked", "2r4k/8/8/8/8/8/PP1PPPPP/RK6 w A - 0 1", "", "b1a1"},
	{"rook-target-attacked", "the rook's new square may be attacked", "3r3k/8/8/8/8/8/PPP1PPPP/RK6 w A - 0 1", "b1a1", ""},
	{"rook-path-blocked", "a piece that only the rook would cross", "7k/8/8/8/8/8/PPPPPPPP/RNK5 w A - 0 1", "", "c1a1"},
	{"rook-target-taken", "a piece on the rook's new square", "7k/8/8/8/8/8/PPPPPPPP/R1KN4 w A - 0 1", "c1b1", "c1a1"},
	{"king-target-taken", "a piece on the king's new square", "7k/8/8/8/8/8/2PPP3/2NRK3 w D - 0 1", "e1f1", "e1d1"},
	{"other-rook-in-the-way", "the other rook stands in the way", "4k3/8/8/8/8/8/8/R1R1K3 w A - 0 1", "c1b1", "e1a1"},
	{"inner-rook", "the inner of two rooks has the right", "4k3/8/8/8/8/8/8/4KR1R w F - 0 1", "e1f1", "e1h1"},
	{"inner-rook-moves", "the outer rook may move and leave the right alone", "4k3/8/8/8/8/8/8/1RR1K3 w C - 0 1", "b1b8 e1c1", "e1b1"},
	{"inner-rook-taken", "the inner rook captured, the right goes with it", "4k3/8/8/8/8/8/3n4/4KR1R b F - 0 1", "d2f1", ""},
	{"stays-in-check", "no castling out of check, though the king stays", "6rk/8/8/8/8/8/5P1P/6KR w H - 0 1", "g1f1", "g1h1"},
	{"castling-checks", "castling gives check on the file", "5k2/8/8/8/8/8/8/6KR w H - 0 1", "g1h1", ""},
	{"castling-checks-rank", "castling gives check on the rank", "8/8/8/8/8/8/8/R2K3k w A - 0 1", "d1a1", ""},
	{"promotion-takes-right", "promotion by capture takes the right of a rook that is on no corner", "1r2k1r1/P6P/8/8/8/8/8/4K3 w gb - 0 1", "a7b8q h7g8n", ""},
	{"rook-takes-rook", "rook takes rook on no corner; and a rook shields the king's new square from its file", "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1", "b1b8 g1g8 e1b1", "e1g1"},
	{"double-swap", "the sides castle from different files", "r1k4r/8/8/8/8/8/8/1R3KR1 w GBha - 0 1", "f1g1 f1b1", ""},
	{"double-crossed", "the sides' rooks face each other's kings", "rk2r3/pppppppp/8/8/8/8/PPPPPPPP/R3K1R1 w GAea - 0 1", "e1g1 e1a1", ""},
	{"array-0", "the first of the 960 arrays", "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1", "e1d3", "g1f1"},
	{"array-959", "the last of the 960 arrays", "rkrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/RKRNNQBB w CAca - 0 1", "d1c3", "b1c1"},
}

// unreachable are positions that break the bounds of games.
var unreachable = []trap{
	{"ep-interposes", "the capturer steps between king and checker, who must have given check before", "5b1k/8/8/3pP3/1K6/8/8/8 w - d6 0 2", "e5d6", "e5e6"},
	{"moves-263", "263 moves, more than a byte counts", "KQQQQQnk/Q4Qpp/Q5QQ/Q6Q/Q6Q/Q6Q/Q6Q/QQQQQQQQ w - - 0 1", "a8b7", ""},
	{"queens-and-knights", "twelve queens and eight knights, many of them pinned or giving check", "1r5k/7r/2N1NK2/1NQQQN2/2Q1Q3/1NQQQNb1/2N1N3/8 w - - 0 1", "f6g6", ""},
	{"queens-nine", "nine queens beside eight pawns", "7k/8/8/8/8/QQ6/PPPPPPPP/QQQQKQQQ w - - 0 1", "a3a8", ""},
}

// trapEntries returns each trap and its mirror image, after trying the moves it names.
func trapEntries(list []trap, format func(oracle.Board) string) ([]entry, error) {
	var entries []entry
	for _, t := range list {
		b, err := oracle.Parse(t.fen)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", t.name, err)
		}
		if err := t.check(b); err != nil {
			return nil, err
		}
		other, err := oracle.Parse(mirror(t.fen))
		if err != nil {
			return nil, fmt.Errorf("%s, mirrored: %w", t.name, err)
		}
		entries = append(entries,
			entry{name: t.name, remark: t.why, board: b, fen: format(b)},
			entry{name: t.name + "-mirrored", board: other, fen: format(other)})
	}
	return entries, nil
}

// check returns an error unless the moves that t names are legal, and illegal, in b.
func (t trap) check(b oracle.Board) error {
	var moves []string
	for _, m := range b.LegalMoves() {
		moves = append(moves, m.String())
	}
	for _, m := range strings.Fields(t.legal) {
		if !slices.Contains(moves, m) {
			return fmt.Errorf("%s: %s should be legal in %s", t.name, m, t.fen)
		}
	}
	for _, m := range strings.Fields(t.illegal) {
		if slices.Contains(moves, m) {
			return fmt.Errorf("%s: %s should be illegal in %s", t.name, m, t.fen)
		}
	}
	return nil
}

// mirror returns fen with the colours exchanged and the board turned upside down.
func mirror(fen string) string {
	fields := strings.Fields(fen)
	ranks := strings.Split(swapCase(fields[0]), "/")
	slices.Reverse(ranks)
	fields[0] = strings.Join(ranks, "/")
	fields[1] = map[string]string{"w": "b", "b": "w"}[fields[1]]
	fields[2] = swapCase(fields[2])
	fields[3] = strings.NewReplacer("3", "6", "6", "3").Replace(fields[3])
	return strings.Join(fields, " ")
}

func swapCase(text string) string {
	return strings.Map(func(letter rune) rune {
		if 'a' <= letter && letter <= 'z' {
			return letter - 'a' + 'A'
		}
		if 'A' <= letter && letter <= 'Z' {
			return letter - 'A' + 'a'
		}
		return letter
	}, text)
}
