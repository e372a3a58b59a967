"""Drivers that send bytes laid down beforehand, whatever they are asked."""

from __future__ import annotations

import json
import struct
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from environments.interface import Launch
from tests.integration.judge.sandboxes import PlainProcess, PlainSandbox

HELLO: dict[str, Any] = {
    "protocol": 1,
    "side": "product",
    "pack": "canned/1",
    "language": "python",
    "features": ["call"],
    "limits": {},
}
REPLY: dict[str, Any] = {
    "id": 1,
    "outcome": "returned",
    "value": None,
    "stdout": [0, 0],
    "stderr": [0, 0],
    "cut": [],
    "seconds": 0.0,
    "files": [],
}
_PROGRAM = """
import os, struct, sys, time

def read(count):
    data = b""
    while len(data) < count:
        part = os.read(0, count - len(data))
        if not part:
            sys.exit()
        data += part
    return data

def heard():
    read(sum(struct.unpack(">II", read(8))))

def say(data, step, pause):
    for start in range(0, len(data), step):
        view = data[start : start + step]
        while view:
            view = view[os.write(1, view):]
        time.sleep(pause)

then, step, pause, *said = sys.argv[1:]
for path in said:
    heard()
    with open(path, "rb") as file:
        say(file.read(), int(step), float(pause))
while then == "repeat":
    with open(said[-1], "rb") as file:
        say(file.read(), int(step), float(pause))
if then == "close":
    os.close(1)
if then != "exit":
    time.sleep(60)
"""


def frame(header: Any, body: bytes = b"") -> bytes:
    """A frame whose header is an object, or raw bytes that are none."""
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack(">II", len(text), len(body)) + text + body


def reply(body: bytes = b"", **changes: Any) -> bytes:
    """A proper reply to request 1 but for the changes; a change to `...` takes the key away."""
    header = {key: value for key, value in (REPLY | changes).items() if value is not ...}
    return frame(header, body)


class Canned(PlainSandbox):
    """Answers the n-th frame that it is sent with the n-th of `said`, then hangs, exits, closes or repeats the last."""

    def __init__(
        self, folder: Path, said: Sequence[bytes], *, then: str = "hang", step: int = 1 << 20, pause: float = 0.0
    ) -> None:
        super().__init__(folder)
        self._arguments = [then, str(step), str(pause)]
        for number, content in enumerate(said):
            path = folder / f"said-{number}"
            path.write_bytes(content)
            self._arguments.append(str(path))

    def start(self, launch: Launch) -> PlainProcess:
        self.started += 1
        return PlainProcess([sys.executable, "-I", "-S", "-c", _PROGRAM, *self._arguments], str(self._folder))
