package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"
)

const source = `package chess

type Square uint8

const (
	A1 Square = iota
	B1
	hidden
)

const ErrNone Problem = "there is none"

type Problem string

func (p Problem) Error() string { return string(p) }

type Position struct {
	Side  int
	Moves []Square
	key   uint64
}

func (p *Position) After(from, to Square, more ...Square) (next Position, err error) { return *p, nil }
func (p *Position) flip() {}

type Field = Square

type Walker interface{ Walk(s Square) bool }

var Start Position

func Append[M ~uint16](list []M, m M) []M { return list }
`

const listing = `pkg example.com/chess, const A1 Square = 0
pkg example.com/chess, const B1 Square = 1
pkg example.com/chess, const ErrNone Problem
pkg example.com/chess, func Append[M ~uint16](list []M, m M) []M
pkg example.com/chess, method (*Position) After(Square, Square, ...Square) (Position, error)
pkg example.com/chess, method (Problem) Error() string
pkg example.com/chess, type Field = Square
pkg example.com/chess, type Position struct
pkg example.com/chess, type Position struct, Moves []Square
pkg example.com/chess, type Position struct, Side int
pkg example.com/chess, type Problem string
pkg example.com/chess, type Square uint8
pkg example.com/chess, type Walker interface{Walk(s Square) bool}
pkg example.com/chess, var Start Position`

func TestList(t *testing.T) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "chess.go", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	p, err := new(types.Config).Check("example.com/chess", files, []*ast.File{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	lines := list(p)
	slices.Sort(lines)
	if got := strings.Join(lines, "\n"); got != listing {
		t.Errorf("got\n%s\nwant\n%s", got, listing)
	}
}
