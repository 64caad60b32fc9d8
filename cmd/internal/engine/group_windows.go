package engine

import (
	"os/exec"
	"unsafe"

	"golang.org/x/sys/windows"
)

// contain makes a job object for a program and all that it starts, which the command's Cancel
// kills. The job also ends with our process. The program joins it when join is called, after the
// start.
func contain(command *exec.Cmd) (join func(), err error) {
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
	command.Cancel = func() error { return windows.CloseHandle(job) }
	return func() {
		const rights = windows.PROCESS_SET_QUOTA | windows.PROCESS_TERMINATE
		process, err := windows.OpenProcess(rights, false, uint32(command.Process.Pid))
		if err == nil { // else the program has ended already
			_ = windows.AssignProcessToJobObject(job, process)
			_ = windows.CloseHandle(process)
		}
	}, nil
}
