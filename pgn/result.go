package pgn

// Result is how a game ended.
type Result uint8

// The results. The zero value is that of a game that goes on, was abandoned, or whose end is unknown.
const (
	Unknown Result = iota
	WhiteWins
	BlackWins
	Draw
)

var resultNames = [...]string{Unknown: "*", WhiteWins: "1-0", BlackWins: "0-1", Draw: "1/2-1/2"}

// String returns the result as PGN writes it: *, 1-0, 0-1 or 1/2-1/2.
func (r Result) String() string { return resultNames[r&3] }

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
