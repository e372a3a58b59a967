"""Spoilt frames: they are refused or read, as a second reading of the page says, and what is read means the same again."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from taskpack.wire.frames import Frame, Malformed, pack, parse_header
from taskpack.wire.messages import Hello, Reply, read_hello, read_reply
from taskpack.wire.pipes import unpack
from taskpack.wire.requests import Request, read_request
from tests.unit.wire.page import Spelling, spellings
from tests.wire_client.client import reply_of
from tests.wire_client.frames import BadFrame, parse, read

quick = settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
ERROR = {"type": "a.B", "bases": ["c"], "builtin": None, "attrs": {"a": {"i": "1"}}, "message": "no"}
FILE = {"path": "a", "kind": "file", "mode": 420, "size": 7}
VALUE = {
    "l": [
        {"m": [["k", {"i": "12"}]]},
        {"f": "-0.5"},
        {"n": [1, {"t": [{"w": ["date", "2020-01-02", None]}]}]},
        {"r": 1},
    ]
}
REPLY = Reply(
    id=1, outcome="returned", value=VALUE, stdout=(0, 3), stderr=(3, 2), cut=("stdout",), files=(FILE,)
).header()
SEEDS: list[tuple[dict[str, Any], bytes]] = [
    (REPLY, b"outer"),
    (
        Reply(
            id=1, outcome="returned", value={"o": {"type": "a", "bases": [], "attrs": {"x": {"b": [0, 5000]}}}}
        ).header(),
        bytes(5000),
    ),
    (Reply(id=1, outcome="raised", error=ERROR).header(), b""),
    (Reply(id=1, outcome="exited", exit=3).header(), b""),
    (Reply(id=1, outcome="limit", limit="value").header(), b""),
    (Hello(side="product", pack="a", language="b", features=("call",), limits={"trees": 1}).header(), b""),
    (Request(id=1, op="call", seed=3, own={"name": "f", "args": {"a": VALUE}, "fresh": True}).header(), b""),
    (
        Request(id=1, op="run", tree="t", own={"argv": ["a"], "stdin": [0, 2], "env": {"A": "b"}, "cwd": "c"}).header(),
        b"in",
    ),
    (Request(id=1, op="put", own={"paths": ["a/b"], "mode": 420, "content": [0, 2]}).header(), b"in"),
    (Request(id=1, op="list", own={}).header() | {"now": {"epoch": 1.5, "running": True}}, b""),
]
TOKENS = [b'"', b"\\", b"\\u", b"\\ud800", b"{", b"}", b"[", b"]", b",", b":", b"0", b"-", b"1e999", b"NaN", b"1" * 41]
TOKENS += [b"null", b"true", b"\xff", b"\xed\xa0\x80", b"\x00", b"\n", b'{"r":1}', b'{"n":[1,{"l":[]}]}', b"[" * 101]
TOKENS += [b'"id":1,', b"0.5", b"1E5", b"-0", b'{"i":"1"}', b'""', b"\\u0041", b"[0,1]", b"[[]]" * 50]


def spoil(data: bytes, others: list[bytes], chance: random.Random) -> bytes:
    """A few changes to the bytes of a frame; mostly its lengths are set right again, so that what is inside is read."""
    header_length = int.from_bytes(data[:4], "big")
    header, body = bytearray(data[8 : 8 + header_length]), bytearray(data[8 + header_length :])
    for _ in range(chance.choice((1, 1, 1, 2, 5))):
        part = header if header and (chance.random() < 0.9 or not body) else body
        place = chance.randrange(len(part) + 1)
        length = chance.choice((0, 1, 1, 2, 4, 9))
        kind = chance.randrange(4)
        if kind == 0 and place < len(part):
            part[place] ^= 1 << chance.randrange(8)
        elif kind == 1:
            part[place : place + length] = chance.choice(TOKENS)
        elif kind == 2:
            del part[place : place + length]
        else:
            other = chance.choice(others)
            start = chance.randrange(len(other))
            part[place : place + length] = other[start : start + chance.randrange(12)]
    lengths = [len(header), len(body)]
    if chance.random() < 0.05:
        lengths[chance.randrange(2)] = chance.choice((0, 1, len(header) - 1, len(header) + 1, 1 << 31, 0xFFFFFFFF)) % (
            1 << 32
        )
    return b"".join(length.to_bytes(4, "big") for length in lengths) + bytes(header) + bytes(body)


def second_reading(data: bytes) -> Any:
    """The frame as the other client reads it. Raises `BadFrame`."""
    rest = memoryview(data)

    def exactly(count: int) -> bytes:
        nonlocal rest
        if count > len(rest):
            raise BadFrame("it stops in the middle")
        found, rest = bytes(rest[:count]), rest[count:]
        return found

    frame = read(exactly)
    if rest:
        raise BadFrame("something follows it")
    return frame


def outcome_of(action: Callable[[], Any]) -> Any:
    """What came of it; None when it was refused. Nothing else may be raised."""
    try:
        return action()
    except (Malformed, BadFrame):
        return None


READERS: tuple[Callable[[Frame], Any], ...] = (read_hello, read_request, lambda frame: read_reply(frame, 1))


def read_as(reader: Callable[[Frame], Any], frame: Frame) -> Any:
    """The message, or None."""
    return outcome_of(lambda: reader(frame))


def check(data: bytes) -> bool:
    """Read bytes as a frame and as every message. Whether they are a frame."""
    frame = outcome_of(lambda: unpack(data))
    other = outcome_of(lambda: second_reading(data))
    assert (frame is None) == (other is None)
    if frame is None:
        return False
    assert (frame.header, frame.body) == (other.header, other.body)
    assert unpack(pack(frame)) == frame
    for reader in READERS:
        message = read_as(reader, frame)
        if message is not None:
            again = reader(unpack(pack(Frame(header=message.header(), body=frame.body))))
            assert again == message
    assert (outcome_of(lambda: read_reply(frame, 1)) is None) == (outcome_of(lambda: reply_of(other, 1)) is None)
    return True


def run(count: int, seed: int) -> None:
    """Check so many spoilt frames; what is still a frame is spoilt again. Fails with the bytes that show it."""
    chance = random.Random(seed)
    pool = [pack(Frame(header=header, body=body)) for header, body in SEEDS]
    frames = 0
    for _ in range(count):
        data = spoil(chance.choice(pool), pool, chance)
        try:
            still = check(data)
        except BaseException:
            print(f"with seed {seed}: {data!r}")  # noqa: T201
            raise
        frames += still
        if still and len(data) < 20_000:
            pool[len(SEEDS) :] = [*pool[len(SEEDS) :], data][-100:]
    assert frames > count // 20  # else the lengths or the JSON alone would have been tried


def test_the_seeds_are_messages_themselves() -> None:
    for header, body in SEEDS:
        frame = unpack(pack(Frame(header=header, body=body)))
        assert any(read_as(reader, frame) is not None for reader in READERS)


def test_spoilt_frames_are_refused_or_mean_the_same_again() -> None:
    run(4000, seed=1)


@pytest.mark.full
@pytest.mark.parametrize("seed", range(2, 12))
def test_many_spoilt_frames_are_refused_or_mean_the_same_again(seed: int) -> None:
    run(30_000, seed)


@settings(max_examples=500, deadline=None)
@given(st.binary(max_size=80) | st.lists(st.sampled_from(TOKENS), max_size=12).map(b"".join))
def test_two_readings_of_a_header_agree(data: bytes) -> None:
    for text in (data, b'{"a":' + data + b"}", b'{"' + data + b'":1}'):
        one, other = outcome_of(lambda text=text: parse_header(text)), outcome_of(lambda text=text: parse(text))
        assert one == other


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-2, 2**40)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)


def places(value: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to every part of a JSON value."""
    yield way
    parts: Any = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in parts:
        yield from places(part, (*way, key))


def put(value: Any, way: tuple[Any, ...], new: Any) -> Any:
    """The JSON value with one part replaced; a new `...` takes it away."""
    if not way:
        return new
    copied = dict(value) if isinstance(value, dict) else list(value)
    inner = put(value[way[0]], way[1:], new)
    if inner is ...:
        del copied[way[0]]
    else:
        copied[way[0]] = inner
    return copied


@quick
@given(st.data())
def test_two_readings_of_a_changed_reply_agree(data: st.DataObject) -> None:
    header, body = data.draw(st.sampled_from(SEEDS[:5]))
    for _ in range(data.draw(st.integers(1, 2))):
        way = data.draw(st.sampled_from([way for way in places(header) if way]))
        header = put(
            header, way, data.draw(st.just(...) | JSON | st.sampled_from([["stderr"], [0, 0], [1, 4], {"i": "1"}]))
        )
    check(pack(Frame(header=header, body=body)))


@quick
@given(spellings())
def test_two_readings_agree_that_a_value_of_the_page_is_one(one: Spelling) -> None:
    header = Reply(id=1, outcome="returned", value=one.wire).header()
    frame = Frame(header=header, body=one.body)
    assert read_reply(frame, 1)
    assert reply_of(second_reading(pack(frame)), 1)


MIB_8 = 8 * 1024 * 1024
HEAVY = {
    "brackets": '"[" * N',
    "empty lists": '"{\\"a\\":[" + "[]," * (N // 3 - 9) + "[]]}"',
    "empty objects": '"{\\"a\\":[" + "{}," * (N // 3 - 9) + "{}]}"',
    "ones": '"{\\"a\\":[" + "1," * (N // 2 - 9) + "1]}"',
    "a million ones": '"{\\"a\\":[" + "1," * 999_990 + "1]}"',
    "a million short lists": '"{\\"a\\":[" + "[1]," * 490_000 + "[1]]}"',
    "quotes": '"{\\"a\\":[" + "\\"\\"," * (N // 3 - 9) + "1]}"',
    "backslashes": '"{\\"" + "\\\\" * (N - 2)',
    "escapes": '"{\\"a\\":\\"" + "\\\\u0041" * (N // 6 - 9) + "\\"}"',
    "one string": '"{\\"a\\":\\"" + "x" * (N - 20) + "\\"}"',
    "digits": '"{\\"a\\":" + "1" * (N - 20) + "}"',
    "colons": '"{\\"a\\":" + ":" * (N - 20) + "}"',
    "keys": '"{" + ",".join(f"\\"{n}\\":1" for n in range(600_000)) + "}"',
    "spaces": '"{" + " " * (N - 2) + "}"',
}
BOUNDED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30)); resource.setrlimit(resource.RLIMIT_CPU, (30, 30))
from taskpack.wire.frames import Malformed, parse_header
N = 8 * 1024 * 1024
try: parse_header(({text}).encode()); print("read")
except Malformed: print("refused")
"""


@pytest.mark.full
@pytest.mark.parametrize("name", HEAVY)
def test_no_header_takes_more_than_1_gib_or_30_s(name: str) -> None:
    program = BOUNDED.format(text=HEAVY[name])
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.stdout.strip() in {"read", "refused"}, done.stderr[-500:]
