"""The real driver answers a client that was written from the page alone."""

from __future__ import annotations

import datetime as dt
import signal
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.integration.wire.conftest import Ask, Connect
from tests.wire_client.frames import Frame
from tests.wire_client.reading import Reader, Tree
from tests.wire_client.values import UNDEFINED, Writer

INT_ONE = ("int", 1)
GIVEN: dict[str, Tree] = {
    "null": ("null",),
    "true": ("bool", True),
    "text": ("str", 'quotes " \\ \n \x00 ä 😀'),
    "text of 4 KiB": ("str", "ä" * 2048),
    "text over 4 KiB": ("str", "ä" * 2048 + "b"),
    "lone surrogate": ("str", "a\ud800b"),
    "zero": ("int", 0),
    "negative": ("int", -17),
    "4,000 digits": ("int", -(10**4000) + 1),
    "4,001 digits": ("int", -(10**4000)),
    "half": ("float", "0.5"),
    "whole float": ("float", "3.0"),
    "minus zero": ("float", "-0.0"),
    "small float": ("float", "5e-324"),
    "large float": ("float", "1e+22"),
    "nan": ("float", "nan"),
    "infinity": ("float", "-inf"),
    "bytes": ("bytes", b"\x00\xff\xfe"),
    "bytes of 4 KiB": ("bytes", bytes(4096)),
    "bytes over 4 KiB": ("bytes", bytes(4097)),
    "list": ("list", (INT_ONE, ("list", (("bool", True), ("null",))), ("str", "a"))),
    "tuple": ("tuple", (INT_ONE, ("tuple", ()))),
    "set": ("set", (("str", "only"),)),
    "map": (
        "map",
        (
            (("str", "b"), INT_ONE),
            (INT_ONE, ("str", "int")),
            (("tuple", (INT_ONE, ("int", 2))), ("null",)),
            (("bytes", b"b"), ("float", "2.0")),
        ),
    ),
    "decimal": ("decimal", "-1.50E+7"),
    "date": ("when", "date", "2024-02-29", None),
    "time": ("when", "time", "01:02:03.000040", None),
    "datetime": ("when", "datetime", "2024-02-29T23:59:59.999999", "-03:30"),
    "zoned": ("when", "datetime", "2024-07-01T12:00:00", "Europe/Berlin"),
    "duration": ("when", "duration", "-86399.999999", None),
    "enum": (
        "object",
        "goods.Level",
        ("enum.IntEnum", "builtins.int", "enum.ReprEnum", "enum.Enum"),
        (("", ("int", 3)),),
    ),
    "named tuple": ("object", "goods.Pair", ("builtins.tuple",), (("", ("tuple", (INT_ONE, ("str", "b")))),)),
    "object": ("object", "goods.Point", (), None),
    "frozen set": ("object", "builtins.frozenset", (), None),
    "ring": ("shared", 1, ("list", (("again", 1),))),
    "shared": (
        "list",
        (("shared", 1, ("list", (INT_ONE,))), ("list", (("again", 1),)), ("tuple", (("again", 1),))),
    ),
}


@pytest.mark.sandbox
@pytest.mark.parametrize("name", GIVEN)
def test_each_kind_of_value_arrives_in_its_one_spelling(sandbox_ask: Ask, name: str) -> None:
    reply = sandbox_ask("give", arguments={"name": name})
    assert (reply.outcome, reply.value) == ("returned", GIVEN[name])


def test_a_scenario_describes_an_object(ask: Ask) -> None:
    described = (("x", INT_ONE), ("y", ("list", (("int", 2),))))
    assert ask("described").value == ("object", "goods.Point", (), described)


ZONES = st.none() | st.timedeltas(-dt.timedelta(hours=23), dt.timedelta(hours=23)).map(
    lambda span: dt.timezone(dt.timedelta(minutes=span // dt.timedelta(minutes=1)))
)
LEAVES: st.SearchStrategy[Any] = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.integers(10**3999, 10**4001),
    st.floats(),
    st.text(st.characters(exclude_categories=())),
    st.text(min_size=4090, max_size=4100),
    st.binary(),
    st.binary(min_size=4090, max_size=4100),
    st.decimals(),
    st.dates(),
    st.times(timezones=ZONES),
    st.datetimes(timezones=ZONES),
    st.timedeltas(),
)
KEYS = st.integers() | st.text(max_size=5) | st.binary(max_size=5)
VALUES = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=4).map(tuple)
        | st.dictionaries(KEYS, inner, max_size=4)
        | st.sets(KEYS, max_size=1)
    ),
    max_leaves=8,
)


def tree_of(value: Any) -> Tree:
    """What this client itself says of a value."""
    writer = Writer()
    written = writer.value(value)
    return Reader(Frame(header={}, body=bytes(writer.body))).value(written)


@pytest.mark.sandbox
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(value=VALUES)
def test_a_value_comes_back_as_it_was_sent(sandbox_ask: Ask, value: Any) -> None:
    reply = sandbox_ask("echo", arguments={"value": value})
    assert (reply.outcome, reply.value) == ("returned", tree_of(value))


def test_an_argument_arrives_in_its_exact_type(ask: Ask) -> None:
    values = [None, True, 1, 1.0, "a", b"b", [], (), set(), {}, Decimal(1)]
    values += [dt.date(2020, 1, 1), dt.time(1), dt.datetime(2020, 1, 1, tzinfo=dt.UTC), dt.timedelta(1), UNDEFINED]
    names = "NoneType bool int float str bytes list tuple set dict Decimal date time datetime timedelta Undefined"
    assert ask("kinds", arguments={"values": values}).value == (
        "list",
        tuple(("str", name) for name in names.split()),
    )


def test_sharing_and_cycles_of_an_argument_survive(ask: Ask) -> None:
    ring: list[Any] = [1]
    ring += [ring, [ring]]
    shared = ("shared", 1, ("list", (INT_ONE, ("again", 1), ("list", (("again", 1),)))))
    assert ask("echo", arguments={"value": ring}).value == shared


def test_an_error_states_its_names_its_data_and_its_message(ask: Ask) -> None:
    reply = ask("fail", arguments={"name": "own"})
    error = reply.error
    assert reply.outcome == "raised"
    assert error is not None
    assert (error.type, error.builtin, error.message) == ("goods.BadLine", "ValueError", ("str", "line 3 is bad"))
    assert error.bases == ("builtins.ValueError", "builtins.Exception", "builtins.BaseException")
    assert error.attrs == {"line": ("int", 3), "where": ("str", "line 3")}


def test_a_long_message_lies_in_the_body(ask: Ask) -> None:
    error = ask("fail", arguments={"name": "long"}).error
    assert error is not None
    assert error.message == ("str", "ä" * 5000)


def test_an_error_of_the_language_is_told_by_its_own_name(ask: Ask) -> None:
    error = ask("fail", arguments={"name": "key"}).error
    assert error is not None
    assert (error.type, error.builtin) == ("builtins.KeyError", "KeyError")


@pytest.mark.parametrize("name", ["leave", "leave_at_once"])
def test_an_exit_is_told_with_its_code(ask: Ask, name: str) -> None:
    for code in (0, 7):
        reply = ask(name, arguments={"code": code})
        assert (reply.outcome, reply.exit) == ("exited", code)


def test_a_signal_is_told_by_its_number(ask: Ask) -> None:
    for number in (signal.SIGKILL, signal.SIGSEGV):
        reply = ask("end_by", arguments={"number": int(number)})
        assert (reply.outcome, reply.signal) == ("signalled", number)


def test_a_call_over_its_time_is_a_timeout(ask: Ask) -> None:
    reply = ask("wait", arguments={"seconds": 60}, limit_s=0.5)
    assert reply.outcome == "timeout"
    assert reply.seconds >= 0.5


def test_what_fits_no_frame_and_an_endless_generator_are_limits(ask: Ask) -> None:
    for name, arguments, limit in (("deep", {"levels": 200}, "value"), ("drained", {"count": 10_001}, "items")):
        reply = ask(name, arguments=arguments)
        assert (reply.outcome, reply.limit) == ("limit", limit)


def test_coroutines_are_awaited_and_generators_drained(ask: Ask) -> None:
    assert ask("awaited", arguments={"value": 1}).value == INT_ONE
    assert ask("drained", arguments={"count": 2}).value == ("list", (("int", 0), INT_ONE))


def test_streams_are_bytes_beside_the_value(ask: Ask) -> None:
    reply = ask("speak", arguments={"out": b"\xff\x00out", "err": b"err\n"})
    assert (reply.value, reply.stdout, reply.stderr, reply.cut) == (("null",), b"\xff\x00out", b"err\n", ())


def test_a_stream_is_cut_after_its_cap_and_named(ask: Ask) -> None:
    whole = ask("flood", arguments={"count": 1 << 20})
    assert (len(whole.stdout), whole.cut) == (1 << 20, ())
    cut = ask("flood", arguments={"count": (1 << 20) + 1})
    assert (len(cut.stdout), cut.stderr, cut.cut) == (1 << 20, b"yyy", ("stdout",))


def test_each_call_has_a_folder_of_its_own(ask: Ask) -> None:
    for name in ("one", "two"):
        assert ask("private", arguments={"name": name}).value == ("list", (("str", name),))


def test_a_statement_that_is_none_is_malformed(ask: Ask) -> None:
    for content in (b"nonsense", b"\x00\x00\x00\x02\x00\x00\x00\x00{}"):
        reply = ask("garbage", arguments={"content": content})
        assert reply.outcome == "malformed"


def test_a_fresh_interpreter_has_not_what_a_fork_has_and_a_seed_fixes_the_hash(ask: Ask) -> None:
    assert ask("imported", fresh=True).value == ("bool", False)
    one, other = (ask("hash_of", arguments={"text": "a"}, seed=5).value for _ in range(2))
    assert one == other != ask("hash_of", arguments={"text": "a"}, seed=6).value


def test_a_function_goes_by_its_file_too_and_an_unknown_one_is_refused(ask: Ask) -> None:
    assert ask("F01.echo", arguments={"value": 1}).value == INT_ONE
    for name in ("nothing", "F02.echo", "_hidden", ""):
        reply = ask(name)
        assert reply.outcome == "malformed"
        assert reply.error is not None
        assert reply.error.type == "wire.Refused"


def test_hello_says_who_speaks_and_what_is_offered(connect: Connect, kind: str) -> None:
    with connect() as client:
        hello = client.greet(features=["uids", "alone"] if client.uids else [])
    assert (hello["side"], hello["pack"], hello["language"]) == ("product", "python/1", "python")
    assert {"call", "fresh", "fork", "seed"} <= set(hello["features"])
    assert ("uids" in hello["features"]) == (kind == "sandbox" and client.uids)
    assert hello["limits"]["stream_bytes"] == 1 << 20
    assert hello["limits"]["memory_mb"] > 0


@pytest.mark.parametrize("op", ["session", "spawn", "tunnel"])
def test_a_reserved_op_is_refused_and_the_driver_goes_on(connect: Connect, op: str) -> None:
    with connect() as client:
        hello = client.greet(features=["uids", "alone"] if client.uids else [])
        reply = client.request({"op": op})
        assert (reply.outcome, reply.error and reply.error.type) == ("malformed", "wire.Refused")
        if hello["limits"].get("trees") != 1:
            assert client.call("echo", arguments={"value": 1}).value == INT_ONE
