//go:build unix

package engine

import (
	"os/exec"
	"syscall"
)

// contain gives a program that is not started yet a process group of its own, all of which the
// command's Cancel kills. Nothing is left for join to do after the start.
func contain(command *exec.Cmd) (join func(), err error) {
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	command.Cancel = func() error { return syscall.Kill(-command.Process.Pid, syscall.SIGKILL) }
	return func() {}, nil
}
