//go:build js

// Command wasm answers the explorer's questions in a worker of the browser. It defines the function
// fianchettoAsk(question, request, partial), which returns the reply. Requests and replies are
// JSON.
package main

import (
	"context"
	"syscall/js"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/explorer"
)

func main() {
	js.Global().Set("fianchettoAsk", js.FuncOf(func(_ js.Value, args []js.Value) any {
		// To abort a question, the page ends the whole worker.
		return string(explorer.Ask(context.Background(), args[0].String(), []byte(args[1].String()),
			func(line []byte) { args[2].Invoke(string(line)) }))
	}))
	select {}
}
