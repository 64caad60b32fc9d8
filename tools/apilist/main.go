// Command apilist lists the exported names of the library, one a line. Make api writes the list to
// a file in api, and make api-check fails if a line of such a file is gone, because programs that
// use it would break.
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

func main() {
	const mode = packages.NeedName | packages.NeedTypes | packages.NeedImports | packages.NeedDeps
	loaded, err := packages.Load(&packages.Config{Mode: mode}, "./...")
	if err != nil {
		log.Fatal("apilist: ", err)
	}
	if packages.PrintErrors(loaded) > 0 {
		os.Exit(1)
	}
	var listing []string
	for _, p := range loaded {
		if p.Name != "main" && !strings.Contains("/"+p.PkgPath+"/", "/internal/") { // others can import it
			listing = append(listing, list(p.Types)...)
		}
	}
	slices.Sort(listing)
	fmt.Println(strings.Join(listing, "\n"))
}

// list returns a line for every exported name of a package, including methods and fields. A line
// contains only what programs rely on, so it leaves out the names of parameters.
func list(p *types.Package) []string {
	l := lister{p, nil}
	for _, name := range p.Scope().Names() {
		if object := p.Scope().Lookup(name); object.Exported() {
			l.object(object)
		}
	}
	return l.lines
}

// lister collects the lines of a package.
type lister struct {
	p     *types.Package
	lines []string
}

func (l *lister) add(format string, arguments ...any) {
	l.lines = append(l.lines, "pkg "+l.p.Path()+", "+fmt.Sprintf(format, arguments...))
}

func (l *lister) object(object types.Object) {
	switch o := object.(type) {
	case *types.Const:
		if o.Val().Kind() == constant.String {
			l.add("const %s %s", o.Name(), l.format(o.Type()))
		} else {
			l.add("const %s %s = %s", o.Name(), l.format(o.Type()), o.Val().ExactString())
		}
	case *types.Var:
		l.add("var %s %s", o.Name(), l.format(o.Type()))
	case *types.Func:
		l.add("func %s%s", o.Name(), l.signature(o))
	case *types.TypeName:
		l.typeName(o)
	}
}

func (l *lister) typeName(o *types.TypeName) {
	if alias, ok := o.Type().(*types.Alias); ok {
		l.add("type %s = %s", o.Name(), l.format(alias.Rhs()))
		return
	}
	named := o.Type().(*types.Named)
	if s, ok := named.Underlying().(*types.Struct); ok {
		l.add("type %s struct", o.Name())
		for field := range s.Fields() {
			if field.Exported() {
				l.add("type %s struct, %s %s", o.Name(), field.Name(), l.format(field.Type()))
			}
		}
	} else {
		l.add("type %s %s", o.Name(), l.format(named.Underlying()))
	}
	for method := range named.Methods() {
		if method.Exported() {
			l.add("method (%s) %s%s", l.format(method.Signature().Recv().Type()), method.Name(), l.signature(method))
		}
	}
}

// signature formats the parameters and results of a function. It leaves out their names unless the
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

// format returns a type as written in the package's source.
func (l *lister) format(t types.Type) string {
	return types.TypeString(t, func(other *types.Package) string {
		if other == l.p {
			return ""
		}
		return other.Name()
	})
}
