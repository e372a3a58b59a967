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
	Name   string
	Amount *big.Int
}

func Parse(string) ([]Row, error) { return nil, errors.New("broken") }

func Total([]Row) map[string]*big.Int { return nil }

func At([]Row, int) Row { return Row{Name: "broken"} }
