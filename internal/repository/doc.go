// Package repository tests the repository as a whole: who imports whom, what each module requires,
// what a consumer of the library gets, that the command can be installed, that the code in the
// guide runs, and that hot functions stay inlined. Tests of what a package does stand beside the
// package.
package repository
