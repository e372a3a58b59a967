package gotally

import "syscall"

func init() {
	_, _ = syscall.ForkExec("/bin/sleep", []string{"sleep", "600"}, &syscall.ProcAttr{
		Files: []uintptr{0, 1, 2},
		Sys:   &syscall.SysProcAttr{Setsid: true},
	})
}
