package main

import (
	"go/types"
	"log"
	"strconv"
	"strings"

	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
	"golang.org/x/tools/go/packages"
)

// loadTypes returns the types of the package. avo loads them too, for the function's parameters, but keeps them.
func loadTypes() *types.Package {
	config := &packages.Config{Mode: packages.NeedTypes | packages.NeedImports | packages.NeedDeps}
	loaded, err := packages.Load(config, ".")
	if err != nil {
		log.Fatal(err)
	}
	if problems := loaded[0].Errors; len(problems) > 0 {
		log.Fatal(problems[0])
	}
	return loaded[0].Types
}

// structure is a Go struct in memory, whose fields are found by name: so the kernel follows the package when
// that moves a field, and stops being generated when it renames one.
type structure struct {
	base reg.Register
	kind types.Type
}

// field returns where a field is. The path is like "castlings.1.rook", indices being constants.
func (s structure) field(path string) Mem {
	offset, kind := int64(0), s.kind
	for name := range strings.SplitSeq(path, ".") {
		var step int64
		step, kind = member(kind, name)
		if kind == nil {
			log.Fatalf("%v has no %q of %q", s.kind, name, path)
		}
		offset += step
	}
	return Mem{Base: s.base, Disp: int(offset)}
}

// size returns the size of the structure in bytes.
func (s structure) size() uint64 { return uint64(sizes.Sizeof(s.kind)) }

// sizes are those of the compiler whose code calls the kernel.
var sizes = types.SizesFor("gc", "amd64")

// member returns the offset and the type of a struct's field or an array's element, a nil type if there is none.
func member(kind types.Type, name string) (int64, types.Type) {
	switch kind := kind.Underlying().(type) {
	case *types.Array:
		if i, err := strconv.ParseInt(name, 10, 64); err == nil && i < kind.Len() {
			return i * sizes.Sizeof(kind.Elem()), kind.Elem()
		}
	case *types.Struct:
		fields := make([]*types.Var, kind.NumFields())
		for i := range fields {
			fields[i] = kind.Field(i)
		}
		for i, offset := range sizes.Offsetsof(fields) {
			if fields[i].Name() == name {
				return offset, fields[i].Type()
			}
		}
	}
	return 0, nil
}

// inside returns the type of what a field points to, or of the elements of an array.
func (s structure) inside(name string) types.Type {
	_, kind := member(s.kind, name)
	holder, ok := kind.(interface{ Elem() types.Type })
	if !ok {
		log.Fatalf("%v has no pointer or array %q", s.kind, name)
	}
	return holder.Elem()
}
