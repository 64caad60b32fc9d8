package simd

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/fianchetto-chess/fianchetto/internal/must"
)

// processorState is the part of a machine that an instruction of TestInterpreterIsTheProcessor can
// use. A program of that test has the same type.
type processorState struct {
	Vectors [4]vector // Z0 to Z3
	Masks   [4]uint64 // K1 to K4
	General [4]uint64 // R8 to R11
	Index   uint64    // R12
	Address uint64    // R13, which points to Memory
	Flags   uint64    // as PUSHFQ stores them
	Memory  [128]byte
}

const (
	zeroFlag     = 1 << 6
	signFlag     = 1 << 7
	overflowFlag = 1 << 11
	fixedFlag    = 1 << 1 // always set
)

// processorProgram reads states, runs one function on each in turn, and writes the states.
const processorProgram = `package main

import (
	"io"
	"os"
	"unsafe"
)

type state struct {
	Vectors               [4][8]uint64
	Masks, General        [4]uint64
	Index, Address, Flags uint64
	Memory                [128]byte
}

func main() {
	bytes, err := io.ReadAll(os.Stdin)
	if err != nil || len(bytes) == 0 {
		panic(err)
	}
	states := unsafe.Slice((*state)(unsafe.Pointer(&bytes[0])), len(bytes)/int(unsafe.Sizeof(state{})))
	for i := range states {
		s := &states[i]
		s.Address = uint64(uintptr(unsafe.Pointer(&s.Memory)))
		functions[i%len(functions)](s)
	}
	if _, err := os.Stdout.Write(bytes); err != nil {
		panic(err)
	}
}
`

// place matches an address or a register.
var place = regexp.MustCompile(`\S*\(\w+\)(\(\w+\*\d\))?|\b([KXYZ]\d+|R\d+|[A-D]X|[DS]I|BP)\b`)

// canonical returns an instruction with other registers and addresses: equal forms become equal
// texts. It returns false for instructions that are tested otherwise.
func canonical(text string) (string, bool) {
	name, rest, _ := strings.Cut(text, " ")
	switch {
	case name == "RET" || strings.Contains(rest, "(FP)"):
		return "", false
	case name[0] == 'J':
		return name + " taken", true
	}
	numbers, first := map[string]int{}, map[string]int{"V": 0, "K": 1, "R": 8}
	return place.ReplaceAllStringFunc(text, func(old string) string {
		if strings.Contains(old, "(") {
			if _, scale, isIndexed := strings.Cut(old, "*"); isIndexed {
				return "8(R13)(R12*" + scale
			}
			return "8(R13)"
		}
		prefix, class, key := "R", "R", old
		switch old[0] {
		case 'K':
			prefix, class = "K", "K"
		case 'X', 'Y', 'Z': // of one number, they are one register
			prefix, class, key = old[:1], "V", "V"+old[1:]
		}
		if _, known := numbers[key]; !known {
			numbers[key] = first[class]
			first[class]++
		}
		return fmt.Sprint(prefix, numbers[key])
	}), true
}

// linesOf returns an instruction as lines of a function. A jump, if it is taken, skips another
// instruction.
func linesOf(text string) []string {
	if strings.HasSuffix(text, " taken") {
		return []string{"\t" + text, "\tMOVQ R9, R8", "taken:", "\tMOVQ R8, R10"}
	}
	return []string{"\t" + text}
}

// writeProcessorProgram writes a program that runs each instruction on the processor.
func writeProcessorProgram(t *testing.T, directory string, forms []string) {
	var declarations, text strings.Builder
	fmt.Fprint(&declarations, "package main\n\nvar functions = []func(*state){\n")
	for i := range forms {
		fmt.Fprintf(&declarations, "\tform%d,\n", i)
	}
	fmt.Fprint(&declarations, "}\n")
	var load, store strings.Builder
	both := func(move string, offset int, register string) {
		fmt.Fprintf(&load, "\t%s %d(SI), %s\n", move, offset, register)
		fmt.Fprintf(&store, "\t%s %s, %d(SI)\n", move, register, offset)
	}
	for i := range 4 {
		both("VMOVDQU64", 64*i, fmt.Sprint("Z", i))
		both("KMOVQ", 256+8*i, fmt.Sprint("K", i+1))
		both("MOVQ", 288+8*i, fmt.Sprint("R", i+8))
	}
	for i := range forms {
		fmt.Fprintf(&declarations, "\nfunc form%d(*state)\n", i)
		fmt.Fprintf(&text, "\nTEXT ·form%d(SB), 4, $16-8\n\tMOVQ s+0(FP), SI\n%s\tMOVQ 320(SI), R12\n"+
			"\tMOVQ 328(SI), R13\n\tPUSHQ 336(SI)\n\tPOPFQ\n%s\n\tPUSHFQ\n\tPOPQ 336(SI)\n%s\tVZEROUPPER\n\tRET\n",
			i, load.String(), strings.Join(linesOf(forms[i]), "\n"), store.String())
	}
	for name, content := range map[string]string{
		"go.mod": "module processor\n\ngo 1.25\n", "main.go": processorProgram,
		"forms.go": declarations.String(), "forms_amd64.s": text.String(),
	} {
		must.Do(t, os.WriteFile(filepath.Join(directory, name), []byte(content), 0o644))
	}
}

// TestInterpreterIsTheProcessor compares each form of instruction in the assembly with the
// processor on random operands.
func TestInterpreterIsTheProcessor(t *testing.T) {
	if !Available() {
		t.Skip("the processor lacks the instructions")
	}
	text := must.Get(os.ReadFile("kernel_amd64.s"))(t)
	var forms []string
	known := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "\t") && !strings.HasPrefix(line, "\t//") {
			form, ok := canonical(strings.Join(strings.Fields(line), " "))
			if ok && !known[form] {
				known[form] = true
				forms = append(forms, form)
			}
		}
	}
	directory := t.TempDir()
	writeProcessorProgram(t, directory, forms)
	const rounds = 200
	random := rand.New(rand.NewPCG(33, 4))
	before := make([]processorState, rounds*len(forms))
	for i := range before {
		before[i].fill(random)
	}
	var input, problems bytes.Buffer
	must.Do(t, binary.Write(&input, binary.LittleEndian, before))
	command := exec.Command("go", "run", ".")
	command.Dir, command.Stdin, command.Stderr = directory, &input, &problems
	command.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	output, err := command.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, problems.String())
	}
	after := make([]processorState, len(before))
	must.Do(t, binary.Read(bytes.NewReader(output), binary.LittleEndian, after))
	t.Logf("%d forms of instructions", len(forms))
	wrong := map[string]bool{}
	for i := range before {
		form := forms[i%len(forms)]
		if want := &after[i]; !wrong[form] && !before[i].becomes(want, form) {
			wrong[form] = true
			t.Errorf("%s\nis interpreted as %+v\nthe processor     %+v", form, before[i], *want)
		}
	}
}

// fill sets a random state. Bits are sparse, dense or a square in some lanes, as in the kernel.
func (s *processorState) fill(random *rand.Rand) {
	word := func() uint64 {
		x := random.Uint64()
		switch random.IntN(5) {
		case 0:
			return x & random.Uint64() & random.Uint64() & random.Uint64()
		case 1:
			return x % 80
		case 2:
			return 0
		}
		return x
	}
	for i := range s.Vectors {
		for q := range s.Vectors[i] {
			s.Vectors[i][q] = word()
		}
	}
	for i := range s.Masks {
		s.Masks[i], s.General[i] = word(), word()
	}
	for i := 0; i < len(s.Memory); i += 8 {
		binary.LittleEndian.PutUint64(s.Memory[i:], word())
	}
	s.Index = random.Uint64N(4)
	s.Flags = fixedFlag | random.Uint64()&(zeroFlag|signFlag|overflowFlag)
}

// becomes interprets an instruction on s, and reports whether s is then what the processor made of
// it.
func (s *processorState) becomes(want *processorState, form string) bool {
	s.Address = want.Address
	m := &machine{memory: []area{{s.Address, s.Memory[:]}}}
	m.zero.holds, m.less.holds = s.zero(), s.less()
	copy(m.vectors[:], s.Vectors[:])
	copy(m.masks[1:], s.Masks[:])
	copy(m.general[8:], s.General[:])
	m.general[12], m.general[13] = s.Index, s.Address
	m.run(decode(linesOf(form)))
	copy(s.Vectors[:], m.vectors[:])
	copy(s.Masks[:], m.masks[1:])
	copy(s.General[:], m.general[8:])
	same := (m.zero.unknown || m.zero.holds == want.zero()) && (m.less.unknown || m.less.holds == want.less())
	s.Flags = want.Flags
	return same && *s == *want
}

func (s *processorState) zero() bool { return s.Flags&zeroFlag != 0 }
func (s *processorState) less() bool { return s.Flags&signFlag != 0 != (s.Flags&overflowFlag != 0) }
