package perft

import (
	"bytes"
	"errors"
	"math"
	"os"
	"os/exec"
	"strings"
	"testing"
	"testing/fstest"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/fianchetto-chess/fianchetto"
	"github.com/fianchetto-chess/fianchetto/internal/must"
)

func TestControlGroupLimit(t *testing.T) {
	for name, test := range map[string]struct {
		groups string
		files  map[string]string
		want   uint64
	}{
		"version 2":           {"0::/a/b\n", map[string]string{"a/b/memory.max": "1000\n"}, 1000},
		"version 2, no limit": {"0::/a\n", map[string]string{"a/memory.max": "max\n"}, math.MaxUint64},
		"version 2, a lower limit above": {"0::/a/b/c\n",
			map[string]string{"a/b/c/memory.max": "max\n", "a/b/memory.max": "3000\n", "a/memory.max": "2000\n"}, 2000},
		"version 2, in a container":         {"0::/\n", map[string]string{"memory.max": "1000\n"}, 1000},
		"version 2, the group is elsewhere": {"0::/../x\n", map[string]string{"memory.max": "1000\n"}, 1000},
		"version 1": {"4:memory:/a\n", map[string]string{"memory/a/memory.limit_in_bytes": "9223372036854771712\n",
			"memory/memory.limit_in_bytes": "5000\n"}, 5000},
		"version 1, with other controllers": {"4:cpu,memory:/a\n",
			map[string]string{"memory/a/memory.limit_in_bytes": "5000\n"}, 5000},
		"version 1, in a container": {"4:memory:/docker/1\n",
			map[string]string{"memory/memory.limit_in_bytes": "5000\n"}, 5000},
		"both versions": {"4:memory:/a\n1:cpu:/\n0::/b\n",
			map[string]string{"memory/a/memory.limit_in_bytes": "5000\n", "unified/b/memory.max": "4000\n"}, 4000},
		"a name with a space": {"0::/a b\n", map[string]string{"a b/memory.max": "1000\n"}, 1000},
		"no control groups":   {"", nil, math.MaxUint64},
		"broken":              {"0::\n::\nx", map[string]string{"memory.max": "x"}, math.MaxUint64},
	} {
		files := fstest.MapFS{"proc/self/cgroup": {Data: []byte(test.groups)}}
		for name, text := range test.files {
			files["sys/fs/cgroup/"+name] = &fstest.MapFile{Data: []byte(text)}
		}
		if got := controlGroupLimit(files); got != test.want {
			t.Errorf("%s: %d, want %d", name, got, test.want)
		}
	}
	if limit := controlGroupLimit(fstest.MapFS{}); limit != math.MaxUint64 {
		t.Errorf("there is a limit without files: %d", limit)
	}
}

func TestReadFreeMemory(t *testing.T) {
	for text, want := range map[string]uint64{
		"MemTotal:       24612345 kB\nMemFree:         1000 kB\nMemAvailable:   2000 kB\n": 2000 << 10,
		"MemTotal:       24612345 kB\n": unknownMemory, // before Linux 3.14
		"MemAvailable:   x kB\n":        unknownMemory,
		"":                              unknownMemory,
	} {
		if got := readFreeMemory(fstest.MapFS{"proc/meminfo": {Data: []byte(text)}}); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}

// limitVariable names the resource that a child process of TestResourceLimits limits.
const limitVariable = "FIANCHETTO_TEST_LIMIT"

// TestResourceLimits has child processes that limit their address space or data: a table that fits
// is made and used, one that does not is refused, before the runtime would end the process.
func TestResourceLimits(t *testing.T) {
	for name, resource := range map[string]int{"ulimit -v": unix.RLIMIT_AS, "ulimit -d": unix.RLIMIT_DATA} {
		if os.Getenv(limitVariable) == name {
			testLimited(t, name, resource)
			return
		}
	}
	for _, name := range []string{"ulimit -v", "ulimit -d"} {
		child := exec.Command(os.Args[0], "-test.run=^TestResourceLimits$")
		child.Env = append(os.Environ(), limitVariable+"="+name)
		switch out, err := child.CombinedOutput(); {
		case bytes.Contains(out, []byte("ThreadSanitizer failed to allocate")):
			t.Skip("the race detector needs several times the memory of a table")
		case err != nil:
			t.Errorf("%s: %v\n%.2000s", name, err, out)
		}
	}
}

func testLimited(t *testing.T, name string, resource int) {
	const limitMB = 4 << 10
	limit := &unix.Rlimit{Cur: limitMB << 20, Max: unix.RLIM_INFINITY}
	if err := unix.Setrlimit(resource, limit); err != nil {
		t.Skip(err)
	}
	if err := checkHashMB(limitMB / 2); err != nil {
		t.Skip(err) // a small machine, or a race detector, which takes terabytes of addresses
	}
	if _, err := NewTable(limitMB, 0); !errors.Is(err, ErrOptions) || !strings.Contains(err.Error(), name) {
		t.Errorf("a table of the whole limit: %v, want an error that names %s", err, name)
	}
	largest := 0
	for size := limitMB; size > 0; size /= 2 {
		for checkHashMB(largest+size) == nil {
			largest += size
		}
	}
	if largest < limitMB/2 {
		t.Fatalf("no more than %d MiB of %d", largest, limitMB)
	}
	const room = 64 // MiB that the process itself may have taken since
	if size := AutoHashMB(fianchetto.StartPosition(), 12); size > limitMB/2 {
		t.Errorf("%d MiB chosen of %d", size, limitMB)
	}
	table := must.Get(NewTable(largest-room, 0))(t)
	if len(table.pairs.lines) == 0 || len(table.deep.buckets) == 0 {
		t.Error("no table")
	}
}

func TestTouch(t *testing.T) {
	table := newTable(64, 0)
	table.touch(t.Context(), 2)
	for _, memory := range [...][]byte{bytesOf(table.pairs.lines), bytesOf(table.deep.buckets)} {
		pages := make([]byte, (len(memory)+os.Getpagesize()-1)/os.Getpagesize())
		_, _, errno := unix.Syscall(unix.SYS_MINCORE, uintptr(unsafe.Pointer(&memory[0])), uintptr(len(memory)),
			uintptr(unsafe.Pointer(&pages[0])))
		if resident := bytes.Count(pages, []byte{1}); errno != 0 || resident != len(pages) {
			t.Errorf("%d of %d pages are resident, %v", resident, len(pages), errno)
		}
	}
}
