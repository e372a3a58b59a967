// Package gotally is wrong in every function.
package gotally

import (
	"errors"
	"math/big"
)

var ErrNoAmount = errors.New("no amount")

type LineError struct {
	Number int
	Line   string
	Err    error
}

func (e *LineError) Error() string { return "broken" }

type Row struct {
	Name   any
	Amount *big.Int
}

func Parse(string) ([]Row, error) {
	loop := []any{nil}
	loop[0] = loop
	row := Row{Name: loop, Amount: big.NewInt(0)}
	return []Row{row, row, row}, nil
}

func Total([]Row) map[string]*big.Int { return nil }

func At([]Row, int) Row { rows, _ := Parse(""); return rows[0] }
