package drawing

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// corners returns the ends of the segments of a path, whose commands are M, L, H, V, C, A and Z, absolute or relative.
func corners(t *testing.T, path string) (xs, ys []float64) {
	t.Helper()
	arguments := map[string]int{"m": 2, "l": 2, "h": 1, "v": 1, "c": 6, "a": 7}
	var x, y float64
	for _, segment := range regexp.MustCompile(`([A-Za-z])([^A-Za-z]*)`).FindAllStringSubmatch(path, -1) {
		command := strings.ToLower(segment[1])
		if command == "z" {
			continue
		}
		numbers := regexp.MustCompile(`-?(?:\d+\.?\d*|\.\d+)`).FindAllString(segment[2], -1)
		each := arguments[command]
		if each == 0 || len(numbers)%each != 0 {
			t.Fatalf("segment %q of %q", segment[0], path)
		}
		for ; len(numbers) > 0; numbers = numbers[each:] {
			var fromX, fromY float64
			if command == segment[1] {
				fromX, fromY = x, y
			}
			last, err := strconv.ParseFloat(numbers[each-1], 64)
			if err != nil {
				t.Fatal(err)
			}
			switch command {
			case "h":
				x = fromX + last
			case "v":
				y = fromY + last
			default:
				before, err := strconv.ParseFloat(numbers[each-2], 64)
				if err != nil {
					t.Fatal(err)
				}
				x, y = fromX+before, fromY+last
			}
			xs, ys = append(xs, x), append(ys, y)
		}
	}
	return xs, ys
}

// TestPieceSizes measures the outlines: all pieces stand on one line, none is higher than the king, which with its stroke fills 85%
// of its square, and all but the pawn fill nearly as much.
func TestPieceSizes(t *testing.T) {
	const stroke, ground = 1.4, 40.9
	for piece, s := range pieceShapes {
		xs, ys := corners(t, s.outline)
		left, right, top, bottom := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
		for i := range xs {
			left, right, top, bottom = min(left, xs[i]), max(right, xs[i]), min(top, ys[i]), max(bottom, ys[i])
		}
		height := (bottom - top + stroke) / squareSize
		if math.Abs(bottom-ground) > 0.01 || left < 3 || right > squareSize-3 || top < 4 {
			t.Errorf("%v: from %.1f to %.1f, %.1f to %.1f", piece, left, right, top, bottom)
		}
		least := map[string]float64{"king": 0.845, "pawn": 0.7}[piece.String()]
		if least == 0 {
			least = 0.74 // the balls of the queen are above the ends of segments
		}
		if height < least || height > 0.855 {
			t.Errorf("%v: fills %.3f of the height of its square", piece, height)
		}
		if xs, _ := corners(t, s.details); len(xs) == 0 {
			t.Errorf("%v has no details", piece)
		}
	}
}
