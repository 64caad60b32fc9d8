package pgn

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/fianchetto-chess/fianchetto"
)

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

// start returns the position in which a game with these tags begins, or an error and the name of the bad tag.
func (t Tags) start() (pos fianchetto.Position, bad string, err error) {
	chess960, known := readVariant(t.Value(variantTag))
	if !known {
		return pos, variantTag, ErrVariant
	}
	pos = fianchetto.StartPosition()
	if fen := strings.Join(strings.Fields(t.Value(fenTag)), " "); fen != "" && fen != "?" {
		if pos, err = fianchetto.ParseFEN(fen); err != nil {
			return pos, fenTag, err
		}
	}
	return pos.WithChess960(chess960 || pos.IsChess960()), "", nil
}

// readVariant reports whether the value of the tag Variant is Chess960, and whether it is that or standard chess.
func readVariant(name string) (chess960, known bool) {
	switch strings.ToLower(strings.ReplaceAll(name, " ", "")) {
	case "", "?", "standard", "chess", "normal", "fromposition":
		return false, true
	case "chess960", "fischerandom", "fischerrandom", "fischerrandomchess":
		return true, true
	}
	return false, false
}

// tagArena collects the tag pairs of a game, whose strings it allocates together.
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
