package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"text/tabwriter"
	"time"

	"github.com/gofrs/flock"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/cli"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/exit"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/format"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/position"
	"github.com/fianchetto-chess/fianchetto/cmd/internal/terminal"
	"github.com/fianchetto-chess/fianchetto/internal/census"
	"github.com/fianchetto-chess/fianchetto/internal/quote"
	"github.com/fianchetto-chess/fianchetto/internal/suites"
	"github.com/fianchetto-chess/fianchetto/perft"
)

type perftOptions struct {
	cli.PositionFlags
	depthRange
	divide  bool
	json    bool
	method  perft.Method
	hash    int // MiB
	threads int
	journal string
	stats   bool
	unique  bool
	wide    bool // tables
}

func newPerftCommand() *cobra.Command {
	var o perftOptions
	cmd := &cobra.Command{
		Use:     "perft DEPTH",
		Aliases: []string{"divide"},
		Args:    cli.TakeAll(nil),
		RunE:    o.execute,
	}
	cmd.SetFlagErrorFunc(explainNegative)
	o.Register(cmd)
	flags := cmd.Flags()
	flags.BoolVar(&o.divide, "divide", false, "also print the count below each root move")
	flags.Var(&o.depthRange, "depth", "`N` plies, or a range: the same as DEPTH")
	cli.RequireArgument(cmd, "depth", "DEPTH")
	cli.AutoSizeVar(flags, &o.hash, "hash", "use a hash table of `MB` MiB (1G with a unit), auto or 0 for none")
	cli.ThreadsVar(flags, &o.threads, "threads", 0, "count on `N` threads; 0 uses all processors")
	flags.StringVar(&o.journal, "journal", "", "keep results in `FILE`, and continue from it")
	cli.MethodVar(cmd, &o.method, "count by ")
	cli.JSONVar(flags, &o.json)
	flags.BoolVar(&o.stats, "stats", false, "print a table of captures, checks, mates and so on")
	flags.BoolVar(&o.unique, "unique", false, "print a table of distinct positions")
	flags.BoolVar(&o.wide, "wide", false, "print --stats with full names and digits")
	cli.GroupFlags(cmd, "Tables", "stats", "wide", "unique")
	cmd.MarkFlagsMutuallyExclusive("stats", "unique", "divide")
	for _, flag := range []string{"hash", "method", "journal"} {
		cmd.MarkFlagsMutuallyExclusive("stats", flag)
		cmd.MarkFlagsMutuallyExclusive("unique", flag)
	}
	return cmd
}

func (o *perftOptions) execute(cmd *cobra.Command, _ []string) error {
	o.divide = o.divide || cmd.CalledAs() == "divide" || cmd.Parent().Name() == "go"
	if o.last > o.depth && (o.divide || o.journal != "" || o.stats || o.unique) {
		return errors.New("a range of depths has no --divide, --journal, --stats or --unique (--stats and " +
			"--unique have every depth up to N)")
	}
	if cmd.Flags().Changed("journal") && o.journal == "" {
		return errors.New("--journal is empty: it needs the name of a file")
	}
	if o.wide && !o.stats {
		return errors.New("--wide is for --stats only")
	}
	pos, err := o.Position()
	if err != nil {
		return err
	}
	if advice := cli.BuildAdvice("fianchetto"); advice != "" && !o.json {
		fmt.Fprintln(cmd.ErrOrStderr(), advice)
	}
	if note := position.MixedRights(&pos); note != "" {
		fmt.Fprintln(cmd.ErrOrStderr(), note)
	}
	switch {
	case o.stats || o.unique:
		return o.runTable(cmd, pos)
	case o.last == o.depth:
		o.warn(cmd, &pos)
		return o.run(cmd, pos, "Nodes searched", true)
	}
	for ; o.depth <= o.last && err == nil; o.depth++ { // each is printed as soon as it is known
		err = o.run(cmd, pos, fmt.Sprint("depth ", o.depth), false)
	}
	return err
}

// depthRange is a flag's value, N or N..M.
type depthRange struct{ depth, last int }

func (r *depthRange) String() string { return strconv.Itoa(r.depth) }

func (r *depthRange) Type() string { return "N" }

func (r *depthRange) Set(text string) (err error) {
	first, last, isRange := strings.Cut(text, "..")
	if !isRange {
		last = first
	}
	if r.depth, err = strconv.Atoi(first); err == nil {
		r.last, err = strconv.Atoi(last)
	}
	switch {
	case err != nil:
		return fmt.Errorf("%s is not a depth (5, or a range, 1..6)", quote.Text(text, 0))
	case r.last < r.depth:
		return fmt.Errorf("the range %s is empty", text)
	}
	return nil
}

// explainNegative explains a depth below 0, which pflag takes for short flags.
func explainNegative(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) && strings.ContainsAny(unknown.GetSpecifiedName(), "0123456789") &&
		unknown.GetSpecifiedShortnames() != "" {
		return fmt.Errorf("perft: depth out of range: -%s is not in 0..%d",
			quote.Plain(unknown.GetSpecifiedShortnames()), perft.MaxDepth)
	}
	return cmd.Root().FlagErrorFunc()(cmd, err)
}

func (o *perftOptions) run(cmd *cobra.Command, pos fianchetto.Position, name string, effort bool) error {
	report, err := o.count(cmd, pos)
	switch {
	case errors.Is(err, exit.ErrInterrupted) && !o.json:
		return errors.Join(err, cli.Print(cmd, false, nil, report.divided()))
	case err != nil:
		return err
	}
	err = cli.Print(cmd, o.json, report, fmt.Sprintf("%s%s: %d\n", report.divided(), name, report.Nodes))
	published, known := suites.Published(report.FEN, o.depth)
	if effort && !o.json {
		fmt.Fprintln(cmd.ErrOrStderr(), report.effort())
		if known && published == uint64(report.Nodes) {
			fmt.Fprintln(cmd.ErrOrStderr(), "right: this is the published count")
		}
	}
	if known && published != uint64(report.Nodes) {
		err = errors.Join(err, exit.Difference(fmt.Sprintf("the published count is %d: please report this", published)))
	}
	return err
}

// warn prints the expected duration of a count of hours.
func (o *perftOptions) warn(cmd *cobra.Command, pos *fianchetto.Position) {
	const shortest, long = 6, time.Hour // fewer plies never take hours
	if o.depth < shortest || o.depth > perft.MaxDepth || o.journal != "" {
		return
	}
	nodes, seconds := o.sample(cmd.Context(), pos)
	depth := len(nodes) - 1
	if depth < 2 || depth == o.depth {
		return
	}
	// Every two plies the number of leaves grows by about the same factor.
	growth := math.Sqrt(nodes[depth] / max(1, nodes[depth-2]))
	estimate := seconds * math.Pow(growth, float64(o.depth-depth))
	if estimate <= long.Seconds() {
		return
	}
	duration, limit := "about "+format.Seconds(estimate), ""
	const millennium = 1000 * 365 * 24 * 60 * 60 // seconds
	if estimate > millennium {
		duration = "more than a thousand years"
	}
	if hash, _ := o.hashFor(cmd, pos); hash > 0 {
		limit = ", less with the hash table"
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "%s at this rate%s; --journal FILE to be able to go on\n", duration, limit)
}

// sample counts for a tenth of a second, at least to depth 2. It returns the counts and the
// duration of the last one.
func (o *perftOptions) sample(ctx context.Context, pos *fianchetto.Position) (nodes []float64, seconds float64) {
	short, cancel := context.WithTimeout(ctx, 100*time.Millisecond)
	defer cancel()
	for depth := 0; depth <= o.depth; depth++ {
		if depth > 2 {
			ctx = short
		}
		start := time.Now()
		result, err := perft.Run(ctx, *pos, depth, perft.Options{Method: o.method, Threads: o.threads})
		if err != nil {
			break
		}
		seconds = time.Since(start).Seconds()
		nodes = append(nodes, float64(result.Nodes))
	}
	return nodes, max(seconds, 1e-6)
}

// The limits of a default hash table in MiB. A count that needs less takes milliseconds.
const leastChosen, mostChosen = 2, 1 << 10

// hashFor returns the size of the hash table and whether it was chosen by default.
func (o *perftOptions) hashFor(cmd *cobra.Command, pos *fianchetto.Position) (megabytes int, chosen bool) {
	given := cmd.Flags().Changed("hash")
	switch auto := perft.AutoHashMB(*pos, o.depth); {
	case given && o.hash == cli.AutoSize:
		return auto, false
	case given:
		return o.hash, false
	case auto < leastChosen:
		return 0, true
	default:
		return min(auto, mostChosen), true
	}
}

// If the count is interrupted, the report covers the finished part.
func (o *perftOptions) count(cmd *cobra.Command, pos fianchetto.Position) (*perftReport, error) {
	if o.journal != "" {
		unlock, err := lockJournal(o.journal)
		if err != nil {
			return nil, err
		}
		defer unlock()
	}
	ctx, start, progress := cmd.Context(), time.Now(), terminal.NewMeter(cmd.ErrOrStderr())
	hash, chosen := o.hashFor(cmd, &pos)
	var prepared time.Duration
	begin := sync.OnceFunc(func() { prepared, start = time.Since(start), time.Now() })
	result, err := perft.Run(ctx, pos, o.depth, perft.Options{
		Method: o.method, Threads: o.threads, HashMB: hash, Journal: o.journal,
		Progress: func(done perft.Progress) { begin(); progress.Update(done) },
	})
	before, done := progress.End()
	if result.Refused > 0 {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s of the journal left out: damaged, or not of a task\n",
			format.Things(result.Refused, "line"))
	}
	report := &perftReport{
		FEN: pos.FEN(), Depth: o.depth, Nodes: format.Nodes(result.Nodes), Method: result.Method.String(),
		Threads: result.Threads, Seconds: max(time.Since(start), time.Nanosecond).Seconds(),
		HashMB: hash, HashProbes: format.Nodes(result.Probes), HashHits: format.Nodes(result.Hits),
		chosen: chosen,
	}
	if hash > 0 {
		report.HashSeconds = prepared.Seconds()
	}
	counted := result.Nodes - min(before.Nodes, result.Nodes) // without the tasks of earlier runs
	report.Speed = uint64(float64(counted) / report.Seconds)
	if o.divide {
		report.Divide = format.Divide(result.Moves, &pos)
	}
	if err != nil && errors.Is(err, ctx.Err()) {
		return report, o.interruption(&result, done, pos.CountLegal(), report.Seconds)
	}
	var journal *fs.PathError
	if errors.As(err, &journal) {
		return report, exit.IO(fmt.Errorf("the journal: %w", err))
	}
	return report, err
}

// lockJournal locks a journal until unlock is called or this process ends. The lock is a file
// beside it with the process number. On file systems without locks, lockJournal does nothing.
func lockJournal(journal string) (unlock func(), err error) {
	const digits = 1 // offset of the number; on Windows the locked byte before it cannot be read
	lock := flock.New(journal + ".lock")
	locked, err := lock.TryLock()
	for ; locked; locked, err = lock.TryLock() {
		ours, err := lock.Stat()
		current, missing := os.Stat(lock.Path())
		if err == nil && missing == nil && os.SameFile(ours, current) {
			break
		}
		lock.Close() // another process has just removed the file
	}
	if err != nil {
		return func() {}, nil
	}
	file, err := os.OpenFile(lock.Path(), os.O_RDWR, 0)
	if err != nil {
		return nil, exit.IO(fmt.Errorf("the journal: %w", errors.Join(err, lock.Close())))
	}
	defer file.Close()
	if !locked {
		owner := make([]byte, 20)
		n, _ := file.ReadAt(owner, digits) // the other process may not have written it yet
		return nil, exit.IO(fmt.Errorf("the journal %s is in use by process %s", quote.Text(journal, 0),
			cmp.Or(strings.TrimSpace(string(owner[:n])), "unknown")))
	}
	_, err = file.WriteAt(fmt.Appendf(nil, "%-20d", os.Getpid()), digits)
	return func() {
		os.Remove(lock.Path()) // Windows keeps it, which does no harm
		lock.Close()
	}, exit.IO(err)
}

func (o *perftOptions) interruption(result *perft.Result, done perft.Progress, moves int, seconds float64) error {
	text := fmt.Sprintf("%d of %s counted, with %s nodes", len(result.Moves), format.Plain(moves, "root move"),
		format.Count(result.Nodes))
	hint := "; the same command goes on from the journal, which has them"
	switch {
	case len(result.Moves) == 0 && done.Done == 0:
		text, hint = "nothing is counted yet", ""
	case done.Nodes > result.Nodes:
		text += fmt.Sprintf(", and %s nodes below the others", format.Count(done.Nodes-result.Nodes))
	}
	if 0 < done.Done && done.Done < done.Tasks {
		text += fmt.Sprintf("; %s of %s done", format.Count(done.Done), format.Things(done.Tasks, "task"))
	}
	if o.journal == "" {
		hint = fmt.Sprintf("; perft %d --journal FILE keeps what is counted", o.depth) // a range does not
	}
	return fmt.Errorf("perft %w after %.1f s: %s%s", exit.ErrInterrupted, seconds, text, hint)
}

type perftReport struct {
	FEN         string            `json:"fen"`
	Depth       int               `json:"depth"`
	Nodes       format.Nodes      `json:"nodes"`
	Divide      []format.RootMove `json:"divide,omitzero"`
	Seconds     float64           `json:"seconds"`
	Speed       uint64            `json:"nps"`
	Method      string            `json:"method"`
	Threads     int               `json:"threads"`
	HashMB      int               `json:"hash_mb,omitzero"`
	HashSeconds float64           `json:"hash_seconds,omitzero"` // until the system had provided the memory
	HashProbes  format.Nodes      `json:"hash_probes,omitzero"`
	HashHits    format.Nodes      `json:"hash_hits,omitzero"`

	chosen bool // the size of the hash table was not given
}

func (r *perftReport) divided() string {
	var text strings.Builder
	for _, d := range r.Divide {
		fmt.Fprintf(&text, "%s: %d\n", d.Move, d.Nodes)
	}
	return text.String()
}

func (r *perftReport) effort() string {
	text := fmt.Sprintf("%.3f s, %s, method %s, %s", r.Seconds, format.Rate(float64(r.Speed), "nodes/s"), r.Method,
		format.Things(r.Threads, "thread"))
	if r.HashProbes > 0 {
		chosen := ""
		if r.chosen {
			chosen = " (chosen; --hash 0 for none)"
		}
		text += fmt.Sprintf(", hash of %s MiB%s, %.1f%% of %s probes hit", format.Count(r.HashMB), chosen,
			100*float64(r.HashHits)/float64(r.HashProbes), format.Count(r.HashProbes))
	}
	if r.HashSeconds >= 0.1 {
		text += fmt.Sprintf(", after %.1f s for its memory", r.HashSeconds)
	}
	return text
}

type depthTable struct {
	FEN     string              `json:"fen"`
	Depth   int                 `json:"depth"`
	Nodes   uint64              `json:"nodes,omitempty"`
	Stats   []census.Statistics `json:"stats,omitzero"`
	Unique  []uniquePositions   `json:"unique,omitzero"`
	Seconds float64             `json:"seconds"`
	Speed   uint64              `json:"nps,omitempty"`
}

type uniquePositions struct {
	Depth     int    `json:"depth"`
	Positions uint64 `json:"positions"`
}

func (o *perftOptions) runTable(cmd *cobra.Command, pos fianchetto.Position) (err error) {
	if o.depth < 0 || o.depth > perft.MaxDepth {
		return fmt.Errorf("%w: %d is not in 0..%d", perft.ErrDepth, o.depth, perft.MaxDepth)
	}
	table := depthTable{FEN: pos.FEN(), Depth: o.depth}
	start, progress := time.Now(), terminal.NewMeter(cmd.ErrOrStderr())
	threads := cmp.Or(o.threads, runtime.GOMAXPROCS(0))
	progress.Update(perft.Progress{})
	if o.unique {
		var positions []uint64
		positions, err = census.Distinct(cmd.Context(), pos, o.depth, threads, progress.Update)
		table.Unique = make([]uniquePositions, 0, len(positions))
		for i, n := range positions {
			table.Unique = append(table.Unique, uniquePositions{i + 1, n})
		}
	} else {
		var stats []census.Statistics
		stats, err = census.Leaves(cmd.Context(), pos, o.depth, threads, progress.Update)
		table.Stats, table.Nodes = append([]census.Statistics{}, stats...), 1
		if len(stats) > 0 {
			table.Nodes = stats[o.depth-1].Nodes
		}
	}
	progress.End()
	table.Seconds = max(time.Since(start), time.Nanosecond).Seconds()
	table.Speed = uint64(float64(table.Nodes) / table.Seconds)
	switch {
	case err != nil && errors.Is(err, cmd.Context().Err()):
		err = fmt.Errorf("perft %w after %.1f s", exit.ErrInterrupted, table.Seconds)
		if !o.json {
			err = errors.Join(err, cli.Print(cmd, false, nil, table.positions()))
		}
		return err
	case err != nil:
		return err
	}
	if !o.json {
		defer fmt.Fprintf(cmd.ErrOrStderr(), "%.3f s\n", table.Seconds)
	}
	return cli.Print(cmd, o.json, table, table.text(o.wide, terminal.Width(cmd.OutOrStdout())))
}

func (t *depthTable) text(wide bool, columns int) string {
	switch {
	case t.Unique == nil:
		return t.statistics(wide, columns) + fmt.Sprintf("Nodes searched: %d\n", t.Nodes)
	case t.Depth == 0:
		return "Distinct positions: 1\n"
	}
	return t.positions() + fmt.Sprintf("Distinct positions: %d\n", t.Unique[t.Depth-1].Positions)
}

// statistics returns the table of --wide, or that of --stats, split to fit the columns.
func (t *depthTable) statistics(wide bool, columns int) string {
	const cell = 6 // columns of the widest one
	head := "depth\tnodes\tcapt\te.p.\tcastl\tpromo\tcheck\tdir\tdisc\tboth\tdbl\tmate\tstale"
	write, padding, most := format.Short, 1, max(1, columns/cell-1)
	if wide {
		head = "depth\tnodes\tcaptures\ten passant\tcastles\tpromotions\tchecks\tdirect\tdiscovered\t" +
			"direct+discovered\tdouble discovered\tmates\tstalemates"
		write, padding, most = func(n uint64) string { return strconv.FormatUint(n, 10) }, 2, math.MaxInt
	}
	rows := []string{head}
	for _, s := range t.Stats {
		var row []string
		for _, n := range [...]uint64{
			uint64(s.Depth), s.Nodes, s.Captures, s.EnPassant, s.Castles, s.Promotions, s.Checks, s.DirectChecks,
			s.SingleDiscoveredChecks, s.DirectDiscoveredChecks, s.DoubleDiscoveredChecks, s.Checkmates, s.Stalemates,
		} {
			row = append(row, write(n))
		}
		rows = append(rows, strings.Join(row, "\t"))
	}
	return alignRight(rows, padding, most)
}

func (t *depthTable) positions() string {
	rows := []string{"depth\tpositions"}
	for _, u := range t.Unique {
		rows = append(rows, fmt.Sprintf("%d\t%d", u.Depth, u.Positions))
	}
	return alignRight(rows, 2, 1)
}

// alignRight formats rows of cells between tabs, the first a header, or returns "" for a header
// alone. Each of its tables shows the first cell of the rows and at most so many others.
func alignRight(rows []string, padding, most int) string {
	if len(rows) == 1 {
		return ""
	}
	var text strings.Builder
	most = min(most, strings.Count(rows[0], "\t"))
	for begin := 1; begin <= strings.Count(rows[0], "\t"); begin += most {
		table := tabwriter.NewWriter(&text, 0, 0, padding, ' ', tabwriter.AlignRight)
		for _, row := range rows {
			cells := strings.Split(row, "\t")
			end := min(begin+most, len(cells))
			fmt.Fprintln(table, cells[0]+"\t"+strings.Join(cells[begin:end], "\t")+"\t")
		}
		table.Flush()
	}
	return text.String()
}
