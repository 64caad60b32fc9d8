package perft

import "golang.org/x/sys/unix"

// machineMB returns the memory of the machine in MiB, 0 if that is unknown.
func machineMB() int {
	var info unix.Sysinfo_t
	if err := unix.Sysinfo(&info); err != nil {
		return 0
	}
	return int(uint64(info.Totalram) * uint64(info.Unit) >> 20)
}
