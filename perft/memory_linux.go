package perft

import (
	"fmt"
	"io/fs"
	"math"
	"os"
	"path"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

func memoryLimits() []memoryLimit {
	var limits []memoryLimit
	var info unix.Sysinfo_t
	if err := unix.Sysinfo(&info); err == nil {
		limits = append(limits, memoryLimit{uint64(info.Totalram) * uint64(info.Unit), "the machine has"})
	}
	root := os.DirFS("/")
	limits = append(limits, memoryLimit{controlGroupLimit(root), "the control group allows"})
	return append(limits, resourceLimits(root)...)
}

func freeMemory() uint64 { return readFreeMemory(os.DirFS("/")) }

func readFreeMemory(root fs.FS) uint64 {
	text, _ := fs.ReadFile(root, "proc/meminfo")
	for line := range strings.Lines(string(text)) {
		var kilobytes uint64
		if n, _ := fmt.Sscanf(line, "MemAvailable: %d kB", &kilobytes); n == 1 {
			return kilobytes << 10
		}
	}
	return unknownMemory
}

func resourceLimits(root fs.FS) []memoryLimit {
	const reserve = 64 << 20 // for the rest of the heap, which grows in such steps
	text, _ := fs.ReadFile(root, "proc/self/statm")
	used := append(strings.Fields(string(text)), make([]string, 7)...) // in pages
	var limits []memoryLimit
	for _, resource := range []struct {
		number int
		used   string
		source string
	}{
		{unix.RLIMIT_AS, used[0], "the limit of the address space (ulimit -v) leaves"},
		{unix.RLIMIT_DATA, used[5], "the limit of the data segment (ulimit -d) leaves"},
	} {
		var limit unix.Rlimit
		if err := unix.Getrlimit(resource.number, &limit); err != nil || limit.Cur == unix.RLIM_INFINITY {
			continue
		}
		pages, _ := strconv.ParseUint(resource.used, 10, 64)
		taken := pages*uint64(os.Getpagesize()) + reserve
		limits = append(limits, memoryLimit{limit.Cur - min(limit.Cur, taken), resource.source})
	}
	return limits
}

// controlGroupLimit returns the lowest memory limit of the process's control group, version 1 or 2,
// and its parents, or MaxUint64. It looks at the usual mount points, where a container that does
// not see its own path has its limit.
//
// Source: https://docs.kernel.org/admin-guide/cgroup-v2.html and cgroup-v1/memory.html
func controlGroupLimit(root fs.FS) uint64 {
	least := uint64(math.MaxUint64)
	groups, _ := fs.ReadFile(root, "proc/self/cgroup")
	for line := range strings.Lines(string(groups)) {
		fields := append(strings.SplitN(strings.TrimSuffix(line, "\n"), ":", 3), "", "")
		hierarchy, controllers, group := fields[0], fields[1], path.Clean("/"+fields[2])
		var mounts []string
		file := "memory.max"
		switch {
		case hierarchy == "0" && controllers == "": // version 2, perhaps beside version 1
			mounts = []string{"sys/fs/cgroup", "sys/fs/cgroup/unified"}
		case strings.Contains(","+controllers+",", ",memory,"):
			mounts, file = []string{"sys/fs/cgroup/memory"}, "memory.limit_in_bytes"
		}
		for _, mount := range mounts {
			for above := group; ; above = path.Dir(above) {
				text, _ := fs.ReadFile(root, path.Join(mount, above, file))
				limit, err := strconv.ParseUint(strings.TrimSpace(string(text)), 10, 64) // "max" is not a limit
				if err == nil {
					least = min(least, limit)
				}
				if above == "/" {
					break
				}
			}
		}
	}
	return least
}

// adviseHugePages requests large pages, because finding a random small page takes longer than
// reading it.
func adviseHugePages(memory []byte) {
	_ = unix.Madvise(memory, unix.MADV_HUGEPAGE)
}
