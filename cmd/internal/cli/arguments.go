package cli

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/drawing"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
)

// NoArguments refuses arguments that are not flags. After --fen they are the rest of a FEN without quotes; without it
// they may be the value of a flag.
func NoArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	hint := ""
	if fen := cmd.Flags().Lookup("fen"); fen != nil && strings.Contains(fen.Value.String(), "/") {
		hint = " (a FEN needs quotes around it)"
	} else if thing, flag := flagFor(args[0]); cmd.Flags().Lookup(flag) != nil && !strings.Contains(cmd.Use, strings.ToUpper(flag)) {
		hint = fmt.Sprintf(" (%s is given as --%s %s)", thing, flag, QuoteForShell(args[0]))
	}
	return fmt.Errorf("%s: unexpected argument %s%s", cmd.Name(), quote.Text(args[0], 0), hint)
}

// flagFor returns what an argument seems to be, and the flag that takes such a thing; "" if it seems to be nothing of the kind.
func flagFor(argument string) (thing, flag string) {
	_, notNumber := strconv.Atoi(argument)
	_, notMoves := drawing.ParseArrows(argument)
	_, notSquare := bitboard.ParseSquare(argument)
	switch {
	case IsPosition(argument):
		return "a position", "fen"
	case notNumber == nil:
		return "a depth", "depth"
	case notMoves == nil:
		return "a move", "moves"
	case notSquare == nil:
		return "a square", "square"
	}
	return "", ""
}

// QuoteForShell quotes a word unless a shell takes it as it is.
func QuoteForShell(word string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./=:,+@%"
	if word != "" && strings.Trim(word, plain) == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
