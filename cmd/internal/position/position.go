// Package position reads positions and moves as people write them, copied from engines, web sites,
// books and logs.
package position

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/epd"
	"github.com/fianchetto-chess/fianchetto/internal/pattern"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
	"github.com/fianchetto-chess/fianchetto/internal/suites"
)

var named = sync.OnceValue(func() []suites.Case {
	return slices.Concat(suites.Cases("published"), suites.Cases("published960"))
})

// Names returns the names of positions.
func Names() []string {
	var names []string
	for _, p := range named() {
		names = append(names, p.Name)
	}
	return names
}

// OtherSide returns a position with the other side to move, or an error if the side to move now is
// in check.
func OtherSide(pos fianchetto.Position) (fianchetto.Position, error) {
	setup := pos.Setup()
	setup.SideToMove, setup.EnPassant = pos.SideToMove().Opponent(), fianchetto.NoSquare
	return setup.Position()
}

// ErrEmpty reports a text without a position.
var ErrEmpty = errors.New("no position: a FEN, or one of " + strings.Join(Names(), ", "))

var inAddress = pattern.Lazy(`[/=]((?:[1-8pnbrqkPNBRQK]+/){7}[1-8pnbrqkPNBRQK]+(?:[ _][^?&#]*)?)`)

// Parse reads a position, and moves from it:
//
//	kiwipete                                      a name
//	r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1          a FEN of four to six fields, or with underscores
//	r3k2r/8/8/8/8/8/8/R3K2R w KQkq - id "rooks";  EPD with operations
//	position startpos moves e2e4 e7e5             as UCI has it
//	https://lichess.org/analysis/r3k2r/8/...      a page at lichess or chess.com
//
// The text may be in quotes.
func Parse(text string, chess960 bool) (root fianchetto.Position, moves []fianchetto.Move, err error) {
	text = strings.Trim(text, " \t\r\n\"'`“”‘’")
	if text, err = readAddress(text); err != nil {
		return root, nil, err
	}
	if !strings.ContainsAny(text, " \t") {
		text = strings.ReplaceAll(text, "_", " ")
	}
	if strings.Contains(text, ";") {
		record, err := epd.Parse(text)
		return record.Position.WithChess960(chess960 || record.Position.IsChess960()), nil, err
	}
	fields := strings.Fields(text)
	for len(fields) > 1 && (fields[0] == "position" || fields[0] == "fen") {
		fields = fields[1:]
	}
	fen, played, _ := strings.Cut(strings.Join(fields, " ")+" ", " moves ")
	if root, err = parseFEN(strings.TrimSpace(fen)); err != nil {
		return root, nil, err
	}
	root = root.WithChess960(chess960 || root.IsChess960())
	return Moves(root, nil, played)
}

// readAddress returns the FEN in a web address, and other text unchanged.
func readAddress(text string) (string, error) {
	if !isAddress(text) {
		return text, nil
	}
	decoded, err := url.PathUnescape(strings.ReplaceAll(text, "+", " "))
	if fen := inAddress().FindStringSubmatch(decoded); fen != nil && err == nil {
		return strings.ReplaceAll(fen[1], "_", " "), nil
	}
	return "", fmt.Errorf("no FEN in the address %s", quote.Text(text, 0))
}

func isAddress(text string) bool {
	return strings.Contains(text, "://") || strings.Contains(text, "lichess.org/") || strings.Contains(text, "chess.com/")
}

func parseFEN(text string) (fianchetto.Position, error) {
	for _, p := range named() {
		if strings.EqualFold(p.Name, text) {
			text = p.FEN
		}
	}
	switch fields := strings.Count(text, " ") + 1; {
	case text == "":
		return fianchetto.Position{}, ErrEmpty
	case fields == 1 && !strings.Contains(text, "/"):
		return fianchetto.Position{}, fmt.Errorf("%s is not a FEN and none of the names %s", quote.Text(text, 0),
			strings.Join(Names(), ", "))
	case fields == 5:
		pos, err := fianchetto.ParseFEN(text + " 1")
		var refusal *fianchetto.PositionError
		if errors.As(err, &refusal) {
			refusal.Input = text // as it was typed
		}
		return pos, err
	}
	return fianchetto.ParseFEN(text)
}

// MixedRights returns a note on castling rights that mix standard chess and Chess960, or "".
func MixedRights(pos *fianchetto.Position) string {
	standard := pos.WithChess960(false)
	_, dropped, err := fianchetto.ParseStandardFEN(standard.FEN())
	rights := pos.CastlingRooks(fianchetto.White) | pos.CastlingRooks(fianchetto.Black)
	if err != nil || dropped == "" || len(dropped) == rights.Len() {
		return ""
	}
	return fmt.Sprintf("note: castling rights %s are read as in Chess960 (X-FEN), because king or rook is not at home; "+
		"programs of standard chess drop them", dropped)
}

var (
	moveNumber = pattern.Lazy(`^\d+(\.+|$)`)
	uciMove    = pattern.Lazy(`^(?i:[a-h][1-8][a-h][1-8][nbrq]?)$`)
	noSquare   = pattern.Lazy(`^(?:[a-h][1-8])?([a-h][09]|[i-z]\d)`)
	sanMove    = pattern.Lazy(`^([NBRQK]?[a-h]?[1-8]?[x-]?[a-h][1-8](=?[NBRQ])?|[O0]-[O0](-[O0])?)[+#]?[!?]*$`)
)

// AreMoves reports whether a word looks like moves or a move number.
func AreMoves(word string) bool {
	for part := range strings.SplitSeq(strings.ReplaceAll(word, " ", ","), ",") {
		move := moveNumber().ReplaceAllString(part, "")
		isNumber := move == "" && strings.HasSuffix(part, ".")
		if !isNumber && !isNull(part) && !isNull(move) && !uciMove().MatchString(move) && !sanMove().MatchString(move) {
			return false
		}
	}
	return true
}

func isNull(word string) bool { return word == "--" || word == "0000" }

// Moves adds moves to a line. It reads UCI or SAN, separated by spaces or commas, with or without
// numbers. After a null move, the line begins with the position after it.
func Moves(root fianchetto.Position, line []fianchetto.Move, text string) (fianchetto.Position, []fianchetto.Move, error) {
	pos := After(root, line)
	for word := range strings.FieldsSeq(strings.ReplaceAll(text, ",", " ")) {
		if !isNull(word) {
			word = moveNumber().ReplaceAllString(word, "")
		}
		switch {
		case word == "":
			continue
		case isNull(word) && pos.InCheck():
			return root, line, fmt.Errorf("move %s: a null move in check (%s)", quote.Text(word, 0), pos.FEN())
		case noSquare().MatchString(word):
			return root, line, fmt.Errorf("move %s: there is no square %s", quote.Text(word, 0),
				noSquare().FindStringSubmatch(word)[1])
		case isNull(word):
			pos = pos.Null()
			root, line = pos, nil
			continue
		}
		move, err := pos.ParseSAN(word)
		if uciMove().MatchString(word) {
			move, err = pos.ParseUCI(strings.ToLower(word))
		}
		if err != nil {
			return root, line, err
		}
		line = append(line, move)
		pos = pos.After(move)
	}
	return root, line, nil
}

// After returns the position after the moves.
func After(pos fianchetto.Position, moves []fianchetto.Move) fianchetto.Position {
	for _, move := range moves {
		pos = pos.After(move)
	}
	return pos
}

var (
	placement = pattern.Lazy(`^(?:[1-8pnbrqkPNBRQK]+/){7}[1-8pnbrqkPNBRQK]+$`)
	quoted    = pattern.Lazy(`(?:/[^/ _]+){7}[ _][wb](?:[ _]|$)`) // with spaces or underscores; it may be wrong
)

var fields = []func() *regexp.Regexp{
	pattern.Lazy(`^[wb]$`), pattern.Lazy(`^(-|[A-Ha-hKQkq]{1,4})$`), pattern.Lazy(`^(-|[a-h][36])$`),
	pattern.Lazy(`^\d+$`), pattern.Lazy(`^\d+$`),
}

// Words returns the number of leading words that make a position: 1 for a name, an address or a
// quoted FEN, the number of fields for another FEN, or else 0.
func Words(words []string) int {
	isName := func(word string) bool { return slices.Contains(Names(), strings.ToLower(word)) }
	switch n := 1; {
	case slices.ContainsFunc(strings.Fields(words[0]), isName), isAddress(words[0]), quoted().MatchString(words[0]):
		return 1
	case placement().MatchString(words[0]),
		len(words) > 1 && fields[0]().MatchString(words[1]) && quoted().MatchString(words[0]+" "+words[1]):
		for n < min(len(words), 6) && fields[n-1]().MatchString(words[n]) {
			n++
		}
		return n
	}
	return 0
}
