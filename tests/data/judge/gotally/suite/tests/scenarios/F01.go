package scenarios

import (
	"gotally"
	"suite/wire"
)

func Totals(a wire.Args) (any, error) {
	rows, err := gotally.Parse(a.Str("text"))
	return gotally.Total(rows), named(err)
}

func Rows(a wire.Args) (any, error) {
	rows, err := gotally.Parse(a.Str("text"))
	return wire.Describe(rows, "Name", "Amount"), named(err)
}

func NameAt(a wire.Args) (any, error) {
	rows, err := gotally.Parse(a.Str("text"))
	return gotally.At(rows, a.Int("place")).Name, named(err)
}

func named(err error) error {
	return wire.Name(err, map[string]error{"gotally.ErrNoAmount": gotally.ErrNoAmount})
}
