package perft

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/sys/unix"

	"github.com/fianchetto-chess/fianchetto"
)

// The lines of mountinfo for the hierarchies of control groups, as distributions mount them.
const (
	mountVersion2 = "25 20 0:22 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n"
	mountMemory   = "32 31 0:29 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory\n"
	mountHybrid   = "31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw,mode=755\n" +
		"33 31 0:30 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n" + mountMemory +
		"41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw\n"
)

func TestControlGroupLimit(t *testing.T) {
	for _, test := range []struct {
		name, groups, mounts string
		files                map[string]string
		want                 uint64
	}{
		{"version 2", "0::/a/b\n", mountVersion2, map[string]string{"a/b/memory.max": "1000\n"}, 1000},
		{"version 2, no limit", "0::/a\n", mountVersion2, map[string]string{"a/memory.max": "max\n"}, 0},
		{"version 2, a lower limit above", "0::/a/b/c\n", mountVersion2,
			map[string]string{"a/b/c/memory.max": "max\n", "a/b/memory.max": "3000\n", "a/memory.max": "2000\n"}, 2000},
		{"version 2, in a container", "0::/\n", mountVersion2, map[string]string{"memory.max": "1000\n"}, 1000},
		{"version 2, the mount is of a group", "0::/docker/1/x\n",
			"25 20 0:22 /docker/1 /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n",
			map[string]string{"x/memory.max": "1000\n"}, 1000},
		{"version 2, the group is elsewhere", "0::/../x\n", mountVersion2, map[string]string{"memory.max": "1000\n"},
			1000},
		{"version 1", "4:memory:/a\n", mountMemory,
			map[string]string{"memory/a/memory.limit_in_bytes": "9223372036854771712\n",
				"memory/memory.limit_in_bytes": "5000\n"}, 5000},
		{"version 1, with other controllers", "4:cpu,memory:/a\n",
			"32 31 0:29 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,cpu,memory\n",
			map[string]string{"memory/a/memory.limit_in_bytes": "5000\n"}, 5000},
		{"version 1, in a container", "4:memory:/docker/1\n",
			"32 31 0:29 /docker/1 /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n",
			map[string]string{"memory/memory.limit_in_bytes": "5000\n"}, 5000},
		{"both versions", "4:memory:/a\n1:cpu:/\n0::/b\n", mountHybrid,
			map[string]string{"memory/a/memory.limit_in_bytes": "5000\n", "unified/b/memory.max": "max\n"}, 5000},
		{"a name with a space", "0::/a b\n", strings.Replace(mountVersion2, "/sys/fs/cgroup", `/sys/fs/cgroup/x\040y`,
			1), map[string]string{"x y/a b/memory.max": "1000\n"}, 1000},
		{"no control groups", "", "22 1 0:5 / /proc rw - proc proc rw\n", nil, 0},
		{"no mounts", "0::/a\n", "", nil, 0},
		{"broken", "0::\n::\nx", "1 2 3\n25 20 0:22 / /sys/fs/cgroup rw - cgroup2\n" + mountVersion2,
			map[string]string{"memory.max": "x"}, 0},
	} {
		files := fstest.MapFS{"proc/self/cgroup": {Data: []byte(test.groups)},
			"proc/self/mountinfo": {Data: []byte(test.mounts)}}
		for name, text := range test.files {
			files["sys/fs/cgroup/"+name] = &fstest.MapFile{Data: []byte(text)}
		}
		got, ok := controlGroupLimit(files)
		if got != test.want || ok != (test.want > 0) {
			t.Errorf("%s: %d, %v, want %d", test.name, got, ok, test.want)
		}
	}
	if _, ok := controlGroupLimit(fstest.MapFS{}); ok {
		t.Error("there is a limit without files")
	}
}

func TestReadFreeMemory(t *testing.T) {
	for text, want := range map[string]uint64{
		"MemTotal:       24612345 kB\nMemFree:         1000 kB\nMemAvailable:   2000 kB\n": 2000 << 10,
		"MemTotal:       24612345 kB\n": 0, // before Linux 3.14
		"MemAvailable:   x kB\n":        0,
		"":                              0,
	} {
		got, ok := readFreeMemory(fstest.MapFS{"proc/meminfo": {Data: []byte(text)}})
		if got != want || ok != (want > 0) {
			t.Errorf("%q: %d, %v, want %d", text, got, ok, want)
		}
	}
}

// limitVariable names the resource that a child process of TestResourceLimits limits.
const limitVariable = "FIANCHETTO_TEST_LIMIT"

// TestResourceLimits has child processes that limit their address space or data: a table that fits is made and used,
// one that does not is refused, before the runtime would end the process.
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
	table, err := NewTable(largest-room, 0)
	if err != nil {
		t.Fatal(err)
	}
	if len(table.pairs.lines) == 0 || len(table.deep.buckets) == 0 {
		t.Error("no table")
	}
}
