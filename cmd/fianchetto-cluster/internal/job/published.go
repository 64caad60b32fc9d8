package job

import (
	"fmt"
	"strings"

	"github.com/fianchetto-chess/fianchetto"
)

// published contains the totals of the start position from depth 1.
//
// Source: https://www.chessprogramming.org/Perft_Results
var published = [...]string{"20", "400", "8902", "197281", "4865609", "119060324", "3195901860", "84998978956",
	"2439530234167", "69352859712417", "2097651003696806", "62854969236701747", "1981066775000396239",
	"61885021521585529237", "2015099950053364471960"}

// CheckPublished returns ErrPublished if the total of a finished job differs from the published
// one.
func (s *Summary) CheckPublished() error {
	board := func(fen string) string { return strings.Join(strings.Fields(fen)[:4], " ") }
	depth := s.Job.Spec.Depth
	if !s.Done || depth > len(published) || board(s.Job.Spec.FEN) != board(fianchetto.StartFEN) {
		return nil
	}
	if want := published[depth-1]; s.Nodes.String() != want {
		return fmt.Errorf("%w: %s of the start position at depth %d, and %s is published", ErrPublished, s.Nodes, depth,
			want)
	}
	return nil
}
