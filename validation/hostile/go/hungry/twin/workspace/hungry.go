package gotally

var held [][]byte

func init() {
	for range 4 {
		held = append(held, make([]byte, 1<<20))
	}
	held = nil
}
