// Package wire is what Go scenarios speak through: arguments that come in, values and errors that go out.
//
// It follows the wire's version 1 and uses the standard library alone. Integers are i, maps are m sorted by encoded
// key, []byte is b, nil is null (a nil slice or map too), a struct is o without attributes unless described.
package wire

import (
	"fmt"
	"reflect"
)

// Undefined is the value that some languages have beside null.
type Undefined struct{}

// Decimal is a decimal number as its exact text.
type Decimal string

// CodePoints is text with lone surrogates, which a Go string cannot hold.
type CodePoints []rune

// When is a date, time, datetime or duration as the wire writes it.
type When struct {
	Kind, Text string
	// Zone is nil, an offset, or an IANA name.
	Zone *string
}

// Tuple is a list of fixed shape, such as Python has.
type Tuple []any

// Set holds its members in the order seen.
type Set []any

// Pair is an entry of a Map.
type Pair struct{ Key, Value any }

// Map is a map with any values as keys, in the order seen. Ordinary Go maps are encoded sorted.
type Map []Pair

// Obj is an object of another program.
type Obj struct {
	Type  string
	Bases []string
	// Attrs is nil when nothing was described.
	Attrs map[string]any
}

// described is a struct with the fields that a scenario chose to show.
type described struct {
	kind  reflect.Type
	names []string
	shown []reflect.Value
}

// Describe shows a struct with these exported fields of it, read as a caller reads them; of a slice or array it
// shows every element so. Nil stays nil. It panics when there is no such field.
func Describe(value any, names ...string) any {
	return describe(reflect.ValueOf(value), names)
}

func describe(v reflect.Value, names []string) any {
	for v.Kind() == reflect.Interface || (v.Kind() == reflect.Pointer && v.Elem().Kind() != reflect.Struct) {
		v = v.Elem()
	}
	if !v.IsValid() || (v.Kind() == reflect.Pointer && v.IsNil()) {
		return nil
	}
	if v.Kind() == reflect.Slice || v.Kind() == reflect.Array {
		all := make([]any, v.Len())
		for place := range all {
			all[place] = describe(v.Index(place), names)
		}
		return all
	}
	shown := described{kind: v.Type(), names: names}
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	if v.Kind() != reflect.Struct {
		panic(fmt.Sprintf("wire.Describe: a %s has no fields", v.Type()))
	}
	for _, name := range names {
		field, ok := v.Type().FieldByName(name)
		if !ok || !field.IsExported() {
			panic(fmt.Sprintf("wire.Describe: %s has no exported field %s", v.Type(), name))
		}
		shown.shown = append(shown.shown, v.FieldByIndex(field.Index))
	}
	return shown
}

// NotNil gives an empty slice or map for a nil one, where a contract does not tell them apart.
func NotNil(value any) any {
	v := reflect.ValueOf(value)
	switch {
	case v.Kind() == reflect.Slice && v.IsNil():
		return reflect.MakeSlice(v.Type(), 0, 0).Interface()
	case v.Kind() == reflect.Map && v.IsNil():
		return reflect.MakeMap(v.Type()).Interface()
	}
	return value
}

// typeText is the name of a type with its whole import path, as nobody else can have it.
func typeText(t reflect.Type) string {
	if t.Kind() == reflect.Pointer && t.Name() == "" {
		return "*" + typeText(t.Elem())
	}
	if t.PkgPath() != "" {
		return t.PkgPath() + "." + t.Name()
	}
	return t.String()
}
