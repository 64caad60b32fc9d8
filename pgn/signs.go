package pgn

// NAG is a numeric annotation glyph, a number for an annotator's sign. The standard defines 0 to
// 139; programs use more.
type NAG uint16

// The NAGs of moves.
const (
	_           NAG = iota
	GoodMove        // !
	Mistake         // ?
	Brilliant       // !!
	Blunder         // ??
	Interesting     // !?
	Dubious         // ?!
)

// sign is an annotator's sign and its NAG.
type sign struct {
	nag    NAG  // 0 if the standard has none, which makes the sign a comment
	bySide bool // nag is for White, nag+1 for Black, depending on who moved
	texts  []string
}

// signs lists the signs that a Reader accepts as words or glued to a move, including those of the
// Chess Informant. docs/data.md shows the table.
var signs = []sign{
	{nag: GoodMove, texts: []string{"!"}},
	{nag: Mistake, texts: []string{"?"}},
	{nag: Brilliant, texts: []string{"!!", "‼"}},
	{nag: Blunder, texts: []string{"??", "⁇"}},
	{nag: Interesting, texts: []string{"!?", "⁉"}},
	{nag: Dubious, texts: []string{"?!", "⁈"}},
	{nag: 7, texts: []string{"□"}},                                                // only move
	{nag: 10, texts: []string{"="}},                                               // even
	{nag: 13, texts: []string{"∞", "~"}},                                          // unclear
	{nag: 14, texts: []string{"⩲", "+=", "+/=", "±="}},                            // White is slightly better
	{nag: 15, texts: []string{"⩱", "=+", "=/+", "=∓"}},                            // Black is slightly better
	{nag: 16, texts: []string{"±", "+/-", "+/−"}},                                 // White is better
	{nag: 17, texts: []string{"∓", "-/+", "−/+"}},                                 // Black is better
	{nag: 18, texts: []string{"+-", "+−", "+–"}},                                  // White is winning
	{nag: 19, texts: []string{"-+", "−+", "–+"}},                                  // Black is winning
	{nag: 20, texts: []string{"+--", "+−−"}},                                      // White should have won
	{nag: 21, texts: []string{"--+", "−−+"}},                                      // Black should have won
	{nag: 22, bySide: true, texts: []string{"⊙", "⨀"}},                            // zugzwang
	{nag: 26, bySide: true, texts: []string{"○"}},                                 // more space
	{nag: 32, bySide: true, texts: []string{"⟳", "↻"}},                            // better development
	{nag: 36, bySide: true, texts: []string{"↑"}},                                 // initiative
	{nag: 40, bySide: true, texts: []string{"→"}},                                 // attack
	{nag: 44, bySide: true, texts: []string{"=∞", "∞=", "=/∞", "∞/=", "⯹", "~="}}, // compensation
	{nag: 132, bySide: true, texts: []string{"⇆", "⇄"}},                           // counterplay
	{nag: 138, bySide: true, texts: []string{"⊕", "⨁"}},                           // time trouble
	{nag: 146, texts: []string{"N"}},                                              // novelty, common but not in the standard
	{texts: []string{"==", "D", "RR", "∆", "Δ", "△", "∇", "⌓", "⊥", "⊞", "⟫", "⟪", "⇔", "⇗", "×", "✕", "∟", "⅃"}},
}

var signsByText = func() map[string]sign {
	byText := map[string]sign{}
	for _, s := range signs {
		for _, text := range s.texts {
			byText[text] = s
		}
	}
	return byText
}()

// longestSign is the maximal length of a sign in bytes.
const longestSign = 7
