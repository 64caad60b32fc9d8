#!/usr/bin/env bash
# Has an engine count the lines of suites again, except counts above LIMIT (1000000000), and prints those that differ:
#   tools/confirm.sh stockfish internal/suites/*.epd
# The engine speaks UCI and answers "go perft N" with a line "Nodes searched: M". It exits 1 if a count differs.
set -euo pipefail
export LC_ALL=C
[ $# -ge 2 ] || { echo "usage: confirm.sh ENGINE SUITE..." >&2; exit 2; }
engine=$1
shift
confirmed=true
for suite; do
	# Depth, count and FEN of each, with tabs between.
	counts=$(awk -F ' *;' -v OFS='\t' -v limit="${LIMIT:-1000000000}" '/^[^#]/ {
		for (i = 2; i <= NF; i++) if ($i ~ /^D[0-9]+ [0-9]+$/) {
			split(substr($i, 2), count, " ")
			if (count[2] <= limit) print count[1], count[2], $1
		}
	}' "$suite")
	# With this option the counts of standard chess are the same.
	{
		echo "setoption name UCI_Chess960 value true"
		awk -F '\t' '{ print "position fen " $3 "\ngo perft " $1 }' <<<"$counts"
	} | "$engine" | sed -n 's/^Nodes searched: //p' | paste <(echo "$counts") - | awk -F '\t' -v suite="$suite" '
		{ nodes += $4 }
		$4 != $2 { differences++; print suite ": depth " $1 " of " $3 " is " $2 " in the suite, " ($4 == "" ? "nothing" : $4) " by the engine" }
		END { printf "%s: %d counts, %.0f nodes, %d differences\n", suite, NR, nodes, differences; exit differences > 0 }
	' || confirmed=false
done
$confirmed
