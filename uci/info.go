package uci

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fianchetto-chess/fianchetto"
)

// Info is what an engine reports of its search. Fields that are zero are not written, except that depth, nodes, and
// time belong to every score.
type Info struct {
	Depth          int               // plies
	SelDepth       int               // the greatest depth of any line, in plies
	MultiPV        int               // the number of the line among the best, from 1
	Score          Score             // of the position
	Nodes          uint64            // searched so far
	NPS            uint64            // nodes a second
	Hashfull       int               // permille of the hash table that is in use
	TBHits         uint64            // positions found in endgame tables
	Time           time.Duration     // since go
	CurrMove       fianchetto.Move   // the move of the root that is searched
	CurrMoveNumber int               // its number, from 1
	PV             []fianchetto.Move // the best line: each move is legal after those before it
	Text           string            // a message for the user, which ends the line
}

// Score is a score as the side to move sees it. The zero value is no score.
type Score struct {
	Unit  Unit  // of the value
	Value int   // centipawns, or moves, not plies, to mate: negative if the side to move is mated
	Bound Bound // whether the value is exact
}

// Unit is the unit of a score, as UCI writes it.
type Unit string

// The units.
const (
	NoScore    Unit = ""
	Centipawns Unit = "cp"
	Mate       Unit = "mate"
)

// Bound tells whether a score is exact, as UCI writes it.
type Bound string

// The bounds.
const (
	Exact      Bound = ""
	LowerBound Bound = "lowerbound"
	UpperBound Bound = "upperbound"
)

// ScoreOf returns the score of an engine that counts a mate in n plies as mate-n, and -mate+n against itself: scores
// within 1000 of mate are mates, others centipawns.
func ScoreOf(score, mate int) Score {
	switch plies := mate - max(score, -score); {
	case plies >= 1000:
		return Score{Unit: Centipawns, Value: score}
	case score > 0:
		return Score{Unit: Mate, Value: (plies + 1) / 2}
	default:
		return Score{Unit: Mate, Value: -plies / 2}
	}
}

// String returns the score as UCI writes it: "cp 35", "mate -3", "cp 900 lowerbound".
func (s Score) String() string { return string(s.append(nil)) }

func (s Score) append(text []byte) []byte {
	text = append(append(text, s.Unit...), ' ')
	text = strconv.AppendInt(text, int64(s.Value), 10)
	if s.Bound != Exact {
		text = append(append(text, ' '), s.Bound...)
	}
	return text
}

func (i *Info) numbers() [9]number {
	return [9]number{
		{"depth", &i.Depth, 0}, {"seldepth", &i.SelDepth, 0}, {"multipv", &i.MultiPV, 0}, {"nodes", &i.Nodes, 0},
		{"nps", &i.NPS, 0}, {"hashfull", &i.Hashfull, 0}, {"tbhits", &i.TBHits, 0}, {"time", &i.Time, 0},
		{"currmovenumber", &i.CurrMoveNumber, 0},
	}
}

// AppendText appends the line as UCI writes it, without its end: "info depth 3 score cp 20 nodes 99 time 1 pv e2e4".
// pos is the position that is searched. It does not allocate if text has room.
func (i *Info) AppendText(text []byte, pos *fianchetto.Position) []byte {
	text = append(text, "info"...)
	numbers := i.numbers()
	for n := range numbers {
		word := numbers[n].word
		isWanted := i.Score.Unit != NoScore && (word == "depth" || word == "nodes" || word == "time")
		text = numbers[n].append(text, isWanted)
		if word == "multipv" && i.Score.Unit != NoScore {
			text = i.Score.append(append(text, " score "...))
		}
	}
	if i.CurrMove != fianchetto.NoMove {
		text = pos.AppendUCI(append(text, " currmove "...), i.CurrMove)
	}
	text = appendLine(text, "pv", pos, i.PV)
	if i.Text != "" {
		text = append(append(text, " string "...), i.Text...)
	}
	return text
}

// ParseInfo reads a line that an engine writes while it searches pos, or returns false if it is no info. Unknown words
// are skipped. The line of moves ends before the first that is not legal.
func ParseInfo(line string, pos *fianchetto.Position) (i Info, ok bool) {
	words := strings.Fields(line)
	if len(words) == 0 || words[0] != "info" {
		return i, false
	}
	numbers := i.numbers()
	words = words[1:]
	next := func() (word string) {
		if len(words) > 0 {
			word, words = words[0], words[1:]
		}
		return word
	}
	for len(words) > 0 {
		switch word := next(); word {
		case "string":
			_, i.Text, _ = strings.Cut(line, " string ")
			return i, true
		case "cp", "mate":
			i.Score.Unit = Unit(word)
			i.Score.Value, _ = strconv.Atoi(next())
		case "lowerbound", "upperbound":
			i.Score.Bound = Bound(word)
		case "currmove":
			i.CurrMove, _ = pos.ParseUCI(next())
		case "pv":
			for here := *pos; len(words) > 0; words = words[1:] {
				m, err := here.ParseUCI(words[0])
				if err != nil {
					break
				}
				i.PV, here = append(i.PV, m), here.After(m)
			}
		default:
			if n := slices.IndexFunc(numbers[:], func(n number) bool { return n.word == word }); n >= 0 {
				numbers[n].read(next())
			}
		}
	}
	return i, true
}

// appendLine appends a word and the moves of a line from pos; nothing without moves. How a move is written depends only
// on whether the game is Chess960.
func appendLine(text []byte, word string, pos *fianchetto.Position, moves []fianchetto.Move) []byte {
	for i, m := range moves {
		if i == 0 {
			text = append(append(text, ' '), word...)
		}
		text = pos.AppendUCI(append(text, ' '), m)
	}
	return text
}

// Best is an engine's answer to go.
type Best struct {
	Move   fianchetto.Move // NoMove if there is none
	Ponder fianchetto.Move // the reply of the opponent on which the engine would like to ponder; NoMove if there is none
}

// BestOf returns the first two moves of a line, which may be shorter.
func BestOf(line []fianchetto.Move) Best {
	line = append(slices.Clip(line), fianchetto.NoMove, fianchetto.NoMove)
	return Best{line[0], line[1]}
}

// AppendText appends the answer as UCI writes it, without its end: "bestmove e2e4 ponder e7e5", "bestmove (none)" if no
// move is legal in pos, and otherwise "bestmove 0000" for NoMove.
func (b Best) AppendText(text []byte, pos *fianchetto.Position) []byte {
	if b.Move == fianchetto.NoMove && !pos.HasLegalMove() {
		return append(text, "bestmove (none)"...)
	}
	text = pos.AppendUCI(append(text, "bestmove "...), b.Move)
	if b.Ponder != fianchetto.NoMove {
		text = pos.AppendUCI(append(text, " ponder "...), b.Ponder)
	}
	return text
}

// ParseBest reads an engine's answer in the position that was searched, or returns false if the line is no bestmove. It
// returns an error if the move is not legal; a ponder move that is not legal is left out.
func ParseBest(line string, pos *fianchetto.Position) (b Best, ok bool, err error) {
	words := append(strings.Fields(line), "", "", "", "")
	switch {
	case words[0] != "bestmove":
		return b, false, nil
	case words[1] == "", words[1] == "(none)", words[1] == fianchetto.NoMove.String():
		return b, true, nil
	}
	b.Move, err = pos.ParseUCI(words[1])
	if err == nil && words[2] == "ponder" {
		next := pos.After(b.Move)
		b.Ponder, _ = next.ParseUCI(words[3])
	}
	return b, true, err
}
