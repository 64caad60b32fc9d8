// Package pgn reads and writes chess games in Portable Game Notation, one game at a time, from
// streams of any length.
//
//	reader := pgn.NewReader(file)
//	for game, err := range reader.Games() {
//		if err != nil {
//			log.Print(err) // game, line, column and cause; reading continues with the next game
//			continue
//		}
//		for pos, m := range game.Replay(game.Start) {
//			fmt.Println(pos.SAN(m))
//		}
//	}
//
// Parallel reads a file on all processors and yields the results in the order of the games.
//
// A Reader checks every move, keeps one game and a buffer in memory, and accepts more than the
// import format, as its documentation describes. A Writer writes the export format, which reads
// back as the same games.
//
// One core of an AMD EPYC (Zen 5) reads a file without comments at 120 MB/s with its main lines
// checked, eleven million moves a second; at 360 MB/s for the tags alone; and at 115 MB/s for
// everything. For a file with clocks and evaluations the figures are 340, 820 and 140 MB/s.
// BenchmarkReader measures them, on the file that PGN_FILE names.
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
	"unicode/utf8"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/names"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

// ErrVariant is the problem of a game of another variant; errors.Is finds it. An illegal move is a
// *fianchetto.MoveError, and a tag FEN with an unplayable position a *fianchetto.PositionError.
const ErrVariant fianchetto.Problem = "unsupported variant (want standard chess or Chess960)"

// The other problems of a game that is read or written.
const (
	errUnexpected  fianchetto.Problem = "unexpected character"
	errTag         fianchetto.Problem = `malformed tag pair (want [Name "value"] on one line)`
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

// Limits of a Reader, which bound the memory that it uses.
const (
	maxToken = 1 << 20 // bytes of a tag pair, a comment or a word
	maxGame  = 1 << 24 // bytes of a game
	maxDepth = 256     // of variations within variations
)

// Error reports what is wrong with a game, and where.
type Error struct {
	Game   int    // number of the game in the input, from 1
	Line   int    // of the offending token, from 1
	Column int    // of the offending token, in bytes, from 1
	Token  string // the offending token or the value of the tag, as in the input; at most 40 bytes, "" at its end
	Err    error  // the cause
}

// Error names the game, the place and the cause, in one line, and the token unless the cause quotes
// it.
func (e *Error) Error() string {
	place := fmt.Sprintf("pgn: game %d, line %d, column %d", e.Game, e.Line, e.Column)
	if _, ours := e.Err.(fianchetto.Problem); ours && e.Token != "" {
		place += ", " + quote.Text(e.Token, 0)
	}
	return place + ": " + e.Err.Error()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Game is a chess game with its tags and annotations.
type Game struct {
	Tags  Tags                // in the order in which they are read or were set
	Start fianchetto.Position // the position of the tags FEN and Variant, or the start position; zero if they are bad
	Line                      // the moves of the game
	// Result is the result behind the moves or, if that is * or missing, the one in the tag Result.
	Result Result
}

// Line is a sequence of moves, of a game or of a variation.
type Line struct {
	Moves []fianchetto.Move // NoMove is a null move: the side to move passes
	Notes []Note            // in the order of their plies, at most one for each ply
}

// Note has the annotations of a ply of a line.
type Note struct {
	Ply        int      // 0 before the first move of the line, n after its nth move
	NAGs       []NAG    // in their order in the text
	Comments   []string // words with single spaces between them
	Variations []Line   // alternatives to the nth move; none if Ply is 0
}

// Clock returns the time that the player has left after the move, as [%clk 0:05:12.3] in a comment
// has it.
func (n *Note) Clock() (left time.Duration, ok bool) {
	parts := strings.Split(n.command("clk"), ":")
	if len(parts) != 3 {
		return 0, false
	}
	left, err := time.ParseDuration(parts[0] + "h" + parts[1] + "m" + parts[2] + "s")
	return left, err == nil && left >= 0
}

// Evaluation is a program's evaluation of the position after a move, as White sees it.
type Evaluation struct {
	Centipawns int // hundredths of a pawn
	Mate       int // moves to mate if it is not 0: White mates if it is positive; Centipawns is then 0
	Depth      int // of the search; 0 if it is not said
}

// Evaluation returns the evaluation that [%eval 0.17], [%eval -1.2,18] or [%eval #-3] in a comment
// gives.
func (n *Note) Evaluation() (e Evaluation, ok bool) {
	score, depth, found := strings.Cut(n.command("eval"), ",")
	var err error
	if found {
		if e.Depth, err = strconv.Atoi(depth); err != nil || e.Depth < 0 {
			return Evaluation{}, false
		}
	}
	if mate, found := strings.CutPrefix(score, "#"); found {
		e.Mate, err = strconv.Atoi(mate)
		return e, err == nil && e.Mate != 0
	}
	pawns, err := strconv.ParseFloat(score, 64)
	if err != nil || !(math.Abs(pawns) < 1e6) {
		return Evaluation{}, false
	}
	e.Centipawns = int(math.Round(100 * pawns))
	return e, true
}

// command returns the argument of a command such as [%clk 1:00:00] in the first comment that has
// it, "" if none has.
func (n *Note) command(name string) string {
	for _, comment := range n.Comments {
		if _, rest, found := strings.Cut(comment, "[%"+name+" "); found {
			argument, _, _ := strings.Cut(rest, "]")
			return strings.TrimSpace(argument)
		}
	}
	return ""
}

// after returns the position after m, which must be legal, or after a null move if m is NoMove.
func after(pos fianchetto.Position, m fianchetto.Move) fianchetto.Position {
	if m == fianchetto.NoMove {
		return pos.Null()
	}
	return pos.After(m)
}

// Replay yields each move of the line with the position in which it is played. The line must be
// legal in the start position: Game.Start for the moves of a game, and for a variation the position
// before the move that it replaces.
func (l *Line) Replay(start fianchetto.Position) iter.Seq2[fianchetto.Position, fianchetto.Move] {
	return func(yield func(fianchetto.Position, fianchetto.Move) bool) {
		pos := start
		for _, m := range l.Moves {
			if !yield(pos, m) {
				return
			}
			pos = after(pos, m)
		}
	}
}

// End returns the position after the last move of the line, which must be legal in the start
// position.
func (l *Line) End(start fianchetto.Position) fianchetto.Position {
	for _, m := range l.Moves {
		start = after(start, m)
	}
	return start
}

// SAN returns the moves of the line in one line of text, with move numbers and without annotations:
// "1. e4 e5 2. Nf3". The line must be legal in the start position.
func (l *Line) SAN(start fianchetto.Position) string {
	var text []byte
	for pos, m := range l.Replay(start) {
		if len(text) > 0 {
			text = append(text, ' ')
		}
		if number := moveNumber(&pos, len(text) == 0); number != "" {
			text = append(append(text, number...), ' ')
		}
		text = pos.AppendSAN(text, m)
	}
	return string(text)
}

// moveNumber returns the number that is written before a move: "1." before White's, "1..." before
// Black's if the number is required there, otherwise "".
func moveNumber(pos *fianchetto.Position, required bool) string {
	switch number := strconv.Itoa(pos.FullmoveNumber()); {
	case pos.SideToMove() == fianchetto.White:
		return number + "."
	case required:
		return number + "..."
	}
	return ""
}

// Note returns the note at a ply, nil if there is none. Ply 0 is before the first move, ply n after
// the nth.
func (l *Line) Note(ply int) *Note {
	i, found := slices.BinarySearchFunc(l.Notes, ply, func(n Note, ply int) int { return n.Ply - ply })
	if !found {
		return nil
	}
	return &l.Notes[i]
}

// annotate returns the note on the last move, and adds one if there is none.
func (l *Line) annotate() *Note {
	if last := len(l.Notes) - 1; last >= 0 && l.Notes[last].Ply == len(l.Moves) {
		return &l.Notes[last]
	}
	l.Notes = append(l.Notes, Note{Ply: len(l.Moves)})
	return &l.Notes[len(l.Notes)-1]
}

// reset empties the game and keeps its memory.
func (g *Game) reset() {
	clear(g.Notes) // the caller may hold their comments and variations
	*g = Game{Tags: g.Tags[:0], Line: Line{g.Moves[:0], g.Notes[:0]}}
}

// Result is how a game ended.
type Result uint8

// The results. The zero value stands for a game in progress, an abandoned game and an unknown end.
const (
	Unknown Result = iota
	WhiteWins
	BlackWins
	Draw
)

var resultNames = names.Table[Result]{Type: "Result", Names: []string{"*", "1-0", "0-1", "1/2-1/2"}}

// String returns the result as PGN writes it: *, 1-0, 0-1 or 1/2-1/2.
func (r Result) String() string { return resultNames.Names[r&3] }

// MarshalText returns the result as PGN writes it; a value out of range is an error. It implements
// encoding.TextMarshaler.
func (r Result) MarshalText() ([]byte, error) { return resultNames.Text(r) }

// UnmarshalText reads the result as PGN writes it; an error leaves r unchanged. It implements
// encoding.TextUnmarshaler.
func (r *Result) UnmarshalText(text []byte) error { return resultNames.ReadText(r, text) }

// parseResult reads a result, also as 1/2, ½ or ½-½.
func parseResult(text []byte) (Result, bool) {
	switch string(text) {
	case "1-0":
		return WhiteWins, true
	case "0-1":
		return BlackWins, true
	case "1/2-1/2", "1/2", "½-½", "½":
		return Draw, true
	case "*":
		return Unknown, true
	}
	return Unknown, false
}

// FromGame returns a PGN game with the start position and the moves of g, and its result if it is
// over. It has no tags; a Writer adds the roster.
func FromGame(g *fianchetto.Game) *Game {
	result, end := Unknown, g.Position()
	switch status := g.Status(); {
	case status == fianchetto.Checkmate && end.SideToMove() == fianchetto.White:
		result = BlackWins
	case status == fianchetto.Checkmate:
		result = WhiteWins
	case status.IsOver():
		result = Draw
	}
	return &Game{Start: g.At(0), Line: Line{Moves: g.Moves()}, Result: result}
}

// start returns the position in which the game begins. A zero Start stands for the start position
// of standard chess, unless the tags give another position, which a Reader refused.
func (g *Game) start() (fianchetto.Position, error) {
	if g.Start != (fianchetto.Position{}) {
		return g.Start, nil
	}
	if start, _, err := g.Tags.start(); err != nil || start != fianchetto.StartPosition() {
		return g.Start, errStart
	}
	return fianchetto.StartPosition(), nil
}

// Play plays the moves of the game, without its variations. A zero Start stands for the start
// position, as in MarshalText. The error is a *fianchetto.MoveError for an illegal move, which a
// Reader never reads.
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

// The tags that a Reader or a Writer interprets.
const (
	eventTag   = "Event"
	resultTag  = "Result"
	setUpTag   = "SetUp"
	fenTag     = "FEN"
	variantTag = "Variant"
)

// Tag is a tag pair: a name and its value.
type Tag struct {
	Name, Value string // the value without quotes and backslashes, in UTF-8
}

// Tags are the tag pairs of a game, in their order.
type Tags []Tag

// Value returns the value of the first tag with a name, "" if there is none.
func (t Tags) Value(name string) string {
	if i := t.index(name); i >= 0 {
		return t[i].Value
	}
	return ""
}

// has reports whether there is a tag with a name.
func (t Tags) has(name string) bool { return t.index(name) >= 0 }

// Set sets the value of the first tag with a name, or adds the tag.
func (t *Tags) Set(name, value string) {
	if i := t.index(name); i >= 0 {
		(*t)[i].Value = value
		return
	}
	*t = append(*t, Tag{name, value})
}

func (t Tags) index(name string) int {
	return slices.IndexFunc(t, func(tag Tag) bool { return tag.Name == name })
}

// start returns the position in which a game with these tags begins, or an error and the name of
// the bad tag.
func (t Tags) start() (pos fianchetto.Position, bad string, err error) {
	rules := rulesOf(t.Value(variantTag))
	if rules == otherGame {
		return pos, variantTag, ErrVariant
	}
	pos = fianchetto.StartPosition()
	if fen := strings.Join(strings.Fields(t.Value(fenTag)), " "); fen != "" && fen != "?" {
		if rules == standardChess {
			pos, _, err = fianchetto.ParseStandardFEN(fen)
		} else {
			pos, err = fianchetto.ParseFEN(fen)
		}
		if err != nil {
			return fianchetto.Position{}, fenTag, err
		}
	}
	return pos.WithChess960(rules == chess960 || pos.IsChess960()), "", nil
}

// tagArena collects the tag pairs of a game and allocates their strings together.
type tagArena struct {
	text []byte
	ends []int // of each name and each value in text
}

func (a *tagArena) reset() { a.text, a.ends = a.text[:0], a.ends[:0] }

// add adds a tag pair, its value with backslashes.
func (a *tagArena) add(name, value []byte) {
	a.text = append(a.text, name...)
	a.ends = append(a.ends, len(a.text))
	a.text = appendUnescaped(a.text, value)
	a.ends = append(a.ends, len(a.text))
}

// appendTo appends the tag pairs to tags.
func (a *tagArena) appendTo(tags Tags) Tags {
	text, begin := string(a.text), 0
	for i := 0; i < len(a.ends); i += 2 {
		tags = append(tags, Tag{text[begin:a.ends[i]], text[a.ends[i]:a.ends[i+1]]})
		begin = a.ends[i+1]
	}
	return tags
}

// appendUnescaped appends a value without the backslashes before quotes and backslashes.
func appendUnescaped(text, value []byte) []byte {
	if slices.Index(value, '\\') < 0 && utf8.Valid(value) {
		return append(text, value...)
	}
	value = []byte(toUTF8(value))
	for i := 0; i < len(value); i++ {
		if value[i] == '\\' && i+1 < len(value) && (value[i+1] == '"' || value[i+1] == '\\') {
			i++
		}
		text = append(text, value[i])
	}
	return text
}

// toUTF8 converts text that is not UTF-8 from ISO 8859-1, the character set of the PGN standard.
func toUTF8(text []byte) string {
	if utf8.Valid(text) {
		return string(text)
	}
	var converted strings.Builder
	for _, c := range text {
		converted.WriteRune(rune(c))
	}
	return converted.String()
}
