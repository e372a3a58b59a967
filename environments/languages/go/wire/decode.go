package wire

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/big"
	"strconv"
)

// decoder reads the values of one frame, which the broker has checked.
type decoder struct {
	body     []byte
	numbered map[int]any
}

// decode gives nil, bool, string, int, *big.Int, float64, []byte, []any, and the types of this package for the rest.
func (d *decoder) decode(raw any, number int) any {
	object, tagged := raw.(map[string]any)
	if !tagged {
		return raw // null, true, false, a string
	}
	for tag, content := range object {
		switch tag {
		case "l", "t", "s":
			return d.items(tag, content.([]any), number)
		case "m":
			return d.pairs(content.([]any), number)
		case "o":
			return d.object(content.(map[string]any), number)
		case "n":
			both := content.([]any)
			return d.decode(both[1], whole(both[0]))
		case "r":
			return d.numbered[whole(content)]
		default:
			return d.leaf(tag, content)
		}
	}
	panic("wire: an object without a tag")
}

func (d *decoder) items(tag string, content []any, number int) any {
	items := make([]any, len(content))
	kept := map[string]any{"l": items, "t": Tuple(items), "s": Set(items)}[tag]
	d.keep(number, kept)
	for place, item := range content {
		items[place] = d.decode(item, 0)
	}
	return kept
}

func (d *decoder) pairs(content []any, number int) Map {
	pairs := make(Map, len(content))
	d.keep(number, pairs)
	for place, item := range content {
		both := item.([]any)
		pairs[place].Key = d.decode(both[0], 0)
		pairs[place].Value = d.decode(both[1], 0)
	}
	return pairs
}

func (d *decoder) object(content map[string]any, number int) *Obj {
	made := &Obj{Type: content["type"].(string)}
	d.keep(number, made)
	for _, base := range content["bases"].([]any) {
		made.Bases = append(made.Bases, base.(string))
	}
	attrs, described := content["attrs"].(map[string]any)
	if described {
		made.Attrs = map[string]any{}
	}
	for _, name := range sortedNames(attrs) {
		made.Attrs[name] = d.decode(attrs[name], 0)
	}
	return made
}

func (d *decoder) keep(number int, value any) {
	if number != 0 {
		d.numbered[number] = value
	}
}

func (d *decoder) leaf(tag string, content any) any {
	switch tag {
	case "S":
		return string(d.part(content))
	case "b":
		return d.data(content)
	case "c":
		points := CodePoints{}
		for _, point := range content.([]any) {
			points = append(points, rune(whole(point)))
		}
		return points
	case "i", "x":
		return integer(content.(string))
	case "f":
		number, err := strconv.ParseFloat(content.(string), 64)
		check(err)
		return number
	case "d":
		return Decimal(content.(string))
	case "w":
		return moment(content.([]any))
	case "u":
		return Undefined{}
	}
	panic(fmt.Sprintf("wire: %q is no tag", tag))
}

func (d *decoder) part(content any) []byte {
	place := content.([]any)
	start, size := whole(place[0]), whole(place[1])
	return d.body[start : start+size]
}

func (d *decoder) data(content any) []byte {
	text, inline := content.(string)
	if !inline {
		return append([]byte{}, d.part(content)...)
	}
	data, err := base64.StdEncoding.DecodeString(text)
	check(err)
	return data
}

func integer(text string) any {
	if small, err := strconv.Atoi(text); err == nil {
		return small
	}
	number, ok := new(big.Int).SetString(text, 0)
	if !ok {
		panic("wire: no integer")
	}
	return number
}

func moment(content []any) When {
	when := When{Kind: content[0].(string), Text: content[1].(string)}
	if zone, there := content[2].(string); there {
		when.Zone = &zone
	}
	return when
}

func whole(raw any) int {
	number, err := strconv.Atoi(string(raw.(json.Number)))
	check(err)
	return number
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
