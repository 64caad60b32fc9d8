//go:build !unix && !windows

package engine

import "os/exec"

// group is a program alone: this system has no groups of processes.
type group struct{ leader *exec.Cmd }

func newGroup(command *exec.Cmd) (*group, error) { return &group{command}, nil }

func (g *group) join() error { return nil }

func (g *group) end() error { return g.leader.Process.Kill() }
