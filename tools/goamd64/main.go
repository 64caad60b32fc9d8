// Command goamd64 prints the level of GOAMD64 to build for on this machine: what make builds and
// runs programs with.
package main

import (
	"fmt"

	"github.com/fianchetto-chess/fianchetto/internal/goamd64"
)

func main() { fmt.Println(goamd64.Best()) }
