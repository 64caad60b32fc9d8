package bitboard

import "strconv"

// Direction is one of the eight compass steps as a difference of square indices.
// Source: https://www.chessprogramming.org/Direction
type Direction int8

// The eight directions.
const (
	North     Direction = 8
	South     Direction = -8
	East      Direction = 1
	West      Direction = -1
	NorthEast Direction = North + East
	NorthWest Direction = North + West
	SouthEast Direction = South + East
	SouthWest Direction = South + West
)

var directionNames = [...]string{
	North + 9: "north", South + 9: "south", East + 9: "east", West + 9: "west",
	NorthEast + 9: "north-east", NorthWest + 9: "north-west", SouthEast + 9: "south-east", SouthWest + 9: "south-west",
}

// String returns the name of d, "north" to "south-west".
func (d Direction) String() string {
	if i := int(d) + 9; 0 <= i && i < len(directionNames) && directionNames[i] != "" {
		return directionNames[i]
	}
	return "Direction(" + strconv.Itoa(int(d)) + ")"
}

// Directions returns the four directions in which a bishop or a rook moves, or zeros for other
// types.
func (t PieceType) Directions() (directions [4]Direction) {
	switch t {
	case Bishop:
		return [4]Direction{NorthEast, NorthWest, SouthEast, SouthWest}
	case Rook:
		return [4]Direction{North, South, East, West}
	}
	return directions
}

const (
	fileA Bitboard = 0x0101010101010101
	fileH          = fileA << 7
)

// Shift moves every square of b one step and drops the squares that leave the board.
// Source: https://www.chessprogramming.org/General_Setwise_Operations#OneStepOnly
func (b Bitboard) Shift(d Direction) Bitboard {
	switch d {
	case North:
		return b << 8
	case South:
		return b >> 8
	case East:
		return b &^ fileH << 1
	case West:
		return b &^ fileA >> 1
	case NorthEast:
		return b &^ fileH << 9
	case NorthWest:
		return b &^ fileA << 7
	case SouthEast:
		return b &^ fileH >> 7
	case SouthWest:
		return b &^ fileA >> 9
	}
	return Empty
}

// Walk steps from s in direction d and returns the squares reached, up to and including the first
// in occupancy. It is slow and plain because every slider algorithm is tested against it.
func Walk(s Square, d Direction, occupancy Bitboard) Bitboard {
	var passed Bitboard
	for step := s.Bitboard().Shift(d); step != 0; step = step.Shift(d) {
		passed |= step
		if step&occupancy != 0 {
			break
		}
	}
	return passed
}
