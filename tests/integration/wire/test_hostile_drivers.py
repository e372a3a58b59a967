"""One row for each rule of the page that a driver can break: an outcome of the call, the candidate's fault, never ours."""

from __future__ import annotations

import dataclasses
import json
import shutil
import struct
from pathlib import Path
from typing import Any

import pytest

from environments.interface import Launch, Running, Sandbox
from judge.bundle_lib import copy_lib
from judge.harness.seen import read_seen
from judge.judging import judge
from judge.product import Product
from taskpack.errors import SandboxFailed
from taskpack.verdict import Judged
from tests.integration.wire.canned import HELLO, REPLY, Canned, frame, reply

LENGTHS = struct.Struct(">II")
MIB = 1 << 20
GOOD = reply()
ERROR = {"type": "a.B", "bases": [], "builtin": None, "attrs": {}, "message": "no"}
FILE = {"path": "a", "kind": "file", "mode": 0o644, "size": 0}
CHAIN = [{"n": [1, {"t": [None]}]}] + [{"n": [one, {"t": [{"r": one - 1}]}]} for one in range(2, 5000)]


def text(**changes: Any) -> bytes:
    """A header as text, to be spoilt."""
    return json.dumps(REPLY | changes).encode()


FRAMES = {
    "a header of no bytes": LENGTHS.pack(0, 0),
    "a header of one byte": LENGTHS.pack(1, 0) + b"{",
    "a header over its cap": LENGTHS.pack(8 * MIB + 1, 0) + bytes(100),
    "a body over its cap": LENGTHS.pack(2, 64 * MIB + 1) + b"{}",
    "lengths of 4 GiB": b"\xff" * 8,
    "a header that is no UTF-8": frame(text().replace(b"returned", b"return\xff")),
    "a surrogate in UTF-8": frame(text().replace(b"returned", b"\xed\xa0\x80")),
    "an escaped lone surrogate": frame(text(value="\ud800")),
    "a byte order mark": frame(b"\xef\xbb\xbf" + text()),
    "UTF-16": frame(text().decode().encode("utf-16")),
    "no JSON": frame(text()[:-1] + b"]"),
    "two objects": frame(text() + text()),
    "a comma too many": frame(text()[:-1] + b",}"),
    "a comment": frame(b"/**/" + text()),
    "a list": frame([REPLY]),
    "null": frame(b"null"),
    "an empty object": frame({}),
    "a key twice": frame(text()[:-1] + b',"id":1}'),
    "a key twice within a value": frame(text(value=7).replace(b"7", b'{"o":{"type":"a","type":"a"}}')),
    "NaN": frame(text(seconds=7.5).replace(b"7.5", b"NaN")),
    "Infinity": frame(text(seconds=7.5).replace(b"7.5", b"Infinity")),
    "a float beyond floats": frame(text(seconds=7.5).replace(b"7.5", b"1e999")),
    "a number of 41 digits": frame(text(seconds=7.5).replace(b"7.5", b"1" * 41)),
    "101 levels": frame(text(value=7).replace(b"7", b"[" * 100 + b"]" * 100)),
    "a million brackets": frame(text(value=7).replace(b"7", b"[" * 1_000_000)),
    "a million and one nodes": frame(text(value=7).replace(b"7", b"[" + b"1," * 1_000_000 + b"1]")),
    "hello again": frame(HELLO),
    "a request": frame({"id": 1, "op": "call", "name": "f", "args": {}}),
    "a report": frame({"report": {"nodes": []}}),
}
REPLIES = {
    "another id": reply(id=2),
    "id 0": reply(id=0),
    "a negative id": reply(id=-1),
    "an id that is true": reply(id=True),
    "an id that is a text": reply(id="1"),
    "an id that is a float": reply(id=1.0),
    "an id of 31 digits": reply(id=10**30),
    **{f"no {key}": reply(**{key: ...}) for key in REPLY},
    "an unknown key": reply(verdict=1),
    "a key reserved for later": reply(spawned=[]),
    "an unknown outcome": reply(outcome="passed"),
    "an outcome in capitals": reply(outcome="Returned"),
    "an outcome in a list": reply(outcome=["returned"]),
    "returned with an error": reply(error=ERROR),
    "returned with an exit": reply(exit=0),
    "raised without an error": reply(outcome="raised", value=...),
    "raised with a value": reply(outcome="raised", error=ERROR),
    "raised with null": reply(outcome="raised", value=..., error=None),
    "exited without a code": reply(outcome="exited", value=...),
    "exited with a text": reply(outcome="exited", value=..., exit="0"),
    "exited with true": reply(outcome="exited", value=..., exit=True),
    "exited with an error": reply(outcome="exited", value=..., exit=0, error=ERROR),
    "signalled by name": reply(outcome="signalled", value=..., signal="SIGKILL"),
    "signalled and exited": reply(outcome="signalled", value=..., signal=9, exit=1),
    "a limit that is a number": reply(outcome="limit", value=..., limit=1),
    "a timeout with a value": reply(outcome="timeout"),
    "malformed with a value": reply(outcome="malformed"),
    "an error without a key": reply(outcome="raised", value=..., error={"type": "a"}),
    "an error with one more": reply(outcome="raised", value=..., error=ERROR | {"trace": ""}),
    "an error of no name": reply(outcome="raised", value=..., error=ERROR | {"type": None}),
    "an error with attributes that are no values": reply(
        outcome="raised", value=..., error=ERROR | {"attrs": {"a": 1}}
    ),
    "a message that is no text": reply(outcome="raised", value=..., error=ERROR | {"message": {"i": "1"}}),
    "an unknown cut": reply(cut=["value"]),
    "a cut twice": reply(cut=["stdout", "stdout"]),
    "a cut that is a text": reply(cut="stdout"),
    "negative seconds": reply(seconds=-1),
    "seconds that are a text": reply(seconds="1"),
    "files that are none": reply(files={}),
    "a file without a mode": reply(files=[{"path": "a", "kind": "file", "size": 0}]),
    "a file with one more key": reply(files=[FILE | {"owner": 0}]),
    "a file of an unknown kind": reply(files=[FILE | {"kind": "door"}]),
    "a file of negative size": reply(files=[FILE | {"size": -1}]),
    "a file with a mode beyond modes": reply(files=[FILE | {"mode": 0o10000}]),
}
RANGES = {
    "a stream outside the body": reply(stdout=[0, 1]),
    "a stream before the body": reply(b"ab", stdout=[-1, 1]),
    "a stream of negative length": reply(b"ab", stdout=[1, -1]),
    "a stream that is null": reply(stdout=None),
    "a stream of three numbers": reply(b"ab", stdout=[0, 1, 1]),
    "a stream of floats": reply(b"ab", stdout=[0.0, 1]),
    "a stream of true": reply(b"ab", stdout=[True, 1]),
    "streams that overlap": reply(b"ab", stdout=[0, 2], stderr=[1, 1]),
    "a stream over its cap": reply(bytes(MIB + 1), stdout=[0, MIB + 1]),
    "a value outside the body": reply(bytes(5000), value={"b": [1, 5000]}),
    "a value and a stream that overlap": reply(bytes(5000), value={"b": [0, 5000]}, stderr=[4999, 1]),
    "a range that is named twice": reply(bytes(5000), value={"l": [{"b": [0, 5000]}, {"b": [0, 5000]}]}),
    "an offset of 40 digits": reply(bytes(5000), value={"b": [10**39, 5000]}),
}
VALUES: dict[str, Any] = {
    "a bare number": 1,
    "an unknown tag": {"z": None},
    "two tags": {"i": "1", "f": "1.0"},
    "an integer of 4,001 digits": {"i": "1" * 4001},
    "a small integer in hexadecimal": {"x": "0x1f"},
    "a float that is not the shortest": {"f": "0.10"},
    "a float of 10,000 digits": {"f": "0." + "1" * 10_000},
    "a string of 4 KiB and a byte": "x" * 4097,
    "text of no UTF-8": {"S": [0, 5000]},
    "code points of plain text": {"c": [97]},
    "base64 in two lines": {"b": "YQ==\n"},
    "a moment of the wrong kind": {"w": ["era", "2020", None]},
    "a set that is an object": {"s": {}},
    "a pair of three": {"m": [[None, None, None]]},
    "an object without attributes": {"o": {"type": "a", "bases": []}},
    "a number for what is met once": {"n": [1, {"l": []}]},
    "a reference to nothing": {"r": 1},
    "a reference to what comes later": {"l": [{"r": 1}, {"n": [1, {"l": []}]}]},
    "a tuple in itself": {"n": [1, {"t": [{"r": 1}]}]},
    "a chain of 5,000 references": {"l": [*CHAIN, {"r": 4999}]},
}
ROWS: dict[str, bytes] = {
    **FRAMES,
    **REPLIES,
    **RANGES,
    **{name: reply(b"\xff" * 5000, value=value) for name, value in VALUES.items()},
}


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace and a suite's library; no driver of these tests looks at them."""
    folder = tmp_path_factory.mktemp("stage")
    for name in ("app", "scenarios"):
        (folder / name).mkdir()
    copy_lib(folder)
    return folder


def product(sandbox: Canned, stage: Path) -> Product:
    return Product(
        sandbox=sandbox,
        workspace=stage / "app",
        lib=stage / "_lib",
        scenarios=stage / "scenarios",
        product_paths=(".",),
    )


def outcomes(sandbox: Canned, stage: Path, calls: int = 1) -> list[str]:
    """What the calls came to; the bench can read each of them."""
    found = []
    with product(sandbox, stage) as called:
        for _ in range(calls):
            answer = called.call("f", {}, limit_s=0.1)
            assert read_seen(answer.reply, answer.body).outcome == answer.reply.outcome
            found.append(answer.reply.outcome)
    return found


def test_the_reply_that_the_rows_spoil_is_a_good_one(stage: Path, tmp_path: Path) -> None:
    assert outcomes(Canned(tmp_path, [frame(HELLO), GOOD]), stage) == ["returned"]
    body = b"v" * 5000 + b"out" + b"err"
    good = reply(body, value={"b": [0, 5000]}, stdout=[5000, 3], stderr=[5003, 3], files=[FILE])
    assert outcomes(Canned(tmp_path, [frame(HELLO), good]), stage) == ["returned"]


@pytest.mark.parametrize("name", ROWS)
def test_a_reply_that_breaks_a_rule_is_malformed(name: str, stage: Path, tmp_path: Path) -> None:
    assert outcomes(Canned(tmp_path, [frame(HELLO), ROWS[name]]), stage) == ["malformed"]


@pytest.mark.parametrize("length", [1, 7, 8, 9, len(GOOD) - 1])
@pytest.mark.parametrize("then", ["exit", "close"])
def test_a_reply_that_stops_in_the_middle_is_malformed(length: int, then: str, stage: Path, tmp_path: Path) -> None:
    assert outcomes(Canned(tmp_path, [frame(HELLO), GOOD[:length]], then=then), stage) == ["malformed"]


@pytest.mark.parametrize("then", ["exit", "close"])
def test_no_reply_at_all_is_malformed(then: str, stage: Path, tmp_path: Path) -> None:
    assert outcomes(Canned(tmp_path, [frame(HELLO), b""], then=then), stage) == ["malformed"]


@pytest.fixture(autouse=True)
def no_long_goodbye(monkeypatch: pytest.MonkeyPatch) -> None:
    """A driver that closed its side and lives on is not waited for."""
    monkeypatch.setattr("judge.connection._END_S", 0.3)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """The broker waits a moment only past the limit of a call."""
    monkeypatch.setattr("judge.connection._GRACE_S", 0.3)


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("said", [b"", GOOD[:3], GOOD[:20], LENGTHS.pack(8 * MIB, 64 * MIB) + b"{"])
def test_silence_at_any_place_is_a_timeout(said: bytes, stage: Path, tmp_path: Path) -> None:
    assert outcomes(Canned(tmp_path, [frame(HELLO), said]), stage) == ["timeout"]


@pytest.mark.usefixtures("impatient")
def test_a_reply_in_a_slow_trickle_is_a_timeout(stage: Path, tmp_path: Path) -> None:
    """Each byte comes well within the time of a call; the whole reply does not."""
    slow = Canned(tmp_path, [frame(HELLO), GOOD], step=8, pause=0.05)
    assert outcomes(slow, stage) == ["timeout"]


def test_bytes_without_an_end_are_malformed(stage: Path, tmp_path: Path) -> None:
    assert outcomes(Canned(tmp_path, [frame(HELLO), b"\0" * MIB], then="repeat"), stage) == ["malformed"]
    assert outcomes(Canned(tmp_path, [frame(HELLO), b"{}" * MIB], then="repeat"), stage) == ["malformed"]


def test_a_second_reply_that_nobody_asked_for_breaks_the_next_call(stage: Path, tmp_path: Path) -> None:
    assert outcomes(Canned(tmp_path, [frame(HELLO), GOOD + GOOD]), stage, calls=2) == ["returned", "malformed"]
    endless = Canned(tmp_path, [frame(HELLO), GOOD], then="repeat")
    assert outcomes(endless, stage, calls=2) == ["returned", "malformed"]


def test_a_reply_before_its_request_is_malformed(stage: Path, tmp_path: Path) -> None:
    early = Canned(tmp_path, [frame(HELLO), GOOD + reply(id=2)])
    assert outcomes(early, stage, calls=2) == ["returned", "malformed"]


HELLOS = {
    "another protocol": frame(HELLO | {"protocol": 2}),
    "a protocol that is true": frame(HELLO | {"protocol": True}),
    "no protocol": frame({key: value for key, value in HELLO.items() if key != "protocol"}),
    "a side that is none": frame(HELLO | {"side": 1}),
    "a body": frame(HELLO, b"x"),
    "an unknown key": frame(HELLO | {"reward": 1}),
    "features that are none": frame(HELLO | {"features": "call"}),
    "limits that are none": frame(HELLO | {"limits": {"trees": "1"}}),
    "a reply": GOOD,
    "no JSON": frame(b"{{}"),
    "nothing": b"",
    "half of one": frame(HELLO)[:-5],
}


@pytest.mark.parametrize("name", HELLOS)
def test_another_hello_is_no_greeting(name: str, stage: Path, tmp_path: Path) -> None:
    """Whose fault that is, an empty workspace decides: see the verdicts below."""
    with pytest.raises(SandboxFailed, match="did not greet"):
        outcomes(Canned(tmp_path, [HELLOS[name]], then="exit"), stage)


class CannedProduct:
    """A real bench, and a canned driver in the place of the product's: always, or where the workspace holds something."""

    def __init__(self, sandbox: Sandbox, canned: Canned) -> None:
        self._sandbox, self._canned = sandbox, canned
        self.name, self.base, self.python = sandbox.name, sandbox.base, sandbox.python
        self.limits_by = sandbox.limits_by

    def start(self, launch: Launch) -> Running:
        [app] = [mount.source for mount in launch.mounts if mount.dest == "/app"] or [None]
        if app is not None and any(app.iterdir()):
            plain: Any = self._canned.start(launch)
            return plain
        return self._sandbox.start(dataclasses.replace(launch))

    def run(self, launch: Launch, *, stdin: bytes = b"") -> Any:
        return self._sandbox.run(launch, stdin=stdin)


VERDICTS: dict[str, list[bytes]] = {
    "a broken frame": [frame(HELLO), FRAMES["a key twice"]],
    "a chain of references": [frame(HELLO), ROWS["a chain of 5,000 references"]],
    "a value that is heavy": [frame(HELLO), reply(value={"l": [{"m": []}] * 20_000})],
    "another hello": [HELLOS["another protocol"]],
}


@pytest.mark.sandbox
@pytest.mark.parametrize("name", VERDICTS)
def test_a_verdict_over_a_hostile_driver_is_0_and_never_infra(
    name: str, sandbox: Sandbox, bench_site: Path, tmp_path: Path
) -> None:
    tally = Path(__file__).parents[2] / "data" / "judge" / "tally"
    suite, workspace = tmp_path / "final", tmp_path / "workspace"
    shutil.copytree(tally / "suite", suite)
    shutil.copytree(tally / "workspace", workspace)
    copy_lib(suite / "tests")
    hostile: Any = CannedProduct(sandbox, Canned(tmp_path, VERDICTS[name], then="exit"))
    verdict = judge(suite, workspace, sandbox=hostile, bench_site=bench_site, product_site=None, seed="tally")
    assert (verdict.outcome, verdict.reward) == (Judged.JUDGED, 0)
