//go:build long

package agreement

// Long tells tests to compare whole trees and small worlds: they then take half an hour.
const Long = true
