module github.com/fianchetto-chess/fianchetto/cmd/internal/explorer/browser

go 1.25.0

require (
	github.com/chromedp/cdproto v0.159.0
	github.com/chromedp/chromedp v0.23.0
	github.com/fianchetto-chess/fianchetto v0.1.0
	github.com/fianchetto-chess/fianchetto/cmd v0.1.0
)

require (
	github.com/go-json-experiment/json v0.0.0-20260213210345-44df1a37e875 // indirect
	github.com/mattn/go-shellwords v1.0.16 // indirect
	golang.org/x/sys v0.47.0 // indirect
	golang.org/x/term v0.45.0 // indirect
	golang.org/x/tools v0.48.0 // indirect
)

// This module of tests is not published.
replace (
	github.com/fianchetto-chess/fianchetto => ../../../..
	github.com/fianchetto-chess/fianchetto/cmd => ../../..
)
