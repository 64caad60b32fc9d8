package main

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"math"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/bitboard"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/exit"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/format"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/terminal"
	"github.com/fianchetto-chess/fianchetto/epd"
	"github.com/fianchetto-chess/fianchetto/perft"
	"github.com/fianchetto-chess/fianchetto/pgn"
)

type games struct {
	format       string
	skip         int
	openingPlies int

	player, result, eco string
	minElo              int
	material            string
	position            cli.PositionFlags
	target              *fianchetto.Position // normalized; nil for any position
	pieces              [2]material          // with the first side as White and as Black

	number, bad int
	empty       int     // files without a game
	leftOut     int     // games that the format cannot show
	skipped     skipped // in all files
}

// skipped sums up the bytes outside games.
type skipped struct {
	bytes  int64
	places int
	file   string // of the first byte
	line   int
}

// material counts pieces by colour and type, from pawn to king.
type material [2][6]int

var gameFormats = []string{"summary", "pgn", "epd", "jsonl", "csv"}

func newPGNCommand() *cobra.Command {
	var g games
	cmd := &cobra.Command{
		Use:               "pgn FILE...",
		ValidArgsFunction: cobra.FixedCompletions(nil, cobra.ShellCompDirectiveDefault),
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("pgn: no file is given: a file of games, also .gz, .bz2 or .zst, or - for stdin")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := g.parse(cmd.Flags().Changed("fen") || cmd.Flags().Changed("moves")); err != nil {
				return err
			}
			results := bufio.NewWriterSize(cmd.OutOrStdout(), 1<<16)
			s := summary{shortest: math.MaxInt, ends: map[fianchetto.Status]int{}, openings: map[fianchetto.Position]*opening{}}
			if g.format == "csv" && g.skip == 0 {
				names, _ := new(gameRecord).fields()
				fmt.Fprintln(results, strings.Join(names, ",")) // a later write reports the error
			}
			err := g.readFiles(cmd, args, func(v *visit) error {
				s.add(v)
				if v.err != nil {
					return v.err
				}
				_, err := results.Write(v.text)
				return err
			})
			if g.format == "summary" && (s.games > 0 || err == nil) {
				s.write(results, g.openingPlies, g.skipped)
			}
			return errors.Join(err, results.Flush())
		},
	}
	flags := cmd.Flags()
	cli.NameVar(cmd, &g.format, "as", "summary", gameFormats, "write the games as ")
	flags.StringVar(&g.player, "player", "", "only games of a player whose name contains `TEXT`, in either case")
	cli.NameVar(cmd, &g.result, "result", "", []string{"1-0", "0-1", "1/2-1/2", "*"}, "only games with a result, ")
	flags.StringVar(&g.eco, "eco", "", "only games whose ECO code begins with `CODE`")
	cli.IntVar(flags, &g.minElo, "min-elo", 0, 0, math.MaxInt,
		"only games in which both players have a rating of at least `N`")
	flags.StringVar(&g.material, "material", "", "only games that reach the `PIECES`, as KRPvKR, of either colour")
	cli.IntVar(flags, &g.openingPlies, "opening-plies", 10, 0, maxOpening, "count the openings of `N` plies in the summary")
	cli.IntVar(flags, &g.skip, "skip", 0, 0, math.MaxInt, "skip the first `N` games, to go on after an interruption")
	g.position.Register(cmd)
	cli.GroupFlags(cmd, "Which games", "player", "result", "eco", "min-elo", "material", "skip")
	return cmd
}

// parse completes the options. If reaches is set, games must reach the position of the flags.
func (g *games) parse(reaches bool) (err error) {
	g.player, g.eco = strings.ToLower(g.player), strings.ToUpper(g.eco)
	if reaches {
		pos, err := g.position.Position()
		if err != nil {
			return err
		}
		pos = pos.Normalized()
		g.target = &pos
	}
	if g.material != "" {
		g.pieces, err = parseMaterial(g.material)
	}
	return err
}

func parseMaterial(text string) (both [2]material, err error) {
	sides := strings.Split(strings.ToUpper(text), "V")
	if len(sides) != 2 || strings.Count(sides[0], "K") != 1 || strings.Count(sides[1], "K") != 1 {
		return both, fmt.Errorf("--material: %q: want a king and pieces of both sides with a v between them, as KRPvKR", text)
	}
	for i, side := range sides {
		for _, letter := range side {
			t, err := bitboard.ParsePieceType(string(letter))
			if err != nil {
				return both, fmt.Errorf("--material: %q: %w", text, err)
			}
			both[0][i][t-fianchetto.Pawn]++
		}
	}
	both[1] = material{both[0][1], both[0][0]}
	return both, nil
}

func (g *games) readFiles(cmd *cobra.Command, names []string, write func(*visit) error) error {
	meter, read := terminal.NewMeter(cmd.ErrOrStderr()), perft.Progress{}
	defer meter.End()
	for _, name := range names {
		if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() {
			read.Tasks += int(info.Size())
		}
	}
	progress := func(n int) {
		read.Done = min(read.Done+n, read.Tasks) // stdin has no size
		if meter.OnTerminal() && read.Tasks > 0 {
			meter.Update(read)
		}
	}
	progress(0)
	for _, name := range names {
		file, err := cli.Open(cmd.Context(), name, cmd.InOrStdin())
		if err != nil {
			return err
		}
		defer file.Close()
		games, err := cli.Decompress(cmd.Context(), bufio.NewReaderSize(cli.ReaderFunc(func(p []byte) (int, error) {
			n, err := file.Read(p)
			progress(n)
			return n, err
		}), 1<<18))
		if err != nil {
			return exit.IO(fmt.Errorf("%s: %w", cli.NameOf(name), err))
		}
		reader := pgn.NewReader(games)
		reader.MainLine = g.format != "pgn"
		if err := g.readGames(cmd, meter, cli.NameOf(name), pgn.Parallel(reader, 0, g.visit), write); err != nil {
			return err
		}
	}
	return g.finish(cmd)
}

func (g *games) readGames(cmd *cobra.Command, meter *terminal.Meter, name string, games iter.Seq2[*visit, error],
	write func(*visit) error) error {
	number := 1 // in the file
	for v, err := range games {
		var refusal *pgn.Error
		switch {
		case errors.As(err, &refusal):
		case errors.Is(err, exit.ErrInterrupted):
			return fmt.Errorf("%w after %s; --skip %d goes on there", err, format.Things(g.number, "game"), g.number)
		case err != nil:
			return exit.IO(fmt.Errorf("%s: %w", name, err))
		}
		if said := g.check(v, name, number, err); said != "" {
			if err := meter.Print(func() error {
				_, err := io.WriteString(cmd.ErrOrStderr(), said)
				return err
			}); err != nil {
				return err
			}
		}
		if errors.Is(err, pgn.ErrNoGame) {
			continue
		}
		number++
		if g.number++; v.wanted && g.number > g.skip {
			if !v.hasEnd {
				g.leftOut++
			}
			if err := write(v); err != nil {
				return err
			}
		}
	}
	return nil
}

// check counts a game's error and skipped bytes, completes its row, and returns lines about it.
func (g *games) check(v *visit, file string, number int, err error) (said string) {
	g.skipped.add(&v.bytes, file)
	for _, warning := range v.warnings {
		numbered := *warning
		numbered.Game = number
		said += fmt.Sprintf("%s: note: %s\n", file, strings.TrimPrefix(numbered.Error(), "pgn: "))
	}
	switch {
	case errors.Is(err, pgn.ErrNoGame):
		g.empty++
		v.wanted = false
	case err != nil:
		g.bad++
	default:
		return said
	}
	if v.record != nil {
		v.record.Error = strings.ReplaceAll(err.Error(), "\n", "; ")
		v.text, v.err = v.record.text(g.format)
	}
	return said + file + ": " + strings.ReplaceAll(err.Error(), "\n", "\n"+file+": ") + "\n"
}

// finish notes what was left out, and returns the error about all games.
func (g *games) finish(cmd *cobra.Command) (err error) {
	var without []string
	if g.leftOut > 0 {
		without = append(without, format.Things(g.leftOut, "game")+" without a start position")
	}
	if g.skipped.bytes > 0 {
		without = append(without, format.Things(int(g.skipped.bytes), "skipped byte"))
	}
	if (g.format == "pgn" || g.format == "epd") && len(without) > 0 {
		_, err = fmt.Fprintf(cmd.ErrOrStderr(), "note: --as %s leaves out %s\n", g.format, strings.Join(without, ", and "))
	}
	if g.empty > 0 {
		err = errors.Join(err, fmt.Errorf("%s without a game", format.Things(g.empty, "file")))
	}
	if g.bad > 0 {
		err = errors.Join(err, fmt.Errorf("%s with an error", format.Things(g.bad, "game")))
	}
	return err
}

func (s *skipped) add(bytes *pgn.Bytes, file string) {
	if s.places == 0 {
		s.file, s.line = file, bytes.Line
	}
	s.bytes += bytes.Skipped
	s.places += bytes.Places
}

func (s *skipped) String() string {
	return fmt.Sprintf("%s in %s, the first at line %d of %s", format.Things(int(s.bytes), "byte"),
		format.Things(s.places, "place"), s.line, s.file)
}

const maxOpening = 40 // plies

type visit struct {
	wanted   bool
	text     []byte // unless the format is summary
	err      error  // from writing text
	result   pgn.Result
	hasEnd   bool // false if the start position was refused
	plies    int
	end      fianchetto.Status
	record   *gameRecord // of JSON Lines and CSV, completed by the error
	bytes    pgn.Bytes
	warnings []*pgn.Error
	opening  fianchetto.Position // normalized; zero for a short game
	moves    [maxOpening]fianchetto.Move
}

// visit runs on several goroutines.
func (g *games) visit(game *pgn.Game) *visit {
	v := &visit{bytes: game.Bytes, warnings: game.Warnings}
	if !g.wantsTags(game) || (g.target != nil || g.material != "") && !g.wantsPosition(game) {
		return v
	}
	v.wanted, v.result, v.hasEnd = true, game.Result, game.Start != (fianchetto.Position{})
	var end fianchetto.Position
	if v.hasEnd {
		end = game.End(game.Start)
		end = end.WithLegalEnPassant() // as other programs write it
		v.plies, v.end = len(game.Moves), end.Status(nil)
	}
	switch {
	case g.format == "summary":
		if v.plies >= g.openingPlies && game.Start == fianchetto.StartPosition() {
			opening := pgn.Line{Moves: game.Moves[:copy(v.moves[:g.openingPlies], game.Moves)]}
			v.opening = opening.End(game.Start)
			v.opening = v.opening.Normalized()
		}
	case g.format == "jsonl" || g.format == "csv":
		v.record = recordOf(game, v, &end)
		v.text, v.err = v.record.text(g.format)
	case !v.hasEnd: // the other formats contain positions
	case g.format == "pgn":
		v.text, v.err = game.AppendText(nil)
	case g.format == "epd":
		names := []string{game.Tags.Value("White"), game.Tags.Value("Black"), game.Tags.Value("Event")}
		record := epd.Record{Position: end, Operations: []epd.Operation{
			{Opcode: "id", Operands: []string{strings.Join(names, ", ")}},
		}}
		v.text, v.err = record.AppendText(nil)
		v.text = append(v.text, '\n')
	}
	return v
}

func (g *games) wantsTags(game *pgn.Game) bool {
	tag := game.Tags.Value
	elo := func(name string) int {
		n, _ := strconv.Atoi(tag(name)) // 0 if unknown
		return n
	}
	return (g.player == "" || strings.Contains(strings.ToLower(tag("White")), g.player) ||
		strings.Contains(strings.ToLower(tag("Black")), g.player)) &&
		(g.result == "" || game.Result.String() == g.result) && strings.HasPrefix(strings.ToUpper(tag("ECO")), g.eco) &&
		(g.minElo == 0 || min(elo("WhiteElo"), elo("BlackElo")) >= g.minElo)
}

func (g *games) wantsPosition(game *pgn.Game) bool {
	reached, balanced := g.target == nil, g.material == ""
	if game.Start == (fianchetto.Position{}) {
		return false
	}
	look := func(pos fianchetto.Position) bool {
		if !reached && pos.Occupancy() == g.target.Occupancy() && pos.Normalized() == *g.target {
			reached = true
		}
		balanced = balanced || slices.Contains(g.pieces[:], materialOf(&pos))
		return reached && balanced
	}
	for pos := range game.Replay(game.Start) {
		if look(pos) {
			return true
		}
	}
	return look(game.End(game.Start))
}

func materialOf(pos *fianchetto.Position) (m material) {
	for t := range m[0] {
		pieces := pos.ByType(fianchetto.Pawn + fianchetto.PieceType(t))
		m[0][t] = (pieces & pos.ByColor(fianchetto.White)).Len()
		m[1][t] = (pieces & pos.ByColor(fianchetto.Black)).Len()
	}
	return m
}

// gameRecord is a game in JSON Lines and CSV. End and FEN are missing without a start position.
type gameRecord struct {
	Event    string     `json:"event"`
	Site     string     `json:"site"`
	Date     string     `json:"date"`
	Round    string     `json:"round"`
	White    string     `json:"white"`
	Black    string     `json:"black"`
	WhiteElo string     `json:"white_elo"`
	BlackElo string     `json:"black_elo"`
	ECO      string     `json:"eco"`
	Result   pgn.Result `json:"result"`
	Plies    int        `json:"plies"`
	End      string     `json:"end,omitempty"`
	FEN      string     `json:"fen,omitempty"` // of the last position
	Moves    string     `json:"moves"`
	Error    string     `json:"error,omitempty"`
	Skipped  int64      `json:"skipped,omitempty"` // bytes
}

func (r *gameRecord) fields() (names, values []string) {
	record := reflect.ValueOf(*r)
	for i := range record.NumField() {
		name, _, _ := strings.Cut(record.Type().Field(i).Tag.Get("json"), ",")
		names = append(names, name)
		values = append(values, fmt.Sprint(record.Field(i).Interface()))
	}
	return names, values
}

func (r *gameRecord) text(format string) (text []byte, err error) {
	if format == "jsonl" {
		text, err = json.Marshal(r)
		return append(text, '\n'), err
	}
	var row bytes.Buffer
	w := csv.NewWriter(&row)
	_, values := r.fields()
	err = w.Write(values)
	w.Flush()
	return row.Bytes(), err
}

func recordOf(game *pgn.Game, v *visit, end *fianchetto.Position) *gameRecord {
	tag := game.Tags.Value
	record := &gameRecord{Event: tag("Event"), Site: tag("Site"), Date: tag("Date"), Round: tag("Round"),
		White: tag("White"), Black: tag("Black"), WhiteElo: tag("WhiteElo"), BlackElo: tag("BlackElo"), ECO: tag("ECO"),
		Result: game.Result, Skipped: game.Bytes.Skipped}
	if v.hasEnd {
		moves := make([]string, 0, len(game.Moves))
		for pos, m := range game.Replay(game.Start) {
			moves = append(moves, pos.UCI(m))
		}
		record.Plies, record.End, record.FEN, record.Moves = v.plies, v.end.String(), end.FEN(), strings.Join(moves, " ")
	}
	return record
}

type summary struct {
	games, plies, shortest, longest int
	unread                          int // games whose start position was refused
	results                         [4]int
	ends                            map[fianchetto.Status]int
	openings                        map[fianchetto.Position]*opening
	others                          int // games beyond maxOpenings
}

// opening contains the moves of its first game.
type opening struct {
	games int
	moves [maxOpening]fianchetto.Move
}

const (
	maxOpenings   = 1 << 19 // bounds the memory
	shownOpenings = 10
)

func (s *summary) add(v *visit) {
	s.games++
	s.results[v.result]++
	if !v.hasEnd {
		s.unread++
		return
	}
	s.plies += v.plies
	s.shortest, s.longest = min(s.shortest, v.plies), max(s.longest, v.plies)
	s.ends[v.end]++
	if v.opening == (fianchetto.Position{}) {
		return
	}
	o := s.openings[v.opening]
	if o == nil {
		if len(s.openings) == maxOpenings {
			s.others++
			return
		}
		o = &opening{moves: v.moves}
		s.openings[v.opening] = o
	}
	o.games++
}

// write writes to a buffer, which keeps an error for later.
func (s *summary) write(results *bufio.Writer, plies int, skipped skipped) {
	line := func(name, format string, values ...any) {
		fmt.Fprintf(results, "%-22s%s\n", name, fmt.Sprintf(format, values...))
	}
	line("games", "%d", s.games)
	if s.unread > 0 {
		line("without position", "%d", s.unread)
	}
	if skipped.bytes > 0 {
		line("skipped", "%s", &skipped)
	}
	if read := s.games - s.unread; read > 0 {
		line("plies", "%d, %.1f a game, %d to %d", s.plies, float64(s.plies)/float64(read), s.shortest, s.longest)
	}
	if s.games > 0 {
		for result, n := range s.results {
			line(pgn.Result(result).String(), "%d (%.1f%%)", n, 100*float64(n)/float64(s.games))
		}
		for _, end := range []fianchetto.Status{
			fianchetto.Checkmate, fianchetto.Stalemate, fianchetto.InsufficientMaterial,
		} {
			line(end.String(), "%d", s.ends[end])
		}
	}
	if len(s.openings) > 0 && plies > 0 {
		s.writeOpenings(results, plies)
	}
}

func (s *summary) writeOpenings(text io.Writer, plies int) {
	fmt.Fprintf(text, "\n%s after %s", format.Plain(len(s.openings), "position"),
		format.Plural(plies, "ply", "plies"))
	if s.others > 0 {
		fmt.Fprintf(text, ", and others in %d games", s.others)
	}
	fmt.Fprintln(text)
	openings := slices.SortedStableFunc(maps.Values(s.openings), func(a, b *opening) int {
		return cmp.Or(b.games-a.games, slices.Compare(a.moves[:], b.moves[:]))
	})
	for _, o := range openings[:min(len(openings), shownOpenings)] {
		line := pgn.Line{Moves: o.moves[:plies]}
		fmt.Fprintf(text, "%5.1f%% %8d  %s\n", 100*float64(o.games)/float64(s.games), o.games,
			line.SAN(fianchetto.StartPosition()))
	}
}
