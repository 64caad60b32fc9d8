//go:build unix

package engine

import (
	"os/exec"
	"syscall"
)

// group is the process group of a program and of all that it starts.
type group struct{ leader *exec.Cmd }

// newGroup gives a program that is not started yet a group of its own.
func newGroup(command *exec.Cmd) (*group, error) {
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return &group{command}, nil
}

// join is called after the start, which has put the program into its group.
func (g *group) join() error { return nil }

// end kills all processes of the group.
func (g *group) end() error { return syscall.Kill(-g.leader.Process.Pid, syscall.SIGKILL) }
