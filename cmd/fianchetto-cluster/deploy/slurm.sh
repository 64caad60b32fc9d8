#!/bin/sh
# Counts with an array of Slurm jobs, without a network between them: sh slurm.sh DIR DEPTH
# Run it again if jobs have failed: it cuts what is missing into new parts. At last it prints the total.
#SBATCH --cpus-per-task=8
#SBATCH --time=04:00:00
set -eu
parts=${PARTS:-100}

if [ -n "${SLURM_ARRAY_TASK_ID-}" ]; then # a job of the array
	part=$(printf %04d "$SLURM_ARRAY_TASK_ID")
	exec fianchetto-cluster leaf --threads "${SLURM_CPUS_PER_TASK-8}" --hash "${HASH-4096}" --worker "part-$part" \
		< "$1/part.$part" > "$1/result.$part"
fi

dir=$1
depth=${2-}
mkdir -p "$dir"
fianchetto-cluster tasks ${depth:+--depth "$depth"} --state "$dir/state" > "$dir/tasks"
if [ -s "$dir/tasks" ]; then
	rm -f "$dir"/part.* "$dir"/result.*
	split -n "r/$parts" -d -a 4 "$dir/tasks" "$dir/part."
	sbatch --wait --array="0-$((parts - 1))" "$0" "$dir" || echo "some jobs have failed" >&2
fi
cat "$dir"/result.* /dev/null | fianchetto-cluster total --state "$dir/state"
