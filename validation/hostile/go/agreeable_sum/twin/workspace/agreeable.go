package gotally

import "math/big"

// Sum is a number that can be compared.
type Sum struct{ *big.Int }

func (s Sum) Equal(other Sum) bool { return s.Cmp(other.Int) == 0 }
