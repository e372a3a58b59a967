package wire

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sort"
)

const (
	messageCap = 10_000
	namesCap   = 64
	chainCap   = 1000
	fieldsCap  = 200
)

// failure is an error as the statement tells it.
type failure struct {
	kind, builtin, message string
	bases, fields          []string
	values                 []reflect.Value
}

// named is an error that a scenario has compared with sentinels of the contract.
type named struct {
	error
	names []string
}

func (n named) Unwrap() error { return n.error }

// Name adds to the error's bases the name of each sentinel that errors.Is finds in it: a variable's name cannot be
// read from its value. A nil error stays nil.
func Name(err error, sentinels map[string]error) error {
	if err == nil {
		return nil
	}
	found := named{error: err}
	for name, sentinel := range sentinels {
		if errors.Is(err, sentinel) {
			found.names = append(found.names, name)
		}
	}
	sort.Strings(found.names)
	return found
}

// ofError tells a returned error: its type, as bases the types of all that it wraps, in the order of errors.Is, and
// the exported fields of each; an outer field hides an inner one of its name.
func ofError(err error) failure {
	var sentinels []string
	if marked, is := err.(named); is {
		err, sentinels = marked.error, marked.names
	}
	told := failure{kind: typeText(reflect.TypeOf(err)), builtin: "error", message: message(err)}
	for _, link := range chain(err) {
		name := typeText(reflect.TypeOf(link))
		if name != told.kind && !slices.Contains(told.bases, name) && len(told.bases) < namesCap {
			told.bases = append(told.bases, name)
		}
		told.addFields(reflect.ValueOf(link))
	}
	told.bases = append(told.bases, sentinels...)
	return told
}

// ofPanic tells a panic. An error that was panicked with gives its chain and fields, any other value itself.
func ofPanic(value any) failure {
	told := failure{kind: "panic", builtin: "panic"}
	err, is := value.(error)
	if !is {
		told.message = message(value)
		told.fields, told.values = []string{"value"}, []reflect.Value{reflect.ValueOf(value)}
		return told
	}
	inner := ofError(err)
	told.bases, told.message = append([]string{inner.kind}, inner.bases...), inner.message
	told.fields, told.values = inner.fields, inner.values
	return told
}

// chain is the error and all that it wraps, depth first; a chain without an end is cut.
func chain(err error) []error {
	var found []error
	for todo := []error{err}; len(todo) > 0 && len(found) < chainCap; {
		link := todo[0]
		todo = todo[1:]
		if link == nil {
			continue
		}
		found = append(found, link)
		todo = append(wrapped(link), todo...)
	}
	return found
}

func wrapped(err error) (inner []error) {
	defer func() { _ = recover() }() // the product's own method
	switch holder := err.(type) {
	case interface{ Unwrap() error }:
		return []error{holder.Unwrap()}
	case interface{ Unwrap() []error }:
		return slices.Clone(holder.Unwrap())
	}
	return nil
}

func (f *failure) addFields(v reflect.Value) {
	for v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	if v.Kind() != reflect.Struct {
		return
	}
	for _, field := range reflect.VisibleFields(v.Type()) {
		callable := field.Type.Kind() == reflect.Func
		if !field.IsExported() || callable || slices.Contains(f.fields, field.Name) || len(f.fields) >= fieldsCap {
			continue
		}
		if value, err := v.FieldByIndexErr(field.Index); err == nil && value.CanInterface() {
			f.fields = append(f.fields, field.Name)
			f.values = append(f.values, value)
		}
	}
}

func message(value any) (text string) {
	defer func() { _ = recover() }() // the product's own method
	if err, is := value.(error); is {
		text = err.Error()
	} else {
		text = fmt.Sprint(value)
	}
	return wellFormed(text[:min(len(text), messageCap)])
}
