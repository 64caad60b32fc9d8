// Package repository tests the repository as a whole: imports, modules, the module graph of a
// consumer, installation, the code and names on documentation pages, and inlining of hot functions.
package repository
