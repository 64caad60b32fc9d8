package main

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
)

// hardware names the processor and how the program was built, for a picture.
func hardware() string {
	level := buildSetting()
	if level != "" {
		level = ", " + level
	}
	return processor() + level
}

// machine describes what the figures were taken on and how the program was built.
func machine() string {
	build := fmt.Sprintf("%s %s/%s %s", runtime.Version(), runtime.GOOS, runtime.GOARCH, buildSetting())
	cpus := "1 CPU"
	if n := runtime.NumCPU(); n > 1 {
		cpus = fmt.Sprintf("%d CPUs", n)
	}
	return fmt.Sprintf("%s, %s%s; %s", processor(), cpus, load(), build)
}

// buildSetting is the instruction set that the program was built for, such as GOAMD64=v3.
func buildSetting() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if strings.HasPrefix(s.Key, "GO"+strings.ToUpper(runtime.GOARCH)) {
				return s.Key + "=" + s.Value
			}
		}
	}
	return ""
}

// load is how busy the machine is where the system reports it in a file. On a busy one contenders wait for CPUs,
// those with most threads, or with garbage to collect on another CPU, longest: ratios to them come out too high.
func load() string {
	text, err := os.ReadFile("/proc/loadavg")
	averages := strings.Fields(string(text)) // over 1, 5 and 15 minutes
	if err != nil || len(averages) < 3 {
		return ""
	}
	return fmt.Sprintf(", %s processes busy, this one included, on average of the last 5 minutes", averages[1])
}

// processor returns the name of the CPU where the system reports it in a file.
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
	return fmt.Sprintf("%s (%s)", fields["model name"], generation(fields["vendor_id"], fields["cpu family"], fields["model"]))
}

// generation names what the model name of an AMD processor on a server leaves open; else it gives the numbers.
func generation(vendor, family, model string) string {
	m, err := strconv.Atoi(model)
	switch {
	case vendor != "AuthenticAMD" || err != nil:
	case family == "25" && (m < 0x10 || m >= 0x20 && m < 0x60):
		return "Zen 3"
	case family == "25":
		return "Zen 4"
	case family == "26":
		return "Zen 5"
	}
	return fmt.Sprintf("family %s, model %s", family, model)
}
