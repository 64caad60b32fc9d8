// Command apilist lists the exported names of the library, one a line. Make api writes the list to
// a file in api. The test compares the files with the library.
package main

import (
	"fmt"
	"go/constant"
	"go/types"
	"log"
	"os"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

func main() { fmt.Println(strings.Join(library("."), "\n")) }

// library lists the packages of the library in a directory that others can import.
func library(directory string) (listing []string) {
	const mode = packages.NeedName | packages.NeedTypes | packages.NeedImports | packages.NeedDeps
	loaded, err := packages.Load(&packages.Config{Mode: mode, Dir: directory}, "./...")
	if err != nil {
		log.Fatal("apilist: ", err)
	}
	if packages.PrintErrors(loaded) > 0 {
		os.Exit(1)
	}
	for _, p := range loaded {
		if p.Name != "main" && !strings.Contains("/"+p.PkgPath+"/", "/internal/") {
			listing = append(listing, list(p.Types)...)
		}
	}
	slices.Sort(listing)
	return listing
}

func list(p *types.Package) []string {
	l := lister{p, nil}
	for _, name := range p.Scope().Names() {
		switch o := p.Scope().Lookup(name).(type) {
		case *types.Const:
			value := " = " + o.Val().ExactString()
			if o.Val().Kind() == constant.String {
				value = ""
			}
			l.add(o, "const %s %s%s", name, l.format(o.Type()), value)
		case *types.Var:
			l.add(o, "var %s %s", name, l.format(o.Type()))
		case *types.Func:
			l.add(o, "func %s%s", name, l.signature(o))
		case *types.TypeName:
			if o.Exported() {
				l.typeName(o)
			}
		}
	}
	return l.lines
}

type lister struct {
	p     *types.Package
	lines []string
}

func (l *lister) add(object types.Object, format string, arguments ...any) {
	if object.Exported() {
		l.lines = append(l.lines, "pkg "+l.p.Path()+", "+fmt.Sprintf(format, arguments...))
	}
}

func (l *lister) typeName(o *types.TypeName) {
	if alias, ok := o.Type().(*types.Alias); ok {
		l.add(o, "type %s = %s", o.Name(), l.format(alias.Rhs()))
		return
	}
	named := o.Type().(*types.Named)
	if s, ok := named.Underlying().(*types.Struct); ok {
		l.add(o, "type %s struct", o.Name())
		for field := range s.Fields() {
			l.add(field, "type %s struct, %s %s", o.Name(), field.Name(), l.format(field.Type()))
		}
	} else {
		l.add(o, "type %s %s", o.Name(), l.format(named.Underlying()))
	}
	for method := range named.Methods() {
		l.add(method, "method (%s) %s%s", l.format(method.Signature().Recv().Type()), method.Name(), l.signature(method))
	}
}

// signature omits the names of parameters and results, on which programs do not rely, unless the
// function has type parameters, which belong to one signature only.
func (l *lister) signature(f *types.Func) string {
	s := f.Signature()
	if s.TypeParams() == nil {
		s = types.NewSignatureType(nil, nil, nil, unnamed(s.Params()), unnamed(s.Results()), s.Variadic())
	}
	return strings.TrimPrefix(l.format(s), "func")
}

func unnamed(tuple *types.Tuple) *types.Tuple {
	var vars []*types.Var
	for v := range tuple.Variables() {
		vars = append(vars, types.NewParam(v.Pos(), v.Pkg(), "", v.Type()))
	}
	return types.NewTuple(vars...)
}

func (l *lister) format(t types.Type) string {
	return types.TypeString(t, func(other *types.Package) string {
		if other == l.p {
			return ""
		}
		return other.Name()
	})
}
