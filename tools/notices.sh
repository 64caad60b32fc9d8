#!/usr/bin/env bash
# Prints the licences of Go and of every module linked into the commands, each text once.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "$0")/.."

texts=$(mktemp -d)
trap 'rm -r "$texts"' EXIT
add() { # NAME DIRECTORY
	local text digest
	text=$(find -L "$2" -maxdepth 1 -type f | grep -iE '/(licen[cs]e|copying|notice|patents)[^/]*$' | sort |
		while read -r file; do cat "$file"; echo; done)
	[ -n "$text" ] || { echo "notices: $1 has no licence in $2" >&2; exit 1; }
	digest=$(sha256sum <<<"$text" | cut -c1-16)
	echo "$text" >"$texts/$digest.text"
	echo "$1" >>"$texts/$digest.names"
}

add Fianchetto .
add Go "$(go env GOROOT)"
modules=$(for os in linux darwin windows; do
	GOOS=$os go list -deps -f '{{with .Module}}{{if not .Main}}{{.Path}} {{.Dir}}{{end}}{{end}}' \
		./cmd/fianchetto ./cmd/fianchetto-cluster
done | sort -u)
while read -r module dir; do add "$module" "$dir"; done <<<"$modules"

head -1 -q "$texts"/*.names | sort | while read -r first; do
	names=$(grep -lxF -- "$first" "$texts"/*.names)
	echo "================ $(paste -sd, "$names" | sed 's/,/, /g')"
	echo
	cat "${names%.names}.text"
	echo
done
