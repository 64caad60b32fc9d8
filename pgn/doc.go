// Package pgn reads and writes chess games in Portable Game Notation, one game at a time, from streams of any length.
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
// A Reader checks every move, keeps one game and a buffer in memory, and accepts more than the import format, as its
// documentation describes. A Writer writes the export format, which reads back as the same games.
//
// One core of an AMD EPYC (Zen 5) reads and checks the main lines of a file without comments at 120 MB/s, which is eleven million
// moves a second, and those of a file with clocks and evaluations at 340 MB/s; the tags alone at 360 and 820 MB/s; and
// everything at 115 and 140 MB/s. BenchmarkReader measures it, on the file that PGN_FILE names.
//
// Sources: https://www.chessprogramming.org/Portable_Game_Notation, and the Standard: Portable Game Notation Specification
// and Implementation Guide, revised 1994.03.12
package pgn
