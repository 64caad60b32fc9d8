package engine

import (
	"os/exec"
	"unsafe"

	"golang.org/x/sys/windows"
)

// group is the job object of a program and of all that it starts. It ends with our process, too.
type group struct {
	leader *exec.Cmd
	job    windows.Handle
}

// newGroup makes a job object for a program that is not started yet.
func newGroup(command *exec.Cmd) (*group, error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return nil, err
	}
	limits := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{}
	limits.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits)))
	if err != nil {
		_ = windows.CloseHandle(job)
		return nil, err
	}
	return &group{command, job}, nil
}

// join puts the program, which has started, into the job object.
func (g *group) join() error {
	const rights = windows.PROCESS_SET_QUOTA | windows.PROCESS_TERMINATE
	process, err := windows.OpenProcess(rights, false, uint32(g.leader.Process.Pid))
	if err != nil {
		return err
	}
	defer windows.CloseHandle(process)
	return windows.AssignProcessToJobObject(g.job, process)
}

// end kills all processes of the job object.
func (g *group) end() error { return windows.CloseHandle(g.job) }
