//go:build !long

package fianchetto_test

// thoroughness is how many times as many nodes as usual are compared.
const thoroughness = 1
