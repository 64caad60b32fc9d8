package pgn

import (
	"cmp"
	"strings"
	"unicode/utf8"

	"github.com/fianchetto-chess/fianchetto"
)

const (
	eventTag   = "Event"
	resultTag  = "Result"
	setUpTag   = "SetUp"
	fenTag     = "FEN"
	variantTag = "Variant"
)

// Tag is a tag pair.
type Tag struct {
	Name, Value string // Value without the backslashes of PGN, in UTF-8
}

// Tags lists the tag pairs of a game.
type Tags []Tag

// Value returns the value of the first tag called name, or "".
func (t Tags) Value(name string) string {
	if i := t.index(name); i >= 0 {
		return t[i].Value
	}
	return ""
}

// Set sets the value of the first tag called name, or appends the tag.
func (t *Tags) Set(name, value string) {
	if i := t.index(name); i >= 0 {
		(*t)[i].Value = value
		return
	}
	*t = append(*t, Tag{name, value})
}

func (t Tags) index(name string) int {
	for i := range t { // much faster than slices.IndexFunc
		if t[i].Name == name {
			return i
		}
	}
	return -1
}

// start returns the start position and the dropped castling rights of its FEN, or an error and the
// name of the bad tag.
func (t Tags) start() (pos fianchetto.Position, dropped, bad string, err error) {
	rules := rulesOf(t.Value(variantTag))
	if rules == otherGame {
		return pos, "", variantTag, ErrVariant
	}
	pos = fianchetto.StartPosition()
	if fen := strings.Join(strings.Fields(t.Value(fenTag)), " "); fen != "" && fen != "?" {
		if pos, dropped, err = parseFEN(fen, rules); err != nil {
			return fianchetto.Position{}, "", fenTag, err
		}
	}
	return pos.WithChess960(rules == chess960 || pos.IsChess960()), dropped, "", nil
}

// parseFEN returns a position and the castling rights that it dropped. Without a variant, it drops
// rights only if the FEN is unplayable with them.
func parseFEN(fen string, rules rules) (pos fianchetto.Position, dropped string, err error) {
	pos, err = fianchetto.ParseFEN(fen)
	if rules == standardChess || rules == anyChess && err != nil {
		standard, dropped, standardErr := fianchetto.ParseStandardFEN(fen)
		if standardErr == nil || rules == standardChess {
			return standard, dropped, standardErr
		}
	}
	return pos, "", err
}

// tagArena collects the tag pairs of a game, so that their strings share one allocation.
type tagArena struct {
	text []byte
	ends []int // of each name and value
}

func (a *tagArena) add(name, value []byte) {
	a.text = append(a.text, name...)
	named := len(a.text)
	a.text = append(a.text, value...)
	a.ends = append(a.ends, named, len(a.text))
}

func (a *tagArena) appendTo(tags Tags) Tags {
	text, begin := string(a.text), 0
	isPlain := strings.IndexByte(text, '\\') < 0 && utf8.ValidString(text)
	for i := 0; i < len(a.ends); i += 2 {
		tag := Tag{text[begin:a.ends[i]], text[a.ends[i]:a.ends[i+1]]}
		if begin = a.ends[i+1]; !isPlain {
			tag.Value = unescape.Replace(toUTF8([]byte(tag.Value)))
		}
		tags = append(tags, tag)
	}
	a.text, a.ends = a.text[:0], a.ends[:0]
	return tags
}

var unescape = strings.NewReplacer(`\"`, `"`, `\\`, `\`)

// toUTF8 converts bytes that are not UTF-8 from Windows-1252, which contains the standard's ISO
// 8859-1.
func toUTF8(text []byte) string {
	if utf8.Valid(text) {
		return string(text)
	}
	var converted strings.Builder
	for len(text) > 0 {
		c, size := utf8.DecodeRune(text)
		if c == utf8.RuneError && size == 1 {
			c = windows1252[text[0]-0x80]
		}
		converted.WriteRune(c)
		text = text[size:]
	}
	return converted.String()
}

var windows1252 = []rune("€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ" +
	"\u00a0¡¢£¤¥¦§¨©ª«¬\u00ad®¯°±²³´µ¶·¸¹º»¼½¾¿ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõö÷øùúûüýþÿ")

type rules uint8

const (
	otherGame     rules = iota // not supported
	anyChess                   // castling as ParseFEN reads the FEN
	standardChess              // castling only from e1 and e8, as ParseStandardFEN reads the FEN
	chess960
)

// variants lists the accepted values of the tag Variant in lower case, without spaces, hyphens and
// underscores. docs/data.md shows the table.
var variants = []namesOf[rules]{
	{anyChess, "? illegal fromposition wild/0 wild/1 wild/2 wild/3 wild/4 wild/5 wild/6 wild/7 wild/8 wild/8a"},
	{standardChess, "standard standardchess chess classical normal regular orthodox"},
	{chess960, "chess960 960 fischerandom fischerrandom fischerandomchess fischerrandomchess wild/fr freestyle " +
		"freestylechess"},
}

var rulesOfName = byName(variants)

var withoutSeparators = strings.NewReplacer(" ", "", "-", "", "_", "")

func rulesOf(variant string) rules {
	return rulesOfName[cmp.Or(withoutSeparators.Replace(strings.ToLower(variant)), "?")]
}
