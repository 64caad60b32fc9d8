// Package pgn reads and writes games of chess in Portable Game Notation, game by game, from streams of any length.
//
//	reader := pgn.NewReader(file)
//	for game, err := range reader.Games() {
//		if err != nil {
//			log.Print(err) // game, line, column, token and cause; the next game may be all right
//			continue
//		}
//		for pos, m := range game.Replay(game.Start) {
//			fmt.Println(pos.SAN(m))
//		}
//	}
//
// Every move is checked. A Reader keeps in memory one game and a buffer; it takes what programs and people write, not
// the export format alone, and Reader says what. A Writer writes the export format, which reads back as the same games.
//
// Sources: https://www.chessprogramming.org/Portable_Game_Notation, and the Standard: Portable Game Notation Specification
// and Implementation Guide, revised 1994.03.12
package pgn
