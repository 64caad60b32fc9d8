package browser

import "testing"

func TestNotationLessonFindsTheMove(t *testing.T) {
	t.Parallel()
	p := open(t, "http", "#view=learn&lesson=san&step=4")
	for _, words := range []string{"Bb3 is a4b3", "c2 may not go: the bishop on c2 is pinned to g2 by the rook on a2", "a4 can go there"} {
		p.reads(words)
	}
	p.eventually(`document.querySelector(".board path.reason")`)
}
