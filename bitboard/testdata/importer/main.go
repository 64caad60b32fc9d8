// Command importer does nothing but import the package, so that the runtime can measure what that
// costs.
package main

import _ "github.com/fianchetto-chess/fianchetto/bitboard"

func main() {}
