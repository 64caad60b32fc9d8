#!/bin/sh
# Counts with an array of Slurm jobs and without a network between them: sh slurm.sh DIR DEPTH
# If it or some jobs are interrupted, run it again: it takes in the results that exist and cuts what
# is missing into a new array. It prints the total at the end.
#SBATCH --cpus-per-task=8
#SBATCH --time=04:00:00
#SBATCH --no-requeue
set -eu
parts=${PARTS:-100}

if [ -n "${SLURM_ARRAY_TASK_ID-}" ]; then # a job of the array
	part=$(printf %04d "$SLURM_ARRAY_TASK_ID")
	exec fianchetto-cluster leaf --threads "${SLURM_CPUS_PER_TASK-8}" --hash "${HASH-4096}" \
		--worker "$(basename "$1").$part" < "$1/part.$part" > "$1/result.$part"
fi

dir=${1:?missing DIR: sh slurm.sh DIR DEPTH}
depth=${2-}
running() { # whether the last array is in the queue
	[ -s "$dir/array" ] && [ -n "$(squeue --noheader --jobs "$(cut -d';' -f1 "$dir/array")" 2>/dev/null)" ]
}
total() { # takes in all results, removes the files that are safe in the state, and sets damaged ones aside
	code=0
	set -- "$dir"/round.*/result.????
	[ -e "$1" ] || set -- /dev/null
	fianchetto-cluster total --remove --state "$dir/state" "$@" || code=$?
	for file in "$@"; do # those that stay have lines that are no results; their other lines are taken in
		if [ $code = 2 ] && [ -f "$file" ]; then
			mv "$file" "$file.damaged"
			echo "$file has damaged lines, which are counted again; it is set aside as $file.damaged" >&2
			damaged=yes
		fi
	done
	if [ "${damaged-}" = yes ]; then
		damaged=
		total
	else
		return $code
	fi
}

mkdir -p "$dir"
if running; then
	echo "array $(cat "$dir/array") is still in the queue: run this again when it has ended" >&2
	exit 3
fi
if [ -e "$dir/state/status.json" ]; then
	total >/dev/null || [ $? = 2 ] # tasks are missing
fi
fianchetto-cluster tasks ${depth:+--depth "$depth"} --state "$dir/state" > "$dir/tasks"
if [ -s "$dir/tasks" ]; then
	round=$(mktemp -d "$dir/round.XXXXXX")
	split -n "r/$parts" -d -a 4 "$dir/tasks" "$round/part."
	sbatch --parsable --array="0-$((parts - 1))" "$0" "$round" > "$dir/array"
	while running; do sleep "${POLL:-30}"; done
fi
total
