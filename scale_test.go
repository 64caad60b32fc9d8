//go:build !long

package fianchetto_test

// testScale is how many times as many nodes as usual are compared.
const testScale = 1
