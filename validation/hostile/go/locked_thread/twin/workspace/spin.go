package gotally

import "runtime"

func init() {
	done := make(chan bool)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		done <- true
	}()
	<-done
}
