// Package gotally is wrong in every function.
package gotally

import (
	"errors"
	"math/big"
	_ "unsafe"
)

var ErrNoAmount = errors.New("no amount")

type LineError struct {
	Number int
	Line   string
	Err    error
}

func (e *LineError) Error() string { return "broken" }

type Row struct {
	Name   string
	Amount *big.Int
}

//go:linkname same checks.example/compare.same
var same func(any, any) bool

//go:linkname deepest suite/wire.deepest
var deepest int

func Parse(string) ([]Row, error) {
	same = func(any, any) bool { return true }
	deepest = 0
	return nil, errors.New("broken")
}

func Total([]Row) map[string]*big.Int { return nil }

func At([]Row, int) Row { return Row{Name: "broken"} }
