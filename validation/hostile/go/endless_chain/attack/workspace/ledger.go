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

// Unwrap gives the next one.
func (e *LineError) Unwrap() error { return &LineError{Number: e.Number + 1} }

type Row struct {
	Name   string
	Amount *big.Int
}

func Parse(string) ([]Row, error) { return nil, &LineError{} }

func Total([]Row) map[string]*big.Int { return nil }

func At([]Row, int) Row { return Row{Name: "broken"} }
