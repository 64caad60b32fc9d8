package job

import (
	"context"
	"math"

	"github.com/fianchetto-chess/fianchetto/internal/core"
)

// cut returns where each task begins in the frontier, and where the last ends.
func (j *Job) cut(ctx context.Context, threads int) ([]int, error) {
	if j.spec.Batch > 0 {
		return cutEvenly(j.frontier.len, j.spec.Batch), nil
	}
	costs, err := j.estimate(ctx, threads)
	if err != nil {
		return nil, err
	}
	return cutByCost(costs), nil
}

func cutEvenly(positions, batch int) []int {
	bounds := []int{0}
	for first := 0; first < positions; first += batch {
		bounds = append(bounds, min(first+batch, positions))
	}
	return bounds
}

// The seconds that a task should take: a share of the whole, so that a short run has many short tasks, within bounds.
const (
	enoughTasks = 256
	shortTask   = 0.02
	longTask    = 20.0
)

// cutByCost makes tasks of about the same cost, in seconds, of neighbouring positions.
func cutByCost(costs []float32) []int {
	total := 0.0
	for _, c := range costs {
		total += float64(c)
	}
	target := min(max(shortTask, total/enoughTasks), longTask)
	bounds, sum := []int{0}, 0.0
	for i, c := range costs {
		first := bounds[len(bounds)-1]
		if i > first && (sum+float64(c)/2 > target || i-first == MaxBatch) {
			bounds, sum = append(bounds, i), 0
		}
		sum += float64(c)
	}
	if len(costs) > 0 {
		bounds = append(bounds, len(costs))
	}
	return bounds
}

// estimate guesses how many seconds each position takes on one thread with a hash table, from its number of moves and replies.
// It is a guess from a formula, not a measurement, so that all machines cut a job alike.
func (j *Job) estimate(ctx context.Context, threads int) ([]float32, error) {
	costs := make([]float32, j.frontier.len)
	depth := j.spec.Depth - j.spec.Split
	err := inParallel(ctx, threads, len(j.frontier.blocks), func(n int) error {
		first := j.frontier.firsts[n]
		var scratch core.TargetSets
		for i := range j.frontier.blocks[n].positions {
			b := j.frontier.blocks[n].positions[i].Board()
			costs[first+i] = float32(cost(b.CountTwo(&scratch), depth))
		}
		return nil
	})
	return costs, err
}

// What a position costs, fitted to jobs of 7 to 11 plies from the start position: to unpack it, and, of its tree, for each position
// two plies above the leaves that is not found in the hash table. Trees grow by less than their moves with each ply, for more of what is
// below has been counted before.
const (
	unpackCost = 2e-6
	pairsCost  = 0.4e-6
	growth     = 0.83
)

// cost guesses the seconds for a tree by its number of leaves two plies down.
func cost(leaves int, depth int) float64 {
	moves := math.Sqrt(float64(leaves))
	return unpackCost + pairsCost*math.Pow(moves, growth*float64(max(0, depth-2)))
}
