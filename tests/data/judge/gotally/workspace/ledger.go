// Package gotally adds up lines of `name amount`.
package gotally

import (
	"errors"
	"fmt"
	"math/big"
	"strings"
)

// ErrNoAmount is wrapped by the error of a line that ends without an amount.
var ErrNoAmount = errors.New("no amount")

// LineError says which line could not be read; lines count from 1.
type LineError struct {
	Number int
	Line   string
	Err    error
}

func (e *LineError) Error() string { return fmt.Sprintf("line %d: %v", e.Number, e.Err) }

func (e *LineError) Unwrap() error { return e.Err }

// Row is one line.
type Row struct {
	Name   string
	Amount *big.Int
}

// Parse reads one row a line.
func Parse(text string) ([]Row, error) {
	rows := []Row{}
	for place, line := range strings.Split(text, "\n") {
		if line == "" {
			continue
		}
		name, digits, _ := strings.Cut(line, " ")
		amount, ok := new(big.Int).SetString(digits, 10)
		if !ok {
			return nil, &LineError{place + 1, line, ErrNoAmount}
		}
		rows = append(rows, Row{name, amount})
	}
	return rows, nil
}

// Total gives the sum of each name.
func Total(rows []Row) map[string]*big.Int {
	sums := map[string]*big.Int{}
	for _, row := range rows {
		if sums[row.Name] == nil {
			sums[row.Name] = new(big.Int)
		}
		sums[row.Name].Add(sums[row.Name], row.Amount)
	}
	return sums
}

// At gives the row at a place, counted from 0. It panics when there is none.
func At(rows []Row, place int) Row {
	if place < 0 || place >= len(rows) {
		panic(fmt.Sprintf("no row %d", place))
	}
	return rows[place]
}
