package compare

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/compare"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/drawing"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/exit"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/input"
)

// svgReport draws the board of each difference to a file: 001-missing-e5d6.svg.
type svgReport struct {
	directory string
	drawn     int
}

func (s *svgReport) position(p *comparedPosition) error {
	for i := range p.Differences {
		d := &p.Differences[i]
		s.drawn++
		name := fmt.Sprintf("%03d-%s.svg", s.drawn, strings.ReplaceAll(d.Subject(), " ", "-"))
		if err := os.WriteFile(filepath.Join(s.directory, name), []byte(drawDifference(d)), 0o666); err != nil {
			return exit.IO(fmt.Errorf("--svg: %w", err))
		}
	}
	return nil
}

// drawDifference draws the position with the move, and with what attacks the king if that decides.
func drawDifference(d *compare.Difference) string {
	pos := d.Position()
	board := drawing.Drawing{Position: &pos}
	if d.Move != "" {
		board.Marks = board.Marks.WithSquare(d.Proposed.From, drawing.Member).WithSquare(d.Proposed.To, drawing.Member)
		board.Arrows = append(board.Arrows, drawing.Arrow{From: d.Proposed.From, To: d.Proposed.To})
	}
	for s := range d.Verdict.Attackers.Squares() {
		board.Arrows = append(board.Arrows, drawing.Arrow{From: s, To: d.Verdict.Attacked, Attack: true})
	}
	return board.SVG(d.Headline() + ": " + d.Rule())
}

func (*svgReport) malformed(*input.MalformedLine) error { return nil }
func (*svgReport) notOpened(error) error                { return nil }
func (*svgReport) summary(*comparison) error            { return nil }
