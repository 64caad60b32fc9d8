package main

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/exit"
)

func TestExploreServesUntilInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	read, write := io.Pipe()
	ended := make(chan int)
	go func() {
		ended <- cli.Run(ctx, newRootCommand(), []string{"explore", "--http", "127.0.0.1:0", "--no-browser"}, strings.NewReader(""), write, io.Discard)
	}()
	address, err := bufio.NewReader(read).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.Get(strings.TrimSpace(address))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if page, err := io.ReadAll(response.Body); err != nil || !strings.Contains(string(page), "<title>Fianchetto</title>") {
		t.Errorf("%s has %.100q, error %v", address, page, err)
	}
	cancel()
	if code := <-ended; code != exit.Interrupted {
		t.Errorf("exit code %d", code)
	}
}
