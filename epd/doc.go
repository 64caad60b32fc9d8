// Package epd reads and writes positions with operations in Extended Position Description, one position on each line:
//
//	1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - bm Qd1+; id "BK.01";
//
//	for record, err := range epd.Read(file, "bratko-kopec.epd") {
//		if err != nil {
//			log.Print(err) // file, line, offset and cause; reading continues with the next line
//			continue
//		}
//		fmt.Println(record.Text("id"), record.Position.SAN(record.Moves("bm")[0]))
//	}
//
// Parse reads a line, Record.AppendText writes one. The operations of the standard with moves are am (avoid moves), bm (best moves), pm
// (predicted move), pv (predicted variation) and sm (supplied move). Others have numbers, such as acd, acn and acs (depth, nodes and
// seconds of an analysis), ce (evaluation in centipawns) and dm (moves to mate), or strings, such as id and the comments c0 to c9.
// The clocks, hmvc and fmvn, are part of the position.
//
// Sources: https://www.chessprogramming.org/Extended_Position_Description, and the Standard: Portable Game Notation Specification
// and Implementation Guide, revised 1994.03.12, section 16.2
package epd
