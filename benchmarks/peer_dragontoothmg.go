package main

import "github.com/dylhunn/dragontoothmg"

// referencePerft is dragontoothmg's own perft, which counts the last ply in bulk.
func referencePerft() contender {
	return contender{
		name:   "dragontoothmg",
		remark: "its own Perft: the last ply counted, not made",
		open: func(fen string) (walk, error) {
			board := dragontoothmg.ParseFen(fen)
			return func(depth int) (uint64, error) { return uint64(dragontoothmg.Perft(&board, depth)), nil }, nil
		},
	}
}

// referenceMake lists the moves with dragontoothmg, applies and takes back every one.
func referenceMake() contender {
	return contender{
		name:   "dragontoothmg",
		remark: "GenerateLegalMoves, then Apply and the undo it returns",
		open: func(fen string) (walk, error) {
			board := dragontoothmg.ParseFen(fen)
			return func(depth int) (uint64, error) { return referenceMade(&board, depth), nil }, nil
		},
	}
}

func referenceMade(b *dragontoothmg.Board, depth int) uint64 {
	moves := b.GenerateLegalMoves()
	made := uint64(len(moves))
	for _, m := range moves {
		undo := b.Apply(m)
		if depth > 1 {
			made += referenceMade(b, depth-1)
		}
		undo()
	}
	return made
}
