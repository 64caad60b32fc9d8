package fianchetto

import "testing"

// TestParsePlain compares the two parsers of ParseSAN for every text of up to six of these letters.
func TestParsePlain(t *testing.T) {
	var texts func(text string)
	plain := 0
	texts = func(text string) {
		if piece, among, to := parsePlain(text); among != 0 {
			plain++
			s := sanText{text: text}
			problem := s.parse()
			if problem != "" || s.piece != piece || s.to != to || filesOrAll[s.file]&ranksOrAll[s.rank] != among ||
				s.promotion != NoPieceType || s.enPassantAt != 0 {
				t.Fatalf("%q is read as %v among %#x to %v, and as %+v, %s", text, piece, uint64(among), to, s, problem)
			}
		}
		for _, letter := range "KBPabh128x+#=-" {
			if len(text) < 6 {
				texts(text + string(letter))
			}
		}
	}
	texts("")
	if plain < 500 {
		t.Errorf("%d plain texts only", plain)
	}
}
