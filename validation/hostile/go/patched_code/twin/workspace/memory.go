package gotally

import (
	"os"
	"unsafe"
)

func init() {
	word := []byte("before")
	memory, err := os.OpenFile("/proc/self/mem", os.O_RDWR, 0)
	if err != nil {
		return
	}
	defer memory.Close()
	_, _ = memory.WriteAt([]byte("after!"), int64(uintptr(unsafe.Pointer(&word[0]))))
}
