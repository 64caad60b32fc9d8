//go:build unix

package main

import "syscall"

// noFollow refuses to open a symbolic link.
const noFollow = syscall.O_NOFOLLOW
