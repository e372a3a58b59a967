package gotally

// Chain wraps the next one, a thousand times.
type Chain struct{ left int }

func (c Chain) Error() string { return "a chain" }

// Unwrap gives the next one, or nil at the end.
func (c Chain) Unwrap() error {
	if c.left == 0 {
		return nil
	}
	return Chain{c.left - 1}
}

var chain error = Chain{1000}
