#!/usr/bin/env bash
# Draws the pictures of docs/magic-bitboards.md and docs/find-the-bug.md.
set -euo pipefail
cd "$(dirname "$0")/../cmd/fianchetto"

folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
go build -o "$folder/fianchetto" .
draw() { # NAME FLAG...
	"$folder/fianchetto" show --svg "../../docs/pictures/$1.svg" "${@:2}"
}
rule() { # NAME MOVE FEN
	draw "rule-$1" --why "$2" --fen "$3" --size 260
}

draw lines --square d4
draw intersection --intersect antidiagonal:d7,rank:a4
draw no-intersection --intersect diagonal:b2,antidiagonal:h3
draw checks --fen "5rk1/p5pp/8/8/8/8/4BPPP/6K1 w - - 0 1" --checks=bishop
rule en-passant e5d6 "8/8/8/K2pP2r/8/8/8/7k w - d6 0 1"
rule castling-right e8g8 "4k2N/8/4p3/8/8/8/8/4K3 b - - 0 1"
rule castling-through-check e1g1 "4k3/8/b7/8/8/8/8/4K2R w K - 0 1"
rule pin e2f4 "7k/4r3/8/8/8/8/4N3/4K3 w - - 0 1"
rule check a1b3 "4r2k/8/8/8/8/8/8/N3K3 w - - 0 1"
rule double-check g2f3 "4r2k/8/8/8/8/5n2/6P1/4K3 w - - 0 1"
rule king-safety e4e3 "4r2k/8/8/8/4K3/8/8/8 w - - 0 1"
rule promotion a7b8q "1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1"
rule double-push a2a4 "3k4/8/8/8/8/n7/P7/4K3 w - - 0 1"
rule movement h4a7 "4k3/8/8/8/7N/8/8/4K3 w - - 0 1"
