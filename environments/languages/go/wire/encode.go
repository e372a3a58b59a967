package wire

import (
	"bytes"
	"encoding/base64"
	"math/big"
	"reflect"
	"sort"
	"strconv"
	"time"
	"unicode/utf8"
)

// tooLarge is panicked with when a value fits no frame, and recovered at the statement.
type tooLarge struct{}

// encoder writes values as JSON. One is used for all values of a frame.
type encoder struct {
	text   []byte
	body   []byte
	nodes  int
	shared map[identity]bool
	number map[identity]int
	// inline writes large parts into the text too: for sorting, where no body must grow.
	inline bool
}

var (
	undefinedType  = reflect.TypeFor[Undefined]()
	decimalType    = reflect.TypeFor[Decimal]()
	codePointsType = reflect.TypeFor[CodePoints]()
	whenType       = reflect.TypeFor[When]()
	tupleType      = reflect.TypeFor[Tuple]()
	setType        = reflect.TypeFor[Set]()
	mapType        = reflect.TypeFor[Map]()
	objType        = reflect.TypeFor[Obj]()
	describedType  = reflect.TypeFor[described]()
	bigType        = reflect.TypeFor[big.Int]()
	timeType       = reflect.TypeFor[time.Time]()
	durationType   = reflect.TypeFor[time.Duration]()
	bytesType      = reflect.TypeFor[[]byte]()
)

// own are the types that have a tag although they are structs or defined types.
var own = map[reflect.Type]bool{
	undefinedType: true, decimalType: true, codePointsType: true, whenType: true, tupleType: true, setType: true,
	mapType: true, objType: true, describedType: true, bigType: true, timeType: true, durationType: true,
}

// value writes one value. Containers met twice are numbered within it.
func (e *encoder) value(v reflect.Value) {
	e.shared, e.number = metTwice(v), map[identity]int{}
	e.write(v, 0)
}

func (e *encoder) write(v reflect.Value, depth int) {
	v = reach(v)
	if depth > deepest || len(e.text) > headerCap-replyRoom || e.nodes > nodeCap-replyNodes {
		panic(tooLarge{})
	}
	if isNil(v) {
		e.raw("null")
		return
	}
	id, known := identify(v)
	if !known || !e.shared[id] {
		e.tagged(v, depth)
		return
	}
	if number, met := e.number[id]; met {
		e.tag("r", func() { e.raw(strconv.Itoa(number)) })
		return
	}
	number := len(e.number) + 1
	e.number[id] = number
	e.tag("n", func() {
		e.array(2, func(place int) {
			if place == 0 {
				e.raw(strconv.Itoa(number))
			} else {
				e.tagged(v, depth+2)
			}
		})
	})
}

func (e *encoder) tagged(v reflect.Value, depth int) {
	t := v.Type()
	switch {
	case own[t]:
		e.owned(v, depth)
	case t == reflect.PointerTo(objType):
		e.owned(v.Elem(), depth)
	case t.Kind() == reflect.Pointer || t.Kind() == reflect.Struct:
		e.object(typeText(t), nil, nil, nil)
	case t.PkgPath() != "":
		// A defined type is another type than the plain one below it.
		e.object(typeText(t), nil, []string{""}, func(int) { e.plain(v, depth+3) })
	default:
		e.plain(v, depth)
	}
}

// plain writes a value by its kind, whatever its type is called.
func (e *encoder) plain(v reflect.Value, depth int) {
	if depth > deepest {
		panic(tooLarge{})
	}
	switch v.Kind() {
	case reflect.Bool:
		e.raw(strconv.FormatBool(v.Bool()))
	case reflect.String:
		e.string(v.String())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		e.quotedTag("i", strconv.FormatInt(v.Int(), 10))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		e.quotedTag("i", strconv.FormatUint(v.Uint(), 10))
	case reflect.Float32, reflect.Float64:
		e.quotedTag("f", floatText(v.Float()))
	case reflect.Complex64, reflect.Complex128:
		parts := []float64{real(v.Complex()), imag(v.Complex())}
		show := func(place int) { e.quotedTag("f", floatText(parts[place])) }
		e.object(v.Kind().String(), nil, []string{"imag", "real"}, func(place int) { show(1 - place) })
	case reflect.Slice, reflect.Array:
		if v.Kind() == reflect.Slice && v.Type().Elem() == bytesType.Elem() {
			e.bytes(v.Bytes())
			return
		}
		e.list("l", v, depth)
	case reflect.Map:
		e.sorted(v, depth)
	default: // functions, channels, raw pointers: only that they are there can be told
		e.object(typeText(v.Type()), nil, nil, nil)
	}
}

func (e *encoder) owned(v reflect.Value, depth int) {
	switch v.Type() {
	case undefinedType:
		e.tag("u", func() { e.raw("null") })
	case decimalType:
		e.quotedTag("d", v.String())
	case codePointsType:
		e.tag("c", func() { e.array(v.Len(), func(place int) { e.raw(strconv.FormatInt(v.Index(place).Int(), 10)) }) })
	case whenType:
		e.when(v.Interface().(When))
	case timeType:
		e.when(whenOfTime(v.Interface().(time.Time)))
	case durationType:
		e.when(whenOfDuration(time.Duration(v.Int())))
	case bigType:
		number := v.Interface().(big.Int)
		e.integer(&number)
	case tupleType:
		e.list("t", v, depth)
	case setType:
		e.list("s", v, depth)
	case mapType:
		pairs := v.Interface().(Map)
		e.pairs(len(pairs), depth, func(place int) (reflect.Value, reflect.Value) {
			return reflect.ValueOf(pairs[place].Key), reflect.ValueOf(pairs[place].Value)
		})
	case objType:
		object := v.Interface().(Obj)
		var names []string
		if object.Attrs != nil {
			names = sortedNames(object.Attrs)
		}
		show := func(place int) { e.write(reflect.ValueOf(object.Attrs[names[place]]), depth+3) }
		e.object(object.Type, object.Bases, names, show)
	case describedType:
		shown := v.Interface().(described)
		names := append([]string{}, shown.names...)
		e.object(typeText(shown.kind), nil, names, func(place int) { e.write(shown.shown[place], depth+3) })
	}
}

func (e *encoder) list(name string, v reflect.Value, depth int) {
	e.tag(name, func() { e.array(v.Len(), func(place int) { e.write(v.Index(place), depth+2) }) })
}

// sorted writes a Go map: its own order is drawn anew each time.
func (e *encoder) sorted(v reflect.Value, depth int) {
	type entry struct {
		sort       []byte
		key, value reflect.Value
	}
	entries := make([]entry, 0, v.Len())
	for walk := v.MapRange(); walk.Next(); {
		scratch := &encoder{inline: true, nodes: e.nodes, shared: e.shared, number: map[identity]int{}}
		scratch.write(walk.Key(), depth+3)
		entries = append(entries, entry{scratch.text, walk.Key(), walk.Value()})
	}
	sort.SliceStable(entries, func(i, j int) bool { return bytes.Compare(entries[i].sort, entries[j].sort) < 0 })
	e.pairs(len(entries), depth, func(place int) (reflect.Value, reflect.Value) {
		return entries[place].key, entries[place].value
	})
}

func (e *encoder) pairs(count, depth int, at func(place int) (reflect.Value, reflect.Value)) {
	e.tag("m", func() {
		e.array(count, func(place int) {
			key, value := at(place)
			e.array(2, func(part int) { e.write([]reflect.Value{key, value}[part], depth+3) })
		})
	})
}

// object writes an o; names nil means that nothing is described.
func (e *encoder) object(kind string, bases, names []string, show func(place int)) {
	e.tag("o", func() {
		e.open('{')
		e.raw(`"type":`)
		e.quoted(wellFormed(kind))
		e.comma()
		e.raw(`"bases":`)
		e.array(len(bases), func(place int) { e.quoted(wellFormed(bases[place])) })
		e.comma()
		e.raw(`"attrs":`)
		if names == nil {
			e.raw("null")
		} else {
			e.fields(names, show)
		}
		e.raw("}")
	})
}

func (e *encoder) fields(names []string, show func(place int)) {
	e.open('{')
	for place, name := range names {
		if place > 0 {
			e.comma()
		}
		e.quoted(wellFormed(name))
		e.raw(":")
		show(place)
	}
	e.raw("}")
}

func (e *encoder) when(moment When) {
	e.tag("w", func() {
		e.array(3, func(place int) {
			switch {
			case place == 0:
				e.quoted(moment.Kind)
			case place == 1:
				e.quoted(moment.Text)
			case moment.Zone == nil:
				e.raw("null")
			default:
				e.quoted(*moment.Zone)
			}
		})
	})
}

// string writes text as itself, as S over 4 KiB, or as b: a Go string may hold bytes that are no text.
func (e *encoder) string(text string) {
	switch {
	case !utf8.ValidString(text):
		e.bytes([]byte(text))
	case len(text) > inlineCap && !e.inline:
		e.tag("S", func() { e.place([]byte(text)) })
	default:
		e.quoted(text)
	}
}

func (e *encoder) bytes(data []byte) {
	e.tag("b", func() {
		if len(data) > inlineCap && !e.inline {
			e.place(data)
			return
		}
		e.quoted(base64.StdEncoding.EncodeToString(data))
	})
}

func (e *encoder) integer(number *big.Int) {
	if number.CmpAbs(decimalBound) < 0 {
		e.quotedTag("i", number.String())
		return
	}
	if number.BitLen() > 4*headerCap {
		panic(tooLarge{})
	}
	sign := ""
	if number.Sign() < 0 {
		sign = "-"
	}
	e.quotedTag("x", sign+"0x"+new(big.Int).Abs(number).Text(16))
}

// place appends to the body and writes the range.
func (e *encoder) place(data []byte) {
	if len(e.body)+len(data) > bodyCap-2*streamCap {
		panic(tooLarge{})
	}
	start := len(e.body)
	e.body = append(e.body, data...)
	e.array(2, func(place int) { e.raw(strconv.Itoa([]int{start, len(data)}[place])) })
}

func (e *encoder) tag(name string, content func()) {
	e.open('{')
	e.quoted(name)
	e.raw(":")
	content()
	e.raw("}")
}

func (e *encoder) quotedTag(name, text string) { e.tag(name, func() { e.quoted(text) }) }

func (e *encoder) array(count int, item func(place int)) {
	e.open('[')
	for place := 0; place < count; place++ {
		if place > 0 {
			e.comma()
		}
		item(place)
	}
	e.raw("]")
}

func (e *encoder) open(bracket byte) {
	e.nodes++
	e.text = append(e.text, bracket)
}

func (e *encoder) comma() {
	e.nodes++
	e.text = append(e.text, ',')
}

func (e *encoder) raw(text string) { e.text = append(e.text, text...) }

// quoted writes well-formed text as a JSON string.
func (e *encoder) quoted(text string) {
	const hexadecimal = "0123456789abcdef"
	e.text = append(e.text, '"')
	for place := 0; place < len(text); place++ {
		switch letter := text[place]; {
		case letter == '"' || letter == '\\':
			e.text = append(e.text, '\\', letter)
		case letter < ' ':
			e.text = append(e.text, '\\', 'u', '0', '0', hexadecimal[letter>>4], hexadecimal[letter&15])
		default:
			e.text = append(e.text, letter)
		}
	}
	e.text = append(e.text, '"')
}
