package perft

import (
	"io/fs"
	"os"
	"path"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// memoryLimits returns the limits of memory that are known: of the machine, of the control group and of the process.
func memoryLimits() []memoryLimit {
	var limits []memoryLimit
	var info unix.Sysinfo_t
	if err := unix.Sysinfo(&info); err == nil {
		limits = append(limits, memoryLimit{uint64(info.Totalram) * uint64(info.Unit), "the machine has"})
	}
	root := os.DirFS("/")
	if bytes, ok := controlGroupLimit(root); ok {
		limits = append(limits, memoryLimit{bytes, "the control group allows"})
	}
	return append(limits, resourceLimits(root)...)
}

// freeMemory returns the memory that the machine could give without swapping.
func freeMemory() (bytes uint64, ok bool) { return readFreeMemory(os.DirFS("/")) }

func readFreeMemory(root fs.FS) (bytes uint64, ok bool) {
	text, _ := fs.ReadFile(root, "proc/meminfo")
	for line := range strings.Lines(string(text)) {
		if fields := strings.Fields(line); len(fields) == 3 && fields[0] == "MemAvailable:" && fields[2] == "kB" {
			kilobytes, err := strconv.ParseUint(fields[1], 10, 54)
			return kilobytes << 10, err == nil
		}
	}
	return 0, false
}

// resourceLimits returns the memory that RLIMIT_AS and RLIMIT_DATA, the limits of address space and data, leave for a
// hash table.
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

// controlGroupLimit returns the least limit of memory of the process's control group and those above it, of version 1
// or 2.
//
// Source: https://docs.kernel.org/admin-guide/cgroup-v2.html and cgroup-v1/memory.html
func controlGroupLimit(root fs.FS) (least uint64, ok bool) {
	groups, err := fs.ReadFile(root, "proc/self/cgroup")
	if err != nil {
		return 0, false
	}
	mounts, err := fs.ReadFile(root, "proc/self/mountinfo")
	if err != nil {
		return 0, false
	}
	for line := range strings.Lines(string(mounts)) {
		mount, file := parseMount(line)
		if file == "" {
			continue
		}
		group, found := memoryGroup(string(groups), file == memoryMax)
		if !found {
			continue
		}
		for directory := mount.directory(group); ; directory = path.Dir(directory) {
			if limit, limited := readLimit(root, path.Join(directory, file)); limited && (!ok || limit < least) {
				least, ok = limit, true
			}
			if directory == mount.point || directory == "/" {
				break
			}
		}
	}
	return least, ok
}

// The files that hold the limit of a control group, of version 2 and of version 1.
const (
	memoryMax          = "memory.max"
	memoryLimitInBytes = "memory.limit_in_bytes"
)

// groupMount is a mounted hierarchy of control groups.
type groupMount struct {
	root  string // the group at the mount point
	point string
}

// parseMount reads a line of mountinfo, and returns the name of the file that holds limits of memory there, "" if
// none does.
func parseMount(line string) (mount groupMount, file string) {
	before, after, _ := strings.Cut(line, " - ")
	// ID, parent, device, root, point, ... - type, source, options
	mounted, system := strings.Fields(before), strings.Fields(after)
	if len(mounted) < 5 || len(system) < 3 {
		return groupMount{}, ""
	}
	mount = groupMount{unescapeMount(mounted[3]), unescapeMount(mounted[4])}
	switch {
	case system[0] == "cgroup2":
		return mount, memoryMax
	case system[0] == "cgroup" && hasWord(system[2], "memory"):
		return mount, memoryLimitInBytes
	}
	return groupMount{}, ""
}

// unescapeMount decodes the characters that mountinfo writes in octal digits.
func unescapeMount(name string) string {
	return strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`).Replace(name)
}

// memoryGroup returns the process's control group for memory, of version 2 or 1.
func memoryGroup(groups string, version2 bool) (group string, ok bool) {
	for line := range strings.Lines(groups) { // hierarchy:controllers:group
		fields := strings.SplitN(strings.TrimSuffix(line, "\n"), ":", 3)
		if len(fields) == 3 && (version2 && fields[0] == "0" && fields[1] == "" || !version2 &&
			hasWord(fields[1], "memory")) {
			return fields[2], true
		}
	}
	return "", false
}

func hasWord(list, word string) bool { return strings.Contains(","+list+",", ","+word+",") }

// directory returns the directory of a group: the mount point if the group is not below the mounted group, as in a
// container that does not see its own place.
func (m groupMount) directory(group string) string {
	below, ok := strings.CutPrefix(group, strings.TrimSuffix(m.root, "/"))
	if !ok || strings.Contains(group, "..") {
		return m.point
	}
	return path.Join(m.point, below)
}

// readLimit reads a file with a number of bytes.
func readLimit(root fs.FS, name string) (bytes uint64, ok bool) {
	text, err := fs.ReadFile(root, strings.TrimPrefix(name, "/"))
	if err != nil {
		return 0, false
	}
	bytes, err = strconv.ParseUint(strings.TrimSpace(string(text)), 10, 64)
	return bytes, err == nil // "max" is not a limit
}

// adviseHugePages asks for large pages under untouched memory. Lookups go to random pages: with small ones, finding
// the page takes longer than reading it. The system may refuse.
func adviseHugePages(memory []byte) {
	_ = unix.Madvise(memory, unix.MADV_HUGEPAGE)
}

// discardPages gives pages back to the system, and reports whether they are zero from then on.
func discardPages(memory []byte) bool {
	return len(memory) == 0 || unix.Madvise(memory, unix.MADV_DONTNEED) == nil
}
