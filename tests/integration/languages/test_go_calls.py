"""Go calls: what each way to end comes to, and what is told of errors and panics."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from environments.interface import Sandbox
from taskpack.wire.kinds import Obj
from taskpack.wire.same import same
from tests.integration.languages.gosuites import started
from tests.integration.languages.suites import Caller

pytestmark = [pytest.mark.sandbox, pytest.mark.full]

SHOP = """
package shop

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"syscall"
	"time"
)

var ErrClosed = errors.New("closed")
var ErrOther = errors.New("other")

type ItemError struct {
	Number int
	Why    error
	Hook   func()
	hidden int
}

func (e *ItemError) Error() string { return fmt.Sprintf("item %d: %v", e.Number, e.Why) }
func (e *ItemError) Unwrap() error { return e.Why }

type Plain string

func (p Plain) Error() string { return string(p) }

type Loop struct{ Deep int }

func (l *Loop) Error() string { return "loop" }
func (l *Loop) Unwrap() error { return l }

type Rude struct{}

func (Rude) Error() string { panic("rude") }
func (Rude) Unwrap() error { panic("rude") }

// Same has the name of the other one, in its own package.
type BadArgument struct{ Inner error }

func (BadArgument) Error() string { return "bad" }

func Wrapped() error  { return fmt.Errorf("while open: %w", &ItemError{Number: 3, Why: ErrClosed}) }
func Joined() error   { return errors.Join(Plain("one"), &ItemError{Number: 1, Why: ErrOther}) }
func NilError() error { var none *ItemError; _ = none; return nil }

var count = 0

func Count() int { count++; return count }

func Exit(code int)  { os.Exit(code) }
func Goexit()        { runtime.Goexit() }
func Deadlock()      { select {} }
func Signal()        { _ = syscall.Kill(os.Getpid(), syscall.SIGKILL); time.Sleep(time.Hour) }
func Elsewhere()     { go panic("elsewhere"); select {} }
func Overflow(n int) int { return Overflow(n+1) + 1 }
func Spin()          { for { } }
func Index() int     { return []int{}[count] }
func Hungry() int    { var all [][]byte; for { all = append(all, make([]byte, 1<<26)); all[len(all)-1][5] = 1 } }
func Say(text string) { fmt.Print(text); fmt.Fprint(os.Stderr, text, "!") }

func Forge(data []byte) { _, _ = os.NewFile(3, "").Write(data); os.Exit(0) }

func Daemon() error {
	for range 3 {
		go func() { for { time.Sleep(time.Millisecond) } }()
	}
	_, err := syscall.ForkExec("/bin/sleep", []string{"sleep", "1000"}, nil)
	return err
}

func Folder() []string {
	here, _ := os.Getwd()
	input, _ := os.ReadFile("/dev/stdin")
	return []string{fmt.Sprint(here == os.Getenv("HOME")), string(input), fmt.Sprint(len(os.Args))}
}

func Overwrite() []bool {
	done := []bool{}
	for _, path := range []string{"/run/go-product", "/run/go-build/product", "/run/x", "/env/site/go-cache/x", "/app/x"} {
		done = append(done, os.WriteFile(path, []byte("#!/bin/sh\\nexit 0\\n"), 0o755) == nil)
	}
	return append(done, os.Rename("/run/go-product", "/run/away") == nil, os.Chmod("/run/go-product", 0) == nil)
}
"""

SCENARIOS = """
package scenarios

import (
	"shop"
	"suite/wire"
)

func Wrapped(wire.Args) (any, error) {
	return 1, wire.Name(shop.Wrapped(), map[string]error{"shop.ErrClosed": shop.ErrClosed, "shop.ErrOther": shop.ErrOther})
}
func Joined(wire.Args) (any, error)  { return nil, shop.Joined() }
func None(wire.Args) (any, error)    { return 1, wire.Name(shop.NilError(), map[string]error{"x": shop.ErrClosed}) }
func Loop(wire.Args) (any, error)    { return nil, &shop.Loop{Deep: 1} }
func Rude(wire.Args) (any, error)    { return nil, shop.Rude{} }
func Fake(wire.Args) (any, error)    { return nil, shop.BadArgument{} }
func Count(wire.Args) (any, error)   { return shop.Count(), nil }
func Folder(wire.Args) (any, error)  { return shop.Folder(), nil }
func Overwrite(wire.Args) (any, error) { return shop.Overwrite(), nil }
func Daemon(wire.Args) (any, error)  { return nil, shop.Daemon() }
func Exit(a wire.Args) (any, error)  { shop.Exit(a.Int("code")); return nil, nil }
func Say(a wire.Args) (any, error)   { shop.Say(a.Str("text")); return nil, nil }
func Forge(a wire.Args) (any, error) { shop.Forge(a.Bytes("data")); return nil, nil }
func Goexit(wire.Args) (any, error)  { shop.Goexit(); return nil, nil }
func Deadlock(wire.Args) (any, error) { shop.Deadlock(); return nil, nil }
func Signal(wire.Args) (any, error)  { shop.Signal(); return nil, nil }
func Elsewhere(wire.Args) (any, error) { shop.Elsewhere(); return nil, nil }
func Overflow(wire.Args) (any, error) { return shop.Overflow(0), nil }
func Spin(wire.Args) (any, error)    { shop.Spin(); return nil, nil }
func Index(wire.Args) (any, error)   { return shop.Index(), nil }
func Hungry(wire.Args) (any, error)  { return shop.Hungry(), nil }
func PanicText(wire.Args) (any, error) { panic("text") }
func PanicValue(wire.Args) (any, error) { panic(map[string]int{"a": 1}) }
func PanicError(wire.Args) (any, error) { panic(shop.Wrapped()) }
func PanicNil(wire.Args) (any, error) { panic(nil) }
func PanicHuge(wire.Args) (any, error) { panic(make([]int, 2_000_000)) }

func Helper(int) (any, error)        { return nil, nil }
func Generic[T any](wire.Args) (any, error) { return nil, nil }
func hidden(wire.Args) (any, error)  { return nil, nil }
type Method struct{}
func (Method) Bound(wire.Args) (any, error) { return nil, nil }
"""


@pytest.fixture(scope="module")
def program(sandbox: Sandbox, go_site: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Caller]:
    with started(tmp_path_factory.mktemp("go"), sandbox, go_site, SCENARIOS, {"shop.go": SHOP}) as caller:
        yield caller


def test_a_wrapped_error_has_its_chain_its_fields_and_the_sentinels_it_matches(program: Caller) -> None:
    error = program.call("Wrapped").error
    assert error.type == "*fmt.wrapError"
    assert error.bases == ("*shop.ItemError", "*errors.errorString", "shop.ErrClosed")
    assert (error.builtin, error.message) == ("error", "while open: item 3: closed")
    assert set(error.attrs) == {"Number", "Why"}
    assert same(error.attrs["Number"], 3)
    assert same(error.attrs["Why"], Obj("*errors.errorString"))


def test_joined_errors_are_all_there_in_the_order_that_go_looks_at_them(program: Caller) -> None:
    error = program.call("Joined").error
    assert error.names == ("*errors.joinError", "shop.Plain", "*shop.ItemError", "*errors.errorString")
    assert error.is_a("ItemError")


def test_no_error_is_a_value(program: Caller) -> None:
    assert same(program.call("None").value, 1)


def test_errors_that_misbehave_are_still_told(program: Caller) -> None:
    assert (program.call("Loop").error.names, program.call("Loop").error.message) == (("*shop.Loop",), "loop")
    assert (program.call("Rude").error.names, program.call("Rude").error.message) == (("shop.Rude",), "")


def test_an_error_called_like_one_of_the_wires_is_none(program: Caller) -> None:
    assert not program.call("Fake").error.is_a("wire.BadArgument")
    assert program.call("Fake").error.is_a("shop.BadArgument")


@pytest.mark.parametrize(
    ("name", "message", "bases"),
    [
        ("PanicText", "text", ()),
        ("PanicValue", "map[a:1]", ()),
        ("PanicError", "while open: item 3: closed", ("*fmt.wrapError", "*shop.ItemError", "*errors.errorString")),
        ("Index", "runtime error: index out of range [0] with length 0", ("runtime.boundsError",)),
        ("PanicNil", "runtime error: panic called with nil argument", ("*runtime.PanicNilError",)),
    ],
)
def test_a_panic_is_an_error_of_that_name(program: Caller, name: str, message: str, bases: tuple[str, ...]) -> None:
    error = program.call(name).error
    assert (error.type, error.bases, error.message, error.builtin) == ("panic", bases, message, "panic")


def test_what_was_panicked_with_is_shown_where_it_fits(program: Caller) -> None:
    assert same(program.call("PanicValue").error.attrs["value"], {"a": 1})
    assert program.call("PanicHuge").error.attrs == {}


@pytest.mark.parametrize(
    ("name", "outcome", "code"),
    [
        ("Goexit", "exited", 2),
        ("Deadlock", "exited", 2),
        ("Elsewhere", "exited", 2),
        ("Overflow", "exited", 2),
        ("Hungry", "exited", 2),
        ("Signal", "signalled", 9),
    ],
)
def test_every_other_end_is_told(program: Caller, name: str, outcome: str, code: int) -> None:
    seen = program.call(name)
    assert (seen.outcome, seen.exit if outcome == "exited" else seen.signal) == (outcome, code), seen


@pytest.mark.parametrize("code", [0, 3])
def test_an_exit_is_no_value_whatever_its_code(program: Caller, code: int) -> None:
    seen = program.call("Exit", code=code)
    assert (seen.outcome, seen.exit) == ("exited", code)


def test_an_endless_loop_is_a_timeout(program: Caller) -> None:
    assert program.call("Spin", limit_s=0.5).outcome == "timeout"


def test_streams_are_captured_and_nothing_comes_in(program: Caller) -> None:
    seen = program.call("Say", text="é")
    assert (seen.stdout, seen.stderr) == ("é".encode(), "é!".encode())
    assert same(program.call("Folder").value, ["true", "", "1"])


def test_calls_share_nothing(program: Caller) -> None:
    assert [program.call("Count").value for _ in range(3)] == [1, 1, 1]
    assert program.call("Daemon").outcome == "returned"
    assert program.call("Count").outcome == "returned"


def test_a_call_cannot_change_the_program_that_other_calls_run(program: Caller) -> None:
    assert same(program.call("Overwrite").value, [False] * 7)
    assert same(program.call("Count").value, 1)


@pytest.mark.parametrize("data", [b"", b"x", b"\0\0\0\2\0\0\0\0{}", b"\xff" * 100])
def test_what_is_no_statement_is_no_answer(program: Caller, data: bytes) -> None:
    assert program.call("Forge", data=data).outcome in {"malformed", "exited"}


@pytest.mark.parametrize("name", ["Helper", "Generic", "hidden", "Bound", "Method.Bound", "F02.Count", "main", ""])
def test_only_scenarios_can_be_called(program: Caller, name: str) -> None:
    seen = program.call(name)
    assert seen.outcome == "malformed"
    assert seen.failure is not None
    assert seen.failure.type == "wire.Refused"


def test_a_scenario_is_found_by_its_file_too(program: Caller) -> None:
    assert same(program.call("F01.Count").value, 1)
