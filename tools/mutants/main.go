// Command mutants measures what the tests of packages see: it plants one fault at a time, runs the
// tests of the package with it, and then those of other packages, and lists the faults that no test
// finds.
//
//	go run ./tools/mutants -n 30 ./internal/core,. ./pgn
//
// An argument is a package, and after commas the packages whose tests run if its own find nothing.
// Faults are chosen by a fixed seed among exchanged operators, comparisons, constants, conditions
// and arguments, and removed statements. The tree is not touched: go test reads the faulty file by
// an overlay.
package main

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"log"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// equivalent lists the faults, as they are reported, that change nothing: a lookup that is only
// faster, a hint of capacity.
//
//go:embed equivalent.txt
var equivalent string

func main() {
	log.SetFlags(0)
	log.SetPrefix("mutants: ")
	n := flag.Int("n", 30, "faults in each package")
	seed := flag.Uint64("seed", 1, "of the choice")
	flag.Parse()
	// At a signal the shares so far are printed.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	var all result
	for _, argument := range flag.Args() {
		packages := strings.Split(argument, ",")
		r, err := measure(ctx, packages[0], packages[1:], *n, *seed)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%-40s %v\n", packages[0], r)
		all.add(r)
	}
	fmt.Printf("%-40s %v\n", "all", all)
}

// result counts faults.
type result struct{ found, elsewhere, survived int }

func (r *result) add(other result) {
	r.found += other.found
	r.elsewhere += other.elsewhere
	r.survived += other.survived
}

func (r result) String() string {
	total := r.found + r.elsewhere + r.survived
	return fmt.Sprintf("%3d of %3d found (%.1f%%), %d of them by other packages' tests",
		r.found+r.elsewhere, total, 100*float64(r.found+r.elsewhere)/float64(max(total, 1)), r.elsewhere)
}

// measure plants n faults in a package, and prints those that survive.
func measure(ctx context.Context, name string, others []string, n int, seed uint64) (r result, err error) {
	faults, err := faultsOf(name)
	if err != nil {
		return r, err
	}
	// The limit allows for the slowest machine on which the right code passes.
	begun := time.Now()
	if found, output := test(ctx, nil, time.Hour, name); found {
		return r, fmt.Errorf("the tests of %s fail without a fault:\n%s", name, output)
	}
	limit := 20*time.Second + 3*time.Since(begun)
	random := rand.New(rand.NewPCG(seed, 0))
	random.Shuffle(len(faults), func(i, j int) { faults[i], faults[j] = faults[j], faults[i] })
	for i := range faults {
		f := &faults[i]
		if r.found+r.elsewhere+r.survived == n || ctx.Err() != nil {
			break
		}
		if strings.Contains(equivalent, f.String()+"\n") {
			continue
		}
		found, output := test(ctx, f, limit, name)
		switch {
		case ctx.Err() != nil:
		case bytes.Contains(output, []byte("[build failed]")), bytes.Contains(output, []byte("[setup failed]")):
		case found:
			r.found++
		default:
			if len(others) > 0 {
				if found, _ := test(ctx, f, 4*limit, others...); found {
					r.elsewhere++
					continue
				}
			}
			r.survived++
			fmt.Printf("survives: %v  (line %d)\n", f, f.line)
		}
	}
	return r, nil
}

// test runs the tests of packages with a fault, or without one, and reports whether they fail or do
// not end.
func test(ctx context.Context, f *fault, limit time.Duration, packages ...string) (failed bool, output []byte) {
	arguments := []string{"test", "-short", "-failfast", "-vet=off", "-count=1", "-timeout=" + limit.String()}
	if f != nil {
		directory, err := os.MkdirTemp("", "mutants")
		if err != nil {
			log.Fatal(err)
		}
		defer os.RemoveAll(directory)
		faulty, overlay := filepath.Join(directory, "faulty.go"), filepath.Join(directory, "overlay.json")
		source := []byte(f.source[:f.begin] + f.text + f.source[f.end:])
		text, err := json.Marshal(map[string]any{"Replace": map[string]string{f.file: faulty}})
		if err = cmp.Or(err, os.WriteFile(faulty, source, 0o666), os.WriteFile(overlay, text, 0o666)); err != nil {
			log.Fatal(err)
		}
		arguments = append(arguments, "-overlay="+overlay)
	}
	// A test that hangs before its own limit begins is killed by go test a minute after the limit.
	ctx, cancel := context.WithTimeout(ctx, limit+2*time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, "go", append(arguments, packages...)...)
	command.WaitDelay = time.Second
	output, err := command.CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) && ctx.Err() == nil {
		log.Fatal(err)
	}
	return err != nil, output
}

// fault is a part of a file, and what stands there instead.
type fault struct {
	file       string // its path
	name       string // its path as it is reported
	source     string
	begin, end int // offsets of the part
	text       string
	line       int
}

// String names the file, and has the line without and with the fault, so that it does not depend on
// the line's number.
func (f *fault) String() string {
	before := f.source[strings.LastIndexByte(f.source[:f.begin], '\n')+1 : f.begin]
	after, _, _ := strings.Cut(f.source[f.end:], "\n")
	flat := func(text string) string { return strings.Join(strings.Fields(text), " ") }
	right, wrong := before+f.source[f.begin:f.end]+after, before+f.text+after
	return fmt.Sprintf("%s: %s => %s", f.name, flat(right), flat(wrong))
}

// faultsOf returns the faults that can be planted in a package, in files that are not generated.
func faultsOf(name string) (faults []fault, err error) {
	listed, err := build.Import(name, ".", 0)
	if err != nil {
		return nil, err
	}
	for _, file := range listed.GoFiles {
		path := filepath.Join(listed.Dir, file)
		source, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		files := token.NewFileSet()
		parsed, err := parser.ParseFile(files, path, source, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		if ast.IsGenerated(parsed) {
			continue
		}
		p := planter{files: files, base: fault{file: path, name: filepath.ToSlash(filepath.Join(name, file)),
			source: string(source)}}
		for _, declaration := range parsed.Decls {
			if f, ok := declaration.(*ast.FuncDecl); ok && f.Body != nil {
				ast.Inspect(f.Body, p.visit)
			}
		}
		faults = append(faults, p.faults...)
	}
	return faults, nil
}

// planter collects the faults of a file.
type planter struct {
	files  *token.FileSet
	base   fault
	faults []fault
}

func (p *planter) text(n ast.Node) string {
	return p.base.source[p.offset(n.Pos()):p.offset(n.End())]
}

func (p *planter) offset(at token.Pos) int { return p.files.Position(at).Offset }

func (p *planter) plant(from, to token.Pos, text string) {
	f := p.base
	f.begin, f.end, f.text, f.line = p.offset(from), p.offset(to), text, p.files.Position(from).Line
	p.faults = append(p.faults, f)
}

// exchanged has the operators that stand in for others.
var exchanged = map[token.Token]token.Token{
	token.ADD: token.SUB, token.SUB: token.ADD, token.MUL: token.QUO, token.QUO: token.MUL, token.REM: token.MUL,
	token.AND: token.OR, token.OR: token.AND, token.XOR: token.OR, token.AND_NOT: token.AND,
	token.SHL: token.SHR, token.SHR: token.SHL,
	token.LAND: token.LOR, token.LOR: token.LAND, token.EQL: token.NEQ, token.NEQ: token.EQL,
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
	token.ADD_ASSIGN: token.SUB_ASSIGN, token.SUB_ASSIGN: token.ADD_ASSIGN, token.AND_ASSIGN: token.OR_ASSIGN,
	token.OR_ASSIGN: token.AND_ASSIGN, token.AND_NOT_ASSIGN: token.AND_ASSIGN, token.XOR_ASSIGN: token.OR_ASSIGN,
	token.INC: token.DEC, token.DEC: token.INC, token.BREAK: token.CONTINUE, token.CONTINUE: token.BREAK,
}

// symmetric are functions whose arguments may be exchanged.
var symmetric = map[string]bool{
	"min": true, "max": true, "bitboard.Between": true, "bitboard.Line": true, "bitboard.Distance": true,
	"bitboard.SameFile": true, "bitboard.SameRank": true, "bits.Mul64": true,
}

func (p *planter) exchange(at token.Pos, operator token.Token) {
	if other, ok := exchanged[operator]; ok {
		p.plant(at, at+token.Pos(len(operator.String())), other.String())
	}
}

// visit plants faults in a node.
func (p *planter) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		p.exchange(n.OpPos, n.Op)
	case *ast.IncDecStmt:
		p.exchange(n.TokPos, n.Tok)
	case *ast.BranchStmt:
		if n.Label == nil {
			p.exchange(n.TokPos, n.Tok)
		}
	case *ast.UnaryExpr:
		if n.Op == token.NOT || n.Op == token.SUB {
			p.plant(n.Pos(), n.End(), p.text(n.X))
		}
	case *ast.BasicLit:
		p.visitNumber(n)
	case *ast.Ident:
		if n.Name == "true" || n.Name == "false" {
			p.plant(n.Pos(), n.End(), strconv.FormatBool(n.Name == "false"))
		}
	case *ast.IfStmt:
		p.plant(n.Cond.Pos(), n.Cond.End(), "!("+p.text(n.Cond)+")")
	case *ast.CallExpr:
		if symmetric[p.text(n.Fun)] {
			break
		}
		for i := 1; i < len(n.Args); i++ {
			p.plant(n.Args[i-1].Pos(), n.Args[i].End(), p.text(n.Args[i])+", "+p.text(n.Args[i-1]))
		}
	case *ast.AssignStmt:
		p.exchange(n.TokPos, n.Tok)
		if n.Tok != token.DEFINE {
			p.plant(n.Pos(), n.End(), "")
		}
	case *ast.ExprStmt:
		p.plant(n.Pos(), n.End(), "")
	}
	return true
}

// visitNumber plants a constant that is one more, and one less.
func (p *planter) visitNumber(n *ast.BasicLit) {
	value, err := strconv.ParseUint(n.Value, 0, 64)
	if n.Kind != token.INT || err != nil {
		return
	}
	p.plant(n.Pos(), n.End(), strconv.FormatUint(value+1, 10))
	if value > 0 {
		p.plant(n.Pos(), n.End(), strconv.FormatUint(value-1, 10))
	}
}
