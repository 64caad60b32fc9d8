package main

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// fault is a part of a file, and what stands there instead.
type fault struct {
	file       string // its path
	name       string // its path as it is reported
	source     []byte
	begin, end int // offsets of the part
	text       string
	line       int
}

func (f *fault) apply() []byte {
	return []byte(string(f.source[:f.begin]) + f.text + string(f.source[f.end:]))
}

// String names the file, and has the line without and with the fault, so that it does not depend on the line's number.
func (f *fault) String() string {
	from := strings.LastIndexByte(string(f.source[:f.begin]), '\n') + 1
	to := len(f.source)
	if i := strings.IndexByte(string(f.source[f.end:]), '\n'); i >= 0 {
		to = f.end + i
	}
	flat := func(text string) string { return strings.Join(strings.Fields(text), " ") }
	right := string(f.source[from:to])
	wrong := string(f.source[from:f.begin]) + f.text + string(f.source[f.end:to])
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
			source: source}}
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
	return string(p.base.source[p.offset(n.Pos()):p.offset(n.End())])
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
