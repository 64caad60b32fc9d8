package attacks

import "github.com/fianchetto-chess/fianchetto/magic"

// fixed shifts by the same constant on all squares, so that the index needs no check; the default.
var fixed = Algorithm{
	Name:       "fixed",
	Source:     `chessprogramming wiki, Magic Bitboards, "Fixed shift": https://www.chessprogramming.org/Magic_Bitboards`,
	TableBytes: magic.TableBytes,
	Bishop:     magic.Bishop,
	Rook:       magic.Rook,
}
