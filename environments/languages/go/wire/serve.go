package wire

import (
	"fmt"
	"os"
	"reflect"
	"strings"
)

const (
	resultDescriptor  = 3
	requestDescriptor = 4
	// broken is the exit code when there was no call to make.
	broken = 70
)

// Scenario is a function of the suite's scenario files.
type Scenario = func(Args) (any, error)

// Main answers the one request of this process and ends it.
func Main(scenarios map[string]Scenario) {
	header, body, err := readFrame(os.NewFile(requestDescriptor, "request"))
	if err != nil {
		fmt.Fprintln(os.Stderr, "request:", err)
		os.Exit(broken)
	}
	name, _ := header["name"].(string)
	scenario, there := scenarios[name[strings.LastIndexByte(name, '.')+1:]]
	if !there {
		fmt.Fprintln(os.Stderr, "there is no scenario", name)
		os.Exit(broken)
	}
	statement := observe(scenario, readArgs(header, body))
	if _, err := os.NewFile(resultDescriptor, "result").Write(statement); err != nil {
		os.Exit(broken)
	}
	os.Exit(0)
}

func readArgs(header map[string]any, body []byte) Args {
	args := Args{map[string]any{}}
	given, _ := header["args"].(map[string]any)
	for name, raw := range given {
		reader := decoder{body, map[int]any{}}
		args.values[name] = reader.decode(raw, 0)
	}
	return args
}

// observe calls the scenario and gives the statement's frame.
func observe(scenario Scenario, args Args) (statement []byte) {
	ended := false
	defer func() {
		// Nothing to recover and not ended: the goroutine was told to exit, and the process will.
		if caught := recover(); !ended && caught != nil {
			statement = panicked(caught)
		}
	}()
	value, err := scenario(args)
	ended = true
	if err != nil {
		return raised(ofError(err))
	}
	return returned(value)
}

func panicked(caught any) []byte {
	if wrong, is := caught.(badArgument); is {
		return raised(failure{kind: "wire.BadArgument", builtin: "panic", message: wrong.text})
	}
	return raised(ofPanic(caught))
}

func returned(value any) []byte {
	writer := &encoder{}
	if !fits(func() {
		writer.raw(`{"outcome":"returned","value":`)
		writer.value(reflect.ValueOf(value))
		writer.raw("}")
	}) {
		return packFrame([]byte(`{"outcome":"limit","limit":"value"}`), nil)
	}
	return packFrame(writer.text, writer.body)
}

// raised tells the fields too where they fit a frame.
func raised(told failure) []byte {
	writer := &encoder{}
	if !fits(func() { writer.failure(told) }) {
		told.fields, told.values = nil, nil
		writer = &encoder{}
		writer.failure(told)
	}
	return packFrame(writer.text, writer.body)
}

func (e *encoder) failure(told failure) {
	e.raw(`{"outcome":"raised","error":{"type":`)
	e.quoted(wellFormed(told.kind))
	e.raw(`,"bases":`)
	e.array(len(told.bases), func(place int) { e.quoted(wellFormed(told.bases[place])) })
	e.raw(`,"builtin":`)
	e.quoted(told.builtin)
	e.raw(`,"attrs":`)
	e.fields(told.fields, func(place int) { e.value(told.values[place]) })
	e.raw(`,"message":`)
	e.string(told.message)
	e.raw("}}")
}

// fits tells whether what was written fits a frame.
func fits(write func()) (done bool) {
	defer func() {
		if caught := recover(); caught != nil {
			if _, is := caught.(tooLarge); !is {
				panic(caught)
			}
			done = false
		}
	}()
	write()
	return true
}
