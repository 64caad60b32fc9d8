// Package pgn reads and writes chess games in Portable Game Notation, one game at a time, from
// streams of any length.
//
//	reader := pgn.NewReader(file)
//	for game, err := range reader.Games() {
//		if err != nil {
//			log.Print(err) // game, line, column and cause; game holds what could be read
//		}
//		for pos, m := range game.Replay(game.Start) {
//			fmt.Println(pos.SAN(m))
//		}
//	}
//
// Parallel reads on all processors. Game.AppendText writes the export format.
//
// Sources: https://www.chessprogramming.org/Portable_Game_Notation, and the Standard: Portable Game
// Notation Specification and Implementation Guide, revised 1994.03.12
package pgn

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

// ErrVariant is the cause of an error about the tag Variant. An illegal move is a
// *fianchetto.MoveError, an unplayable tag FEN a *fianchetto.PositionError.
const ErrVariant fianchetto.Problem = "unsupported variant (want standard chess or Chess960)"

// ErrNoGame is the cause of the error about a stream that contains something, but no game.
const ErrNoGame fianchetto.Problem = "no game"

var errUTF16 = fmt.Errorf("%w: the text is UTF-16; convert it to UTF-8", ErrNoGame)

const (
	errUnexpected  fianchetto.Problem = "unexpected character"
	errTag         fianchetto.Problem = `malformed tag pair (want [Name "value"])`
	errComment     fianchetto.Problem = "unterminated comment"
	errNAG         fianchetto.Problem = "malformed numeric annotation glyph (want $0 to $65535)"
	errParenthesis fianchetto.Problem = "unbalanced parenthesis"
	errVariation   fianchetto.Problem = "variation without a move before it"
	errDepth       fianchetto.Problem = "variations nested more than 256 deep"
	errTooLong     fianchetto.Problem = "tag pair, comment or word longer than 1 MiB"
	errGameTooLong fianchetto.Problem = "game longer than 16 MiB"
	errNullInCheck fianchetto.Problem = "null move in check"
	errStart       fianchetto.Problem = "tag FEN or Variant, but no start position"
	errNotes       fianchetto.Problem = "notes not in the order of their plies, or after the last move"
	errText        fianchetto.Problem = "text that is not UTF-8, or a tag value with a line break"
)

// Limits that bound the memory of a Reader.
const (
	maxToken = 1 << 20 // bytes of a tag pair, a comment or a word
	maxGame  = 1 << 24 // bytes
	maxDepth = 256     // nested variations
)

// Error reports an error in a game and its place.
type Error struct {
	Game   int    // the game's number in the input, from 1; 0 in a warning and without a game
	Line   int    // of the token, from 1
	Column int    // of the token in bytes, from 1
	Token  string // the token or the tag's value, cut to 40 bytes; "" at the end of the input
	Err    error  // the cause
}

// Error returns game, place, token and cause in one line.
func (e *Error) Error() string {
	text := "pgn: "
	if e.Game > 0 {
		text += fmt.Sprintf("game %d, ", e.Game)
	}
	if _, ok := e.Err.(skippedBytes); !ok {
		text += fmt.Sprintf("line %d, column %d, ", e.Line, e.Column)
	}
	if _, ok := e.Err.(fianchetto.Problem); ok && e.Token != "" {
		text += quote.Text(e.Token, 0) + ", "
	}
	if before, found := strings.CutSuffix(text, ", "); found {
		text = before + ": "
	}
	return text + e.Err.Error()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Game is a chess game with its tags and annotations.
type Game struct {
	Tags  Tags                // in the order of the input
	Start fianchetto.Position // zero if the tag FEN or Variant was refused
	Line                      // the moves and their notes
	// Result is the termination marker after the movetext, or the Result tag if the marker is * or
	// missing.
	Result Result

	Bytes    Bytes    // what became of the bytes read
	Warnings []*Error // what a Reader changed, skipped or found contradictory, without an error
}

// Line is the moves of a game or of a variation.
type Line struct {
	Moves []fianchetto.Move // NoMove is a null move
	Notes []Note            // sorted by Ply, at most one per ply
}

// Note holds the annotations at one ply of a line.
type Note struct {
	Ply        int      // 0 before the first move, n after the nth
	NAGs       []NAG    // in the order of the text
	Comments   []string // with single spaces between words
	Variations []Line   // alternatives to the nth move; nil if Ply is 0
}

// Clock returns the player's remaining time from a comment such as [%clk 0:05:12.3].
func (n *Note) Clock() (left time.Duration, ok bool) {
	parts := strings.Split(n.command("clk"), ":")
	if len(parts) != 3 {
		return 0, false
	}
	left, err := time.ParseDuration(parts[0] + "h" + parts[1] + "m" + parts[2] + "s")
	return left, err == nil && left >= 0
}

// Evaluation returns an engine's evaluation from White's side, from a comment such as [%eval 0.17],
// [%eval -1.2,18] or [%eval #-3]: centipawns, or moves to mate, which are positive if White mates and
// otherwise 0, and the depth of the search, 0 if unknown.
func (n *Note) Evaluation() (centipawns, mate, depth int, ok bool) {
	score, plies, hasDepth := strings.Cut(n.command("eval"), ",")
	var err, depthErr error
	if hasDepth {
		depth, depthErr = strconv.Atoi(plies)
	}
	pawns, err := strconv.ParseFloat(score, 64)
	centipawns = int(math.Round(100 * pawns))
	ok = math.Abs(pawns) < 1e6
	if moves, found := strings.CutPrefix(score, "#"); found {
		centipawns = 0
		mate, err = strconv.Atoi(moves)
		ok = mate != 0
	}
	if !ok || err != nil || depthErr != nil || depth < 0 {
		return 0, 0, 0, false
	}
	return centipawns, mate, depth, true
}

// command returns the argument of the first command such as [%clk 1:00:00] in a comment, or "".
func (n *Note) command(name string) string {
	for _, comment := range n.Comments {
		if _, rest, found := strings.Cut(comment, "[%"+name+" "); found {
			argument, _, _ := strings.Cut(rest, "]")
			return strings.TrimSpace(argument)
		}
	}
	return ""
}

// play writes the position after a move or null move into next.
func play(pos, next *fianchetto.Position, m fianchetto.Move) {
	if m == fianchetto.NoMove {
		pos.CopyNull(next)
	} else {
		pos.CopyMake(next, m)
	}
}

// Replay yields each move with the position before it. The line must be legal from start, which for
// a variation is the position before the replaced move.
func (l *Line) Replay(start fianchetto.Position) iter.Seq2[fianchetto.Position, fianchetto.Move] {
	return func(yield func(fianchetto.Position, fianchetto.Move) bool) {
		boards := [2]fianchetto.Position{start} // by parity of the ply
		for ply, m := range l.Moves {
			if !yield(boards[ply&1], m) {
				return
			}
			play(&boards[ply&1], &boards[ply&1^1], m)
		}
	}
}

// End returns the position after the last move. The line must be legal from start.
func (l *Line) End(start fianchetto.Position) fianchetto.Position {
	boards := [2]fianchetto.Position{start}
	for ply, m := range l.Moves {
		play(&boards[ply&1], &boards[ply&1^1], m)
	}
	return boards[len(l.Moves)&1]
}

// SAN returns the moves without annotations, such as "1. e4 e5 2. Nf3". The line must be legal from
// start.
func (l *Line) SAN(start fianchetto.Position) string {
	var w export
	w.moves(&Line{Moves: l.Moves}, &start, 0)
	return strings.TrimSuffix(string(w.text), " ")
}

func appendMoveNumber(text []byte, pos *fianchetto.Position) []byte {
	text = append(strconv.AppendInt(text, int64(pos.FullmoveNumber()), 10), '.')
	if pos.SideToMove() == fianchetto.Black {
		text = append(text, ".."...)
	}
	return text
}

// Note returns the note at a ply, or nil.
func (l *Line) Note(ply int) *Note {
	i, found := slices.BinarySearchFunc(l.Notes, ply, func(n Note, ply int) int { return n.Ply - ply })
	if !found {
		return nil
	}
	return &l.Notes[i]
}

func (l *Line) annotate() *Note {
	if last := len(l.Notes) - 1; last >= 0 && l.Notes[last].Ply == len(l.Moves) {
		return &l.Notes[last]
	}
	l.Notes = append(l.Notes, Note{Ply: len(l.Moves)})
	return &l.Notes[len(l.Notes)-1]
}

// Result is the result of a game.
type Result uint8

// Unknown is the result of unfinished games and unknown ends.
const (
	Unknown Result = iota
	WhiteWins
	BlackWins
	Draw
)

var resultNames = quote.Names[Result]{Type: "Result", List: []string{"*", "1-0", "0-1", "1/2-1/2"}}

// String returns *, 1-0, 0-1 or 1/2-1/2.
func (r Result) String() string { return resultNames.List[r&3] }

// MarshalText returns the text of String, or an error for a value out of range.
func (r Result) MarshalText() ([]byte, error) { return resultNames.Text(r) }

// UnmarshalText reads the text of MarshalText. After an error r is unchanged.
func (r *Result) UnmarshalText(text []byte) error { return resultNames.ReadText(r, text) }

// FromGame returns a PGN game with the start position, moves and result of g, without tags.
func FromGame(g *fianchetto.Game) *Game {
	result, end := Unknown, g.Position()
	switch status := g.Status(); {
	case status == fianchetto.Checkmate:
		result = [2]Result{BlackWins, WhiteWins}[end.SideToMove()]
	case status.IsOver():
		result = Draw
	}
	return &Game{Start: g.At(0), Line: Line{Moves: g.Moves()}, Result: result}
}

// start returns Start or, if that is zero, the standard one, unless the tags name another.
func (g *Game) start() (fianchetto.Position, error) {
	if g.Start != (fianchetto.Position{}) {
		return g.Start, nil
	}
	if start, _, _, err := g.Tags.start(); err != nil || start != fianchetto.StartPosition() {
		return g.Start, errStart
	}
	return fianchetto.StartPosition(), nil
}

// Play plays the moves without variations. If Start is zero, the game starts as AppendText
// describes. An illegal move is a *fianchetto.MoveError.
func (g *Game) Play() (*fianchetto.Game, error) {
	start, err := g.start()
	if err != nil {
		return nil, err
	}
	played := fianchetto.NewGame(start)
	for _, m := range g.Moves {
		if err := played.Play(m); err != nil {
			return nil, err
		}
	}
	return played, nil
}

// Bytes accounts for the bytes of a game. They begin at the end of the game before, and the last
// game's extend to the end of the input. Bytes that MainLine leaves out count under their kind.
type Bytes struct {
	Tags       int64 // with their brackets
	Moves      int64 // with move numbers and results
	Comments   int64 // with their braces
	Signs      int64 // NAGs and signs between spaces
	Variations int64 // with all that they contain
	Space      int64 // white space and dots
	Skipped    int64 // what is not in the game, with the space within
	Places     int   // runs of skipped bytes
	Line       int   // the line of the first skipped byte
}

func (b *Bytes) total() int64 {
	return b.Tags + b.Moves + b.Comments + b.Signs + b.Variations + b.Space + b.Skipped
}

type skippedBytes struct{ Bytes }

// Error returns text such as "skipped 31 bytes in 2 places, the first at line 40".
func (b skippedBytes) Error() string {
	return singular.Replace(fmt.Sprintf("skipped %d bytes in %d places, the first at line %d", b.Skipped, b.Places, b.Line))
}

var singular = strings.NewReplacer(" 1 bytes", " 1 byte", " 1 places, the first", " 1 place,")

type account struct {
	begin   int64          // of the game in the stream
	kept    [invalid]int64 // by kind; open for all that variations contain
	skipped int64
	places  int
	first   place // of the first skipped byte
	skipEnd int64 // the end of the last skipped bytes
}

func (a *account) close(end int64) Bytes {
	k := &a.kept
	b := Bytes{Tags: k[tagPair], Moves: k[word] + k[number] + k[termination], Comments: k[comment],
		Signs: k[annotation], Variations: k[open], Skipped: a.skipped, Places: a.places, Line: a.first.line}
	b.Space = end - a.begin - b.total()
	return b
}

func (a *account) add(b *account) {
	for kind, n := range b.kept {
		a.kept[kind] += n
	}
	a.skipped += b.skipped
	if a.places += b.places; a.places == b.places {
		a.first = b.first
	}
}

// skip counts bytes as skipped. The token before them ended at before.
func (a *account) skip(at place, before, end int64) {
	begin := at.offset
	if a.places > 0 && a.skipEnd >= before {
		begin = a.skipEnd
	} else if a.places++; a.places == 1 {
		a.first = at
	}
	a.skipped += end - begin
	a.skipEnd = end
}
