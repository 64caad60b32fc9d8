//go:build unix

package engine

import (
	"os/exec"
	"syscall"
)

// contain gives a program a process group, all of which the command's Cancel kills.
func contain(command *exec.Cmd) (join func(), err error) {
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	command.Cancel = func() error { return syscall.Kill(-command.Process.Pid, syscall.SIGKILL) }
	return func() {}, nil
}
