package engine

import (
	"context"
	"fmt"
	"strings"

	"github.com/fianchetto-chess/fianchetto/uci"
)

// cecp is the protocol of XBoard and WinBoard: https://www.gnu.org/software/xboard/engine-intf.html. The engine must know
// ping and setboard.
type cecp struct {
	pings    int
	usermove bool // moves have a command
}

var (
	engineName = compiled(`\bmyname="([^"]*)"`)
	userMove   = compiled(`\busermove=1`)
)

func (c *cecp) greet(ctx context.Context, client *uci.Client) (name string, err error) {
	question, answer := c.ready()
	err = client.Ask(ctx, "xboard\nprotover 2\n"+question, func(line string, _ bool) (bool, error) {
		if found := engineName().FindStringSubmatch(line); found != nil {
			name = found[1]
		}
		c.usermove = c.usermove || userMove().MatchString(line)
		return line == answer, nil
	})
	if err == nil {
		err = client.Send(ctx, "force")
	}
	return name, err
}

func (c *cecp) setPosition(ctx context.Context, client *uci.Client, path Path) error {
	if path.Root.IsChess960() {
		return &uci.Error{Err: uci.ErrChess960, Detail: "an engine that speaks CECP is asked about standard chess only"}
	}
	text := "setboard " + path.Root.FEN()
	for move := range strings.FieldsSeq(path.UCI()) {
		if text += "\n"; c.usermove {
			text += "usermove "
		}
		text += move
	}
	return client.Send(ctx, text)
}

func (c *cecp) ready() (question, answer string) {
	c.pings++
	return fmt.Sprintf("ping %d", c.pings), fmt.Sprintf("pong %d", c.pings)
}

func (c *cecp) commands() []string { return []string{"perft {depth}", "divide {depth}"} }
