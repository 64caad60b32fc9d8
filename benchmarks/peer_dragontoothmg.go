package main

import (
	"runtime"

	"github.com/dylhunn/dragontoothmg"
)

const referenceName = "dragontoothmg"

// referencePerft is dragontoothmg's own perft, which counts the last ply in bulk.
func referencePerft() contender {
	return contender{
		name:   referenceName,
		remark: "its own Perft: the last ply counted, not made",
		open: func(fen string) (walk, error) {
			board := dragontoothmg.ParseFen(fen)
			return timed(func(depth int) (uint64, error) { return uint64(dragontoothmg.Perft(&board, depth)), nil }), nil
		},
	}
}

// referenceMake lists the moves with dragontoothmg, applies and takes back every one.
func referenceMake() contender {
	return openReference("GenerateLegalMoves, then Apply and the undo it returns", false)
}

// referenceMakeAndEvaluate evaluates every position made, too.
func referenceMakeAndEvaluate() contender {
	return openReference("GenerateLegalMoves, Apply, the evaluation, and the undo", true)
}

func openReference(remark string, evaluate bool) contender {
	return contender{
		name:   referenceName,
		remark: remark,
		open: func(fen string) (walk, error) {
			board := dragontoothmg.ParseFen(fen)
			return timed(func(depth int) (uint64, error) { return referenceMade(&board, depth, evaluate), nil }), nil
		},
	}
}

func referenceMade(b *dragontoothmg.Board, depth int, evaluate bool) uint64 {
	moves := b.GenerateLegalMoves()
	made := uint64(len(moves))
	for _, m := range moves {
		undo := b.Apply(m)
		if evaluate {
			runtime.KeepAlive(evaluateReference(b))
		}
		if depth > 1 {
			made += referenceMade(b, depth-1, evaluate)
		}
		undo()
	}
	return made
}
