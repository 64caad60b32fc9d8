// Package figures writes numbers for people, alike in all reports and pages. What scripts read has plain digits instead.
package figures

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Count writes a whole number of any size, such as an int or a *big.Int, with a comma between groups of three digits: 1,234,567.
func Count(n any) string {
	digits := fmt.Sprint(n)
	sign := ""
	if strings.HasPrefix(digits, "-") {
		sign, digits = "-", digits[1:]
	}
	var text strings.Builder
	for i, digit := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			text.WriteByte(',')
		}
		text.WriteRune(digit)
	}
	return sign + text.String()
}

// Rate writes a number of things per second, 0 or more, to three digits with an SI prefix before the unit: 2.53 G nodes/s.
func Rate(perSecond float64, unit string) string {
	const prefixes = " kMGTPE"
	power := 0
	for perSecond >= 999.5 && power < len(prefixes)-1 {
		perSecond /= 1000
		power++
	}
	decimals := 0
	switch {
	case perSecond == 0 || power == 0 && perSecond >= 9.95:
	case perSecond < 9.995:
		decimals = 2
	case perSecond < 99.95:
		decimals = 1
	}
	text := strconv.FormatFloat(perSecond, 'f', decimals, 64)
	if power > 0 {
		text += " " + prefixes[power:power+1]
	}
	return text + " " + unit
}

// Seconds writes a time to the second, which may be of years: 45s, 1m30s, 8.0 days.
func Seconds(seconds float64) string {
	const day = 24 * 60 * 60
	if seconds >= 2*day {
		return fmt.Sprintf("%.1f days", seconds/day)
	}
	return time.Duration(seconds * float64(time.Second)).Round(time.Second).String()
}

// Things writes a number of things, in agreement with it: 1 thread, 2 threads, 1,234 threads.
func Things(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return Count(n) + " " + thing
}

// Short writes a number in at most five characters: 97862, 4.87M. Beyond five digits it has three of them and an SI prefix.
func Short(n uint64) string {
	if n < 100_000 {
		return strconv.FormatUint(n, 10)
	}
	return strings.Replace(strings.TrimSpace(Rate(float64(n), "")), " ", "", 1)
}
