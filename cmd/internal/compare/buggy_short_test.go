//go:build !long

package compare_test

// everyBug is set for all bugs to be diagnosed.
const everyBug = false
