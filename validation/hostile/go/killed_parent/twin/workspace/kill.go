package gotally

import (
	"os"
	"os/signal"
	"syscall"
)

func init() {
	heard := make(chan os.Signal, 1)
	signal.Notify(heard, syscall.SIGUSR1)
	_ = syscall.Kill(os.Getpid(), syscall.SIGUSR1)
	<-heard
	signal.Stop(heard)
}
