#!/usr/bin/env bash
# Compares the counts of suites with an engine, except counts above LIMIT (1000000000):
#   tools/confirm.sh stockfish internal/suites/*.epd
# The engine speaks UCI and answers "go perft N" with "Nodes searched: M". The script prints the
# differences, and exits 1 if there are any.
set -euo pipefail
export LC_ALL=C
[ $# -ge 2 ] || { echo "usage: confirm.sh ENGINE SUITE..." >&2; exit 2; }
engine=$1
shift
confirmed=true
for suite; do
	# depth, count and FEN, separated by tabs
	counts=$(awk -F ' *;' -v OFS='\t' -v limit="${LIMIT:-1000000000}" '/^[^#]/ {
		for (i = 2; i <= NF; i++) if ($i ~ /^D[0-9]+ [0-9]+$/) {
			split(substr($i, 2), count, " ")
			if (count[2] <= limit) print count[1], count[2], $1
		}
	}' "$suite")
	# This option does not change the counts of standard chess.
	{
		echo "setoption name UCI_Chess960 value true"
		awk -F '\t' '{ print "position fen " $3 "\ngo perft " $1 }' <<<"$counts"
	} | "$engine" | sed -n 's/^Nodes searched: //p' | paste <(echo "$counts") - | awk -F '\t' -v suite="$suite" '
		{ nodes += $4 }
		$4 != $2 {
			differences++
			print suite ": depth " $1 " of " $3 ": suite " $2 ", engine " ($4 == "" ? "nothing" : $4)
		}
		END { printf "%s: %d counts, %.0f nodes, %d differences\n", suite, NR, nodes, differences; exit differences > 0 }
	' || confirmed=false
done
$confirmed
