module github.com/fianchetto-chess/fianchetto/cmd

go 1.25.0

require (
	github.com/agext/levenshtein v1.2.3
	github.com/cli/browser v1.3.0
	github.com/dylhunn/dragontoothmg v0.0.0-20220917014754-e79413b50d93
	github.com/fianchetto-chess/fianchetto v0.1.0
	github.com/gofrs/flock v0.13.0
	github.com/klauspost/compress v1.19.2
	github.com/mattn/go-shellwords v1.0.16
	github.com/rogpeppe/go-internal v1.16.0
	github.com/spf13/cobra v1.10.2
	github.com/spf13/pflag v1.0.9
	golang.org/x/sys v0.47.0
	golang.org/x/term v0.45.0
)

require (
	github.com/inconshreveable/mousetrap v1.1.0 // indirect
	golang.org/x/tools v0.42.0 // indirect
)
