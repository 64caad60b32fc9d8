// Command goamd64 prints the level of GOAMD64 for which make builds on this machine.
package main

import (
	"fmt"

	"github.com/fianchetto-chess/fianchetto/internal/goamd64"
)

func main() { fmt.Println(goamd64.Best()) }
