package main

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
)

// machine describes what the figures were taken on and how the program was built.
func machine() string {
	build := fmt.Sprintf("%s %s/%s", runtime.Version(), runtime.GOOS, runtime.GOARCH)
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if strings.HasPrefix(s.Key, "GO"+strings.ToUpper(runtime.GOARCH)) {
				build += fmt.Sprintf(" %s=%s", s.Key, s.Value)
			}
		}
	}
	return fmt.Sprintf("%s, %d CPUs%s; %s", processor(), runtime.NumCPU(), load(), build)
}

// load says how busy the machine is where the system tells it in a file. On a busy one contenders wait for CPUs,
// those with most threads, or with garbage to collect on another CPU, longest: ratios to them come out too high.
func load() string {
	text, err := os.ReadFile("/proc/loadavg")
	averages := strings.Fields(string(text)) // over 1, 5 and 15 minutes
	if err != nil || len(averages) < 3 {
		return ""
	}
	return fmt.Sprintf(", %s processes busy, this one included, on average of the last 5 minutes", averages[1])
}

// processor returns the name of the CPU where the system tells it in a file.
func processor() string {
	file, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return "unnamed CPU"
	}
	defer file.Close()
	fields := map[string]string{}
	for lines := bufio.NewScanner(file); lines.Scan(); {
		name, value, _ := strings.Cut(lines.Text(), ":")
		fields[strings.TrimSpace(name)] = strings.TrimSpace(value)
	}
	if fields["model name"] == "" {
		return "unnamed CPU"
	}
	return fmt.Sprintf("%s (family %s, model %s)", fields["model name"], fields["cpu family"], fields["model"])
}
