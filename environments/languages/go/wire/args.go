package wire

import (
	"fmt"
	"math/big"
	"time"
)

// Args are the arguments of a call, by name. A getter panics when the argument is not there or of another type: the
// suite is wrong then.
type Args struct{ values map[string]any }

// badArgument is panicked with; it is told apart from the product's own panics.
type badArgument struct{ text string }

// Has tells whether the argument was given.
func (a Args) Has(name string) bool {
	_, there := a.values[name]
	return there
}

// Any gives the argument as it was decoded.
func (a Args) Any(name string) any {
	value, there := a.values[name]
	if !there {
		panic(badArgument{fmt.Sprintf("argument %s was not given", name)})
	}
	return value
}

// Int gives an integer of machine size.
func (a Args) Int(name string) int { return get[int](a, name) }

// Big gives an integer of any size.
func (a Args) Big(name string) *big.Int {
	if small, fits := a.Any(name).(int); fits {
		return big.NewInt(int64(small))
	}
	return get[*big.Int](a, name)
}

// Float gives a float.
func (a Args) Float(name string) float64 { return get[float64](a, name) }

// Bool gives a boolean.
func (a Args) Bool(name string) bool { return get[bool](a, name) }

// Str gives well-formed text.
func (a Args) Str(name string) string { return get[string](a, name) }

// Bytes gives a byte string.
func (a Args) Bytes(name string) []byte { return get[[]byte](a, name) }

// List gives a list.
func (a Args) List(name string) []any { return get[[]any](a, name) }

// Strs gives a list of well-formed texts.
func (a Args) Strs(name string) []string { return all[string](a, name) }

// Ints gives a list of integers of machine size.
func (a Args) Ints(name string) []int { return all[int](a, name) }

// Map gives a map with text as keys.
func (a Args) Map(name string) map[string]any {
	found := map[string]any{}
	for _, pair := range get[Map](a, name) {
		key, text := pair.Key.(string)
		if !text {
			panic(badArgument{fmt.Sprintf("argument %s has a key that is a %T", name, pair.Key)})
		}
		found[key] = pair.Value
	}
	return found
}

// Duration gives a duration that nanoseconds can tell.
func (a Args) Duration(name string) time.Duration {
	when := get[When](a, name)
	span, err := time.ParseDuration(when.Text + "s")
	if err != nil || when.Kind != "duration" {
		panic(badArgument{fmt.Sprintf("argument %s is no duration", name)})
	}
	return span
}

// Time gives a datetime with a zone.
func (a Args) Time(name string) time.Time {
	when := get[When](a, name)
	if when.Kind != "datetime" || when.Zone == nil {
		panic(badArgument{fmt.Sprintf("argument %s is no datetime with a zone", name)})
	}
	if found, err := time.Parse("2006-01-02T15:04:05.999999999Z07:00", when.Text+*when.Zone); err == nil {
		return found
	}
	place, err := time.LoadLocation(*when.Zone)
	if err != nil {
		panic(badArgument{fmt.Sprintf("argument %s has a zone that is not known here", name)})
	}
	found, err := time.ParseInLocation("2006-01-02T15:04:05.999999999", when.Text, place)
	if err != nil {
		panic(badArgument{fmt.Sprintf("argument %s: %v", name, err)})
	}
	return found
}

func get[T any](a Args, name string) T {
	return as[T](a.Any(name), name)
}

func all[T any](a Args, name string) []T {
	found := []T{}
	for _, item := range a.List(name) {
		found = append(found, as[T](item, name))
	}
	return found
}

func as[T any](value any, name string) T {
	found, ok := value.(T)
	if !ok {
		panic(badArgument{fmt.Sprintf("argument %s is a %T, not a %T", name, value, found)})
	}
	return found
}
