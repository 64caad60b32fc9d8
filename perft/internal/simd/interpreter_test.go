package simd

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math/bits"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unsafe"

	"github.com/fianchetto-chess/fianchetto/internal/must"
)

// program is a function of the assembly, decoded for a machine.
type program []instruction

// instruction is one instruction. Operands are in the order of Go's assembler: sources first.
type instruction struct {
	text      string
	execute   operation
	from      []operand
	to        operand // the last operand
	mask      int     // the number of the mask register that selects lanes, or 0
	zeroing   bool    // sets the other lanes to zero instead of keeping them
	broadcast bool    // reads one quad word from memory for all lanes
}

// operation executes an instruction.
type operation func(m *machine, i *instruction)

// operand is a register, a constant, an address or the target of a jump.
type operand struct {
	kind   kind
	number int    // of the register, or of the base register of an address
	quads  int    // the width of a vector register in quad words
	value  uint64 // the constant, displacement or index of the target
	index  int    // the index register of an address
	scale  uint64 // by which the index is multiplied; 0: there is no index
}

type kind byte

const (
	constantOperand kind = iota
	vectorOperand
	maskOperand
	generalOperand
	memoryOperand
	targetOperand
)

// General registers have the numbers of the processor, and those of Go's assembler follow.
var generalRegisters = []string{"AX", "CX", "DX", "BX", "SP", "BP", "SI", "DI",
	"R8", "R9", "R10", "R11", "R12", "R13", "R14", "R15", "FP", "SB"}

const (
	stackPointer = 4
	framePointer = 16
	staticBase   = 17
)

// decode decodes lines of assembly.
func decode(lines []string) program {
	labels, count := map[string]int{}, 0
	for _, line := range lines {
		if name, isLabel := strings.CutSuffix(line, ":"); isLabel {
			labels[name] = count
		} else if strings.HasPrefix(line, "\t") {
			count++
		}
	}
	var p program
	for _, line := range lines {
		if strings.HasPrefix(line, "\t") {
			p = append(p, decodeInstruction(strings.Join(strings.Fields(line), " "), labels))
		}
	}
	return p
}

func decodeInstruction(text string, labels map[string]int) instruction {
	i := instruction{text: text}
	name, rest, _ := strings.Cut(text, " ")
	name, suffixes, _ := strings.Cut(name, ".")
	for _, suffix := range strings.Split(suffixes, ".") {
		switch suffix {
		case "Z":
			i.zeroing = true
		case "BCST":
			i.broadcast = true
		case "":
		default:
			panic("unknown suffix in " + text)
		}
	}
	if rest != "" {
		for field := range strings.SplitSeq(rest, ", ") {
			i.from = append(i.from, decodeOperand(field, labels))
		}
		last := len(i.from) - 1
		i.from, i.to = i.from[:last], i.from[last]
		if last > 0 && i.from[last-1].kind == maskOperand && name[0] == 'V' {
			i.from, i.mask = i.from[:last-1], i.from[last-1].number
		}
	}
	if i.execute = operations[name]; i.execute == nil {
		panic("unknown instruction: " + text)
	}
	return i
}

// addressForm matches an address such as 8(AX)(CX*2) or kernelConstants<>+64(SB).
var addressForm = regexp.MustCompile(`^(?:\S*\+)?(\d*)\((\w+)\)(?:\((\w+)\*(\d)\))?$`)

func decodeOperand(text string, labels map[string]int) operand {
	number := func(text string) uint64 {
		n, err := strconv.ParseUint(cmp.Or(text, "0"), 0, 64)
		if err != nil {
			panic(err)
		}
		return n
	}
	general := func(name string) int { return slices.Index(generalRegisters, name) }
	if n := general(text); n >= 0 {
		return operand{kind: generalOperand, number: n}
	}
	if constant, isConstant := strings.CutPrefix(text, "$"); isConstant {
		return operand{kind: constantOperand, value: number(constant)}
	}
	if parts := addressForm.FindStringSubmatch(text); parts != nil {
		return operand{kind: memoryOperand, value: number(parts[1]), number: general(parts[2]), index: general(parts[3]),
			scale: number(parts[4])}
	}
	if target, isLabel := labels[text]; isLabel {
		return operand{kind: targetOperand, value: uint64(target)}
	}
	if text[0] == 'K' {
		return operand{kind: maskOperand, number: int(number(text[1:]))}
	}
	return operand{kind: vectorOperand, number: int(number(text[1:])), quads: map[byte]int{'X': 2, 'Y': 4, 'Z': 8}[text[0]]}
}

// machine is the state of a processor with AVX-512. Addresses are those of this process, but only
// the listed areas of memory can be read and written.
type machine struct {
	vectors [32]vector
	masks   [8]uint64
	general [18]uint64
	next    int // the index of the instruction to execute next
	memory  []area
	flags
}

// vector is a vector register, its lowest quad word first.
type vector [8]uint64

// flags are the conditions that the instructions in use test. An instruction that leaves one
// undefined makes it unknown, and testing it then is an error.
type flags struct{ zero, less condition }

type condition struct{ holds, unknown bool }

// area is a part of memory.
type area struct {
	begin uint64
	bytes []byte
}

// areaOf is the memory of a variable.
func areaOf[T any](variable *T) area {
	pointer := unsafe.Pointer(variable)
	return area{uint64(uintptr(pointer)), unsafe.Slice((*byte)(pointer), unsafe.Sizeof(*variable))}
}

// run executes a program from its beginning.
func (m *machine) run(p program) {
	defer func() {
		if problem := recover(); problem != nil {
			panic(fmt.Sprintf("%s: %v", p[m.next-1].text, problem))
		}
	}()
	for m.next = 0; m.next < len(p); {
		i := &p[m.next]
		m.next++
		i.execute(m, i)
	}
}

func (m *machine) address(a operand) uint64 {
	address := m.general[a.number] + a.value
	if a.scale != 0 {
		address += m.general[a.index] * a.scale
	}
	return address
}

// bytes returns the bytes of an operand: of a register, or so many of the memory.
func (m *machine) bytes(o operand, size int) []byte {
	switch o.kind {
	case vectorOperand:
		return m.vectors[o.number].bytes()[:]
	case maskOperand:
		return areaOf(&m.masks[o.number]).bytes
	case generalOperand:
		return areaOf(&m.general[o.number]).bytes
	case memoryOperand:
		address := m.address(o)
		for _, area := range m.memory {
			if offset := address - area.begin; offset < uint64(len(area.bytes)) && int(offset)+size <= len(area.bytes) {
				return area.bytes[offset:][:size]
			}
		}
		panic(fmt.Sprintf("%d bytes at %#x are outside the memory", size, address))
	}
	panic("has no bytes")
}

// read returns the lowest bits of an operand, at most 64.
func (m *machine) read(o operand, bits int) uint64 {
	value := vector{o.value}
	if o.kind != constantOperand {
		copy(value.bytes()[:], m.bytes(o, bits/8))
	}
	return value[0] & (1<<bits - 1)
}

// write sets the lowest bits of an operand. The others of a register become zero, except that those
// of a general register stay if so few are written.
func (m *machine) write(o operand, bits int, value uint64) {
	to, from := m.bytes(o, bits/8), vector{value}
	if o.kind != generalOperand || bits >= 32 {
		clear(to)
	}
	copy(to, from.bytes()[:bits/8])
}

// vector returns source n of an instruction, as wide as the destination if it is in memory.
func (m *machine) vector(i *instruction, n int) (v vector) {
	o := i.from[n]
	if i.broadcast && o.kind == memoryOperand {
		return broadcast(m.read(o, 64))
	}
	copy(v.bytes()[:], m.bytes(o, 8*i.width()))
	return v
}

// width returns the width of an instruction in quad words: that of its destination or, if that is
// no vector, of its last source.
func (i *instruction) width() int {
	if i.to.kind == vectorOperand {
		return i.to.quads
	}
	return i.from[len(i.from)-1].quads
}

// selected reports whether the mask of an instruction selects a lane.
func (m *machine) selected(i *instruction, lane int) bool {
	return i.mask == 0 || m.masks[i.mask]>>lane&1 != 0
}

// setVector sets the destination in the selected lanes. The processor clears what is above the
// register's width.
func (m *machine) setVector(i *instruction, v vector) {
	old := m.vectors[i.to.number]
	for q := range v {
		switch {
		case q >= i.to.quads:
			v[q] = 0
		case m.selected(i, q):
		case i.zeroing:
			v[q] = 0
		default:
			v[q] = old[q]
		}
	}
	m.vectors[i.to.number] = v
}

func broadcast(x uint64) (v vector) {
	for q := range v {
		v[q] = x
	}
	return v
}

// bytes returns the bytes of a vector, which change with it.
func (v *vector) bytes() *[64]byte { return (*[64]byte)(unsafe.Pointer(v)) }

// operations are all instructions of the assembly.
//
// Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2. Go's operands are
// in opposite order: x below is the last source of the manual, y the one before.
var operations map[string]operation

func init() {
	operations = map[string]operation{
		"VPADDQ":    quads(func(_, x, y uint64) uint64 { return y + x }),
		"VPSUBQ":    quads(func(_, x, y uint64) uint64 { return y - x }),
		"VPANDQ":    quads(func(_, x, y uint64) uint64 { return y & x }),
		"VPANDNQ":   quads(func(_, x, y uint64) uint64 { return ^y & x }),
		"VPORQ":     quads(func(_, x, y uint64) uint64 { return y | x }),
		"VPXORQ":    quads(func(_, x, y uint64) uint64 { return y ^ x }),
		"VPROLVQ":   quads(func(_, x, y uint64) uint64 { return bits.RotateLeft64(y, int(x&63)) }),
		"VPRORVQ":   quads(func(_, x, y uint64) uint64 { return bits.RotateLeft64(y, -int(x&63)) }),
		"VPSLLVQ":   quads(func(_, x, y uint64) uint64 { return y << x }),
		"VPSRLVQ":   quads(func(_, x, y uint64) uint64 { return y >> x }),
		"VPSRAVQ":   quads(func(_, x, y uint64) uint64 { return uint64(int64(y) >> x) }),
		"VPADDB":    quads(func(_, x, y uint64) uint64 { return addEach(8, x, y) }),
		"VPSUBB":    quads(func(_, x, y uint64) uint64 { return ^addEach(8, ^y, x) }),
		"VPADDW":    quads(func(_, x, y uint64) uint64 { return addEach(16, x, y) }),
		"VPSLLQ":    quads(func(n, x, _ uint64) uint64 { return x << n }),
		"VPSRLQ":    quads(func(n, x, _ uint64) uint64 { return x >> n }),
		"VPOPCNTQ":  quads(func(_, x, _ uint64) uint64 { return uint64(bits.OnesCount64(x)) }),
		"VPLZCNTQ":  quads(func(_, x, _ uint64) uint64 { return uint64(bits.LeadingZeros64(x)) }),
		"VPTESTMQ":  test(func(common uint64) bool { return common != 0 }),
		"VPTESTNMQ": test(func(common uint64) bool { return common == 0 }),

		"VGF2P8AFFINEQB": vectors(affine),
		"VPTERNLOGQ":     (*machine).ternaryLogic,
		"VPBROADCASTQ":   func(m *machine, i *instruction) { m.setVector(i, broadcast(m.read(i.from[0], 64))) },
		"VPBROADCASTW": func(m *machine, i *instruction) {
			m.setVector(i, broadcast(m.read(i.from[0], 16)*0x0001000100010001))
		},

		"VMOVDQA64":  (*machine).moveVector,
		"VMOVDQU64":  (*machine).moveVector,
		"VMOVDQU16":  (*machine).moveVector,
		"VMOVDQU8":   (*machine).moveVector,
		"VPMOVZXWQ":  extend(16, 64),
		"VPMOVZXBQ":  extend(8, 64),
		"VPMOVZXBW":  extend(8, 16),
		"VZEROUPPER": (*machine).zeroUpper,

		"VSHUFI64X2": vectors(shuffleQuarters),
		"VPSHUFD":    vectors(shuffleDoubles),
		"VPSHUFB":    vectors(shuffleBytes),
		"VPERMQ":     vectors(permute),
		"VPERMT2Q":   (*machine).permuteTwo,
		"VPUNPCKLQDQ": vectors(func(_ uint64, x, y vector) vector {
			return vector{y[0], x[0], y[2], x[2], y[4], x[4], y[6], x[6]}
		}),
		"VPUNPCKHQDQ": vectors(func(_ uint64, x, y vector) vector {
			return vector{y[1], x[1], y[3], x[3], y[5], x[5], y[7], x[7]}
		}),
		"VPCOMPRESSB": (*machine).compressBytes,
		"VPINSRQ": func(m *machine, i *instruction) {
			v := m.vector(i, 2)
			v[i.from[0].value&1] = m.read(i.from[1], 64)
			m.setVector(i, v)
		},
		"VINSERTI64X2": vectors(func(n uint64, pair, v vector) vector {
			copy(v[2*(n&1):], pair[:2])
			return v
		}),
		"VEXTRACTI64X2": vectors(func(n uint64, x, _ vector) (part vector) {
			copy(part[:], x[2*(n&3):])
			return part
		}),
		"VEXTRACTI64X4": vectors(func(n uint64, x, _ vector) (part vector) {
			copy(part[:], x[4*(n&1):])
			return part
		}),

		"VMOVQ":   move(64),
		"KMOVB":   move(8, generalOperand),
		"KMOVQ":   move(64),
		"MOVQ":    move(64),
		"MOVL":    move(32),
		"MOVBLZX": move(8, generalOperand),
		"KNOTB":   func(m *machine, i *instruction) { m.write(i.to, 8, ^m.read(i.from[0], 8)) },
		"LEAQ":    func(m *machine, i *instruction) { m.write(i.to, 64, m.address(i.from[0])) },
		"BSWAPQ":  func(m *machine, i *instruction) { m.write(i.to, 64, bits.ReverseBytes64(m.read(i.to, 64))) },

		"ORQ":     logical(64, func(x, y uint64) uint64 { return y | x }),
		"ORL":     logical(32, func(x, y uint64) uint64 { return y | x }),
		"ANDQ":    logical(64, func(x, y uint64) uint64 { return y & x }),
		"XORQ":    logical(64, func(x, y uint64) uint64 { return y ^ x }),
		"ANDNQ":   logical(64, func(x, y uint64) uint64 { return ^y & x }),
		"BZHIL":   logical(32, func(x, y uint64) uint64 { return y & (1<<(x&0xff) - 1) }),
		"BLSRL":   logical(32, func(x, _ uint64) uint64 { return x & (x - 1) }),
		"POPCNTQ": logical(64, func(x, _ uint64) uint64 { return uint64(bits.OnesCount64(x)) }),
		"TZCNTL":  unsigned(logical(32, func(x, _ uint64) uint64 { return uint64(bits.TrailingZeros32(uint32(x))) })),
		"SHLL":    unsigned(logical(32, func(n, y uint64) uint64 { return y << n })),
		"SHLQ":    unsigned(logical(64, func(n, y uint64) uint64 { return y << n })),
		"TESTQ":   func(m *machine, i *instruction) { m.compareSigned(int64(m.read(i.from[0], 64)&m.read(i.to, 64)), 0) },
		"TESTL": func(m *machine, i *instruction) {
			m.compareSigned(int64(int32(m.read(i.from[0], 32)&m.read(i.to, 32))), 0)
		},
		"CMPQ": func(m *machine, i *instruction) {
			m.compareSigned(int64(m.read(i.from[0], 64)), int64(m.read(i.to, 64)))
		},
		"SUBQ": func(m *machine, i *instruction) { m.subtract(i, m.read(i.from[0], 64)) },
		"DECQ": func(m *machine, i *instruction) { m.subtract(i, 1) },
		"ADDQ": add(64),
		"INCL": add(32),
		"IMULQ": func(m *machine, i *instruction) {
			m.write(i.to, 64, m.read(i.to, 64)*m.read(i.from[0], 64))
			m.flags = flags{condition{unknown: true}, condition{unknown: true}}
		},
		"ROLB": func(m *machine, i *instruction) {
			m.write(i.to, 8, uint64(bits.RotateLeft8(uint8(m.read(i.to, 8)), int(i.from[0].value))))
			m.less = condition{unknown: true}
		},

		"SETNE":   func(m *machine, i *instruction) { m.write(i.to, 8, map[bool]uint64{false: 1}[m.isZero()]) },
		"CMOVQNE": moveIf(func(m *machine) bool { return !m.isZero() }),
		"CMOVQLT": moveIf((*machine).isLess),
		"JMP":     jumpIf(func(*machine) bool { return true }),
		"JEQ":     jumpIf((*machine).isZero),
		"JNE":     jumpIf(func(m *machine) bool { return !m.isZero() }),
		"JLE":     jumpIf(func(m *machine) bool { return m.isZero() || m.isLess() }),
		"JG":      jumpIf(func(m *machine) bool { return !m.isZero() && !m.isLess() }),
		"RET":     func(m *machine, _ *instruction) { m.next = end },
	}
}

// end is an index beyond the last instruction of any program.
const end = 1 << 30

// vectors is an operation on the one or two vectors behind the constant n, or 0.
func vectors(f func(n uint64, x, y vector) vector) operation {
	return func(m *machine, i *instruction) {
		n, first, y := uint64(0), 0, vector{}
		if i.from[0].kind == constantOperand {
			n, first = i.from[0].value, 1
		}
		if len(i.from) > first+1 {
			y = m.vector(i, first+1)
		}
		m.setVector(i, f(n, m.vector(i, first), y))
	}
}

// quads is an operation on each quad word.
func quads(f func(n, x, y uint64) uint64) operation {
	return vectors(func(n uint64, x, y vector) vector {
		for q := range x {
			x[q] = f(n, x[q], y[q])
		}
		return x
	})
}

// addEach adds numbers of so many bits.
func addEach(bits int, x, y uint64) (sum uint64) {
	for shift := 0; shift < 64; shift += bits {
		sum |= (x>>shift + y>>shift) & (1<<bits - 1) << shift
	}
	return sum
}

func (m *machine) ternaryLogic(i *instruction) {
	a, b, c := m.vectors[i.to.number], m.vector(i, 2), m.vector(i, 1)
	var v vector
	for combination := range 8 {
		if i.from[0].value>>combination&1 == 0 {
			continue
		}
		// Bits 2, 1 and 0 of a combination are the wanted bits of a, b and c.
		flip := func(n int) uint64 { return uint64(combination>>n&1) - 1 }
		for q := range v {
			v[q] |= (a[q] ^ flip(2)) & (b[q] ^ flip(1)) & (c[q] ^ flip(0))
		}
	}
	m.setVector(i, v)
}

// affine multiplies each byte, a vector of bits, by a matrix, and adds n: row 7-k gives bit k.
func affine(n uint64, matrices, x vector) (v vector) {
	for j, b := range x.bytes() {
		v.bytes()[j] = byte(n)
		for k := range 8 {
			row := matrices.bytes()[j&^7+7-k]
			v.bytes()[j] ^= uint8(bits.OnesCount8(row&b)&1) << k
		}
	}
	return v
}

// test sets a mask by the common bits of each lane.
func test(f func(common uint64) bool) operation {
	return func(m *machine, i *instruction) {
		x, y := m.vector(i, 0), m.vector(i, 1)
		var set uint64
		for q := range i.width() {
			if m.selected(i, q) && f(x[q]&y[q]) {
				set |= 1 << q
			}
		}
		m.masks[i.to.number] = set
	}
}

func (m *machine) moveVector(i *instruction) {
	v := m.vector(i, 0)
	if i.to.kind == vectorOperand {
		m.setVector(i, v)
	} else {
		copy(m.bytes(i.to, 8*i.from[0].quads), v.bytes()[:])
	}
}

// extend widens elements of so many bits with zeros.
func extend(from, to int) operation {
	return func(m *machine, i *instruction) {
		count := 64 * i.to.quads / to
		var v vector
		source := slices.Clone(m.bytes(i.from[0], count*from/8))
		for n := range count {
			copy(v.bytes()[n*to/8:], source[n*from/8:][:from/8])
		}
		m.setVector(i, v)
	}
}

// zeroUpper clears the upper parts of the first sixteen vectors, which older code can name.
func (m *machine) zeroUpper(*instruction) {
	for n := range 16 {
		clear(m.vectors[n][2:])
	}
}

func shuffleQuarters(n uint64, x, y vector) (v vector) {
	for quarter := range 4 {
		source := y
		if quarter >= 2 {
			source = x
		}
		copy(v[2*quarter:], source[2*(n>>(2*quarter)&3):][:2])
	}
	return v
}

func shuffleDoubles(n uint64, x, _ vector) (v vector) {
	for double := range 16 {
		source := double&^3 + int(n>>(2*(double&3))&3)
		copy(v.bytes()[4*double:], x.bytes()[4*source:][:4])
	}
	return v
}

func shuffleBytes(_ uint64, control, x vector) (v vector) {
	for j, c := range control.bytes() {
		if c < 0x80 {
			v.bytes()[j] = x.bytes()[j&^15+int(c&15)]
		}
	}
	return v
}

func permute(_ uint64, x, indices vector) vector {
	for q, index := range indices {
		indices[q] = x[index&7]
	}
	return indices
}

func (m *machine) permuteTwo(i *instruction) {
	tables, v := [2]vector{m.vectors[i.to.number], m.vector(i, 0)}, m.vector(i, 1)
	for q, index := range v {
		v[q] = tables[index>>3&1][index&7]
	}
	m.setVector(i, v)
}

func (m *machine) compressBytes(i *instruction) {
	if !i.zeroing || i.to.quads != 8 {
		panic("this form is not implemented")
	}
	from, n := m.vector(i, 0), 0
	var v vector
	for j, x := range from.bytes() {
		if m.selected(i, j) {
			v.bytes()[n] = x
			n++
		}
	}
	m.vectors[i.to.number] = v
}

// move copies so many bits; to operands of the kinds in widened it writes zeros above them.
func move(bits int, widened ...kind) operation {
	return func(m *machine, i *instruction) {
		value := m.read(i.from[0], bits)
		if slices.Contains(widened, i.to.kind) {
			m.write(i.to, 64, value)
		} else {
			m.write(i.to, bits, value)
		}
	}
}

// logical is an operation that sets the flags by its result and cannot overflow. With one source, y
// is the destination.
func logical(bits int, f func(x, y uint64) uint64) operation {
	return func(m *machine, i *instruction) {
		x, y := m.read(i.from[0], bits), m.read(i.to, bits)
		if len(i.from) > 1 {
			y = m.read(i.from[1], bits)
		}
		result := f(x, y) & (1<<bits - 1)
		m.write(i.to, bits, result)
		m.compareSigned(int64(result<<(64-bits)), 0)
	}
}

// compareSigned sets the flags by x-y.
func (m *machine) compareSigned(x, y int64) {
	m.flags = flags{condition{holds: x == y}, condition{holds: x < y}}
}

func (m *machine) subtract(i *instruction, n uint64) {
	x := m.read(i.to, 64)
	m.write(i.to, 64, x-n)
	m.compareSigned(int64(x), int64(n))
}

// add adds the source or, without one, 1.
func add(width int) operation {
	return func(m *machine, i *instruction) {
		n := uint64(1)
		if len(i.from) > 0 {
			n = m.read(i.from[0], width)
		}
		x, y := int64(m.read(i.to, width)<<(64-width)), int64(n<<(64-width))
		m.write(i.to, width, uint64(x+y)>>(64-width))
		overflow := (x^(x+y))&(y^(x+y)) < 0
		m.flags = flags{condition{holds: x+y == 0}, condition{holds: (x+y < 0) != overflow}}
	}
}

// unsigned is an operation that leaves the order undefined.
func unsigned(f operation) operation {
	return func(m *machine, i *instruction) {
		f(m, i)
		m.less = condition{unknown: true}
	}
}

// isZero and isLess report what the last comparison found.
func (m *machine) isZero() bool { return m.zero.known() }
func (m *machine) isLess() bool { return m.less.known() }

func (c condition) known() bool {
	if c.unknown {
		panic("tests an undefined flag")
	}
	return c.holds
}

func moveIf(holds func(*machine) bool) operation {
	return func(m *machine, i *instruction) {
		if value := m.read(i.from[0], 64); holds(m) {
			m.write(i.to, 64, value)
		}
	}
}

func jumpIf(holds func(*machine) bool) operation {
	return func(m *machine, i *instruction) {
		if holds(m) {
			m.next = int(i.to.value)
		}
	}
}

// assembly is what a file of the generator contains.
type assembly struct {
	constants      [1 << 12]byte
	prepare, count program
}

func readAssembly(t testing.TB, name string) *assembly {
	a, text := new(assembly), string(must.Get(os.ReadFile(name))(t))
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "DATA ") {
			var offset int
			var value uint64
			must.Get(fmt.Sscanf(line, "DATA kernelConstants<>+%d(SB)/8, $%v", &offset, &value))(t)
			binary.LittleEndian.PutUint64(a.constants[offset:], value)
		}
	}
	functions := map[string]*program{"prepareAVX512": &a.prepare, "countAVX512": &a.count}
	for _, function := range strings.Split(text, "\nTEXT ·")[1:] {
		name, body, _ := strings.Cut(function, "(SB)")
		if functions[name] == nil {
			t.Fatalf("unknown function: %s", name)
		}
		*functions[name] = decode(strings.Split(body, "\n"))
	}
	if a.prepare == nil || a.count == nil {
		t.Fatalf("%s lacks a function", name)
	}
	return a
}

// Kernel is the two functions of the assembly: those that the processor runs, or interpreted.
type Kernel struct {
	prepare func(*Scratch)
	count   func(*Scratch) int
}

// Processor is the kernel that the processor runs, if Available returns true.
var Processor = &Kernel{prepareAVX512, countAVX512}

// Interpreter returns a kernel that interprets a file of assembly, which the generator wrote. It
// skips the test on machines that lay out a Scratch in another way.
func Interpreter(t testing.TB, name string) *Kernel {
	if one := uint16(1); *(*byte)(unsafe.Pointer(&one)) != 1 || bits.UintSize != 64 {
		t.Skip("the kernel reads a Scratch of a little-endian machine of 64 bits")
	}
	a := readAssembly(t, name)
	var stack struct{ arguments, locals [1 << 10]byte }
	m := &machine{memory: []area{
		areaOf(&stack), areaOf(&a.constants), areaOf(&kernelKings), areaOf(&kernelZones), areaOf(&castlingZones),
	}}
	fixed := m.memory
	run := func(s *Scratch, p program) (result uint64) {
		m.memory = append(fixed, areaOf(s))
		m.spoil()
		m.general[framePointer] = m.memory[0].begin
		m.general[stackPointer] = m.memory[0].begin + uint64(len(stack.arguments))
		m.general[staticBase] = m.memory[1].begin
		binary.LittleEndian.PutUint64(stack.arguments[:], m.memory[len(fixed)].begin)
		m.run(p)
		return binary.LittleEndian.Uint64(stack.arguments[8:])
	}
	return &Kernel{
		prepare: func(s *Scratch) { run(s, a.prepare) },
		count:   func(s *Scratch) int { return int(run(s, a.count)) },
	}
}

// spoil fills all registers with other values than before, as a caller might leave there.
func (m *machine) spoil() {
	const odd = 0x9e3779b97f4a7c15
	x := m.general[0] + odd
	next := func() uint64 {
		x = bits.RotateLeft64(x*odd, 29)
		return x
	}
	for n := range m.vectors {
		m.vectors[n] = broadcast(next())
	}
	for n := range m.masks {
		m.masks[n] = next()
	}
	for n := range m.general {
		m.general[n] = next()
	}
	m.flags = flags{condition{unknown: true}, condition{unknown: true}}
}
