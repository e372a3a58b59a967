package wire

import (
	"reflect"
	"sort"
	"strings"
)

// identity tells one container from another: two slices are the same when they show the same part of memory.
type identity struct {
	place uintptr
	size  int
	kind  reflect.Type
}

// reach goes through interfaces, and through pointers to whatever has a value of its own; a pointer to a struct stays,
// since its type is another. It panics with tooLarge where pointers lead in a circle.
func reach(v reflect.Value) reflect.Value {
	for steps := 0; v.IsValid(); steps++ {
		through := v.Kind() == reflect.Interface
		if v.Kind() == reflect.Pointer {
			through = v.Type().Elem().Kind() != reflect.Struct || own[v.Type().Elem()]
			through = through && v.Type().Elem() != objType
		}
		if !through {
			return v
		}
		if steps > deepest {
			panic(tooLarge{})
		}
		v = v.Elem()
	}
	return v
}

func isNil(v reflect.Value) bool {
	if !v.IsValid() {
		return true
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Map, reflect.Slice, reflect.Func, reflect.Chan, reflect.UnsafePointer:
		return v.IsNil() && !own[v.Type()]
	}
	return false
}

// identify says which container this is; false for what has no identity that could show, such as an empty slice.
func identify(v reflect.Value) (identity, bool) {
	switch v.Kind() {
	case reflect.Map:
		return identity{v.Pointer(), 0, v.Type()}, true
	case reflect.Slice:
		if v.Len() == 0 || isText(v.Type()) {
			return identity{}, false
		}
		return identity{v.Pointer(), v.Len(), v.Type()}, true
	case reflect.Pointer:
		return identity{v.Pointer(), 0, v.Type()}, v.Type().Elem() == objType
	}
	return identity{}, false
}

func isText(t reflect.Type) bool { return t == codePointsType || t.Elem() == bytesType.Elem() }

// metTwice finds the containers that are reached more than once. It walks without recursion.
func metTwice(root reflect.Value) map[identity]bool {
	seen, twice := map[identity]bool{}, map[identity]bool{}
	count := 0
	for todo := []reflect.Value{root}; len(todo) > 0; {
		v := reach(todo[len(todo)-1])
		todo = todo[:len(todo)-1]
		if isNil(v) {
			continue
		}
		if count++; count > nodeCap {
			panic(tooLarge{})
		}
		if id, known := identify(v); known {
			if seen[id] {
				twice[id] = true
				continue
			}
			seen[id] = true
		}
		todo = append(todo, children(v)...)
	}
	return twice
}

// children are the parts of a container that may be containers themselves.
func children(v reflect.Value) []reflect.Value {
	var found []reflect.Value
	switch {
	case v.Type() == describedType:
		return v.Interface().(described).shown
	case v.Kind() == reflect.Pointer && v.Type().Elem() == objType:
		for _, item := range v.Elem().Interface().(Obj).Attrs {
			found = append(found, reflect.ValueOf(item))
		}
	case v.Type() == mapType:
		for _, pair := range v.Interface().(Map) {
			found = append(found, reflect.ValueOf(pair.Key), reflect.ValueOf(pair.Value))
		}
	case v.Kind() == reflect.Map:
		for walk := v.MapRange(); walk.Next(); {
			found = append(found, walk.Key(), walk.Value())
		}
	case v.Kind() == reflect.Slice || v.Kind() == reflect.Array:
		if v.Len() > nodeCap && (v.Kind() == reflect.Array || !isText(v.Type())) {
			panic(tooLarge{})
		}
		for place := 0; holds(v.Type().Elem()) && place < v.Len(); place++ {
			found = append(found, v.Index(place))
		}
	}
	return found
}

// holds tells whether a value of this type can lead to a container.
func holds(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Interface, reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		return true
	}
	return t == describedType
}

func sortedNames(attrs map[string]any) []string {
	names := make([]string, 0, len(attrs))
	for name := range attrs {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

func wellFormed(text string) string { return strings.ToValidUTF8(text, "\uFFFD") }
