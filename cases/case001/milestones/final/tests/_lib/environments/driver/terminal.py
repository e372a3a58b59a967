"""A terminal of an op: what a program prints on it comes out as `stdout`, and somebody types when it waits."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import functools
import os
import re
import struct
import termios
from dataclasses import dataclass
from pathlib import Path

from taskpack.wire.frames import Json

LOOK_S = 0.01
"""Between two looks at who waits."""
_ENDS = 100
"""How often the end of input is typed to a program that goes on waiting: one that hands over the end of a line, and one
that is read, are gone."""
_WAITS = re.compile(rb"^(?:State|voluntary_ctxt_switches):.*$", re.MULTILINE)


@dataclass(frozen=True, kw_only=True)
class _Look:
    """Processes of a session: each with its state and how often it has waited so far."""

    waits: tuple[tuple[str, bytes], ...]

    @property
    def asleep(self) -> bool:
        return bool(self.waits) and all(b":\tS" in said or b":\tZ" in said for _, said in self.waits)


class Terminal:
    """Both ends of a terminal. `printed` is ours and never blocks; `program` is what the op gets."""

    def __init__(self, wanted: dict[str, Json], stdin: bytes, *, uid: int | None) -> None:
        """`wanted` is a request's `terminal`, which was checked."""
        self.printed, self.program = os.openpty()
        fcntl.ioctl(self.program, termios.TIOCSWINSZ, struct.pack("HHHH", wanted["rows"], wanted["cols"], 0, 0))
        if uid is not None:
            os.fchown(self.program, uid, uid)  # so that the program may open it by its name
        os.set_blocking(self.printed, False)
        lines = stdin.split(b"\n")
        self._keys = [line + b"\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])
        self._ends = _ENDS
        self._before: _Look | None = None

    @property
    def is_typed(self) -> bool:
        """Whether nothing is left to type."""
        return not self._keys and not self._ends

    def attend(self, session: int) -> None:
        """Type the next line if the session has read the last one and has been asleep since the look before.

        A program that asks for a password throws away what was typed before it asked, and echoes nothing after.
        """
        look = _look(session)
        waits = look.asleep and look == self._before
        self._before = look
        if not waits:
            return
        with contextlib.suppress(OSError, termios.error):  # what kind of terminal it is by now, the program decides
            if not self._unread():
                self._before = None
                self._type_next()

    def _type_next(self) -> None:
        if self._keys:
            self._keys[0] = self._keys[0][self._type(self._keys[0]) :]
            self._keys = self._keys if self._keys[0] else self._keys[1:]
            return
        end = self._end_character()
        self._ends = self._ends - 1 if end else 0
        self._type(end)

    def let_go(self) -> None:
        """Give up the program's end: with its last holder the output ends."""
        os.close(self.program)

    def _type(self, keys: bytes) -> int:
        try:
            return os.write(self.printed, keys)
        except BlockingIOError:
            return 0

    def _unread(self) -> bool:
        """Whether something typed waits for its reader."""
        return bool(struct.unpack("i", fcntl.ioctl(self.program, termios.FIONREAD, b"\0" * 4))[0])

    def _end_character(self) -> bytes:
        """What means the end of input; nothing where the program reads keys one by one."""
        modes = termios.tcgetattr(self.program)
        letter = modes[6][termios.VEOF]
        return letter if modes[3] & termios.ICANON and isinstance(letter, bytes) else b""


@functools.cache
def has_terminals() -> bool:
    """Whether a terminal can be made here."""
    try:
        for end in os.openpty():
            os.close(end)
    except OSError:
        return False
    return True


def keep_to_ourselves() -> None:
    """Let nobody but uid 0 make a terminal. Their number is bounded for the whole machine, so an op that takes all of
    them would keep the driver of another sandbox from giving one to its op."""
    with contextlib.suppress(OSError):
        Path("/dev/pts/ptmx").chmod(0o600)


def read_printed(number: int, size: int) -> bytes:
    """As `os.read`: a terminal that nobody holds any more says so with an error of its own."""
    try:
        return os.read(number, size)
    except OSError as error:
        if error.errno != errno.EIO:
            raise
        return b""


def take_as_controlling() -> None:
    """Make standard input the terminal that signals come from. Called by the leader of a session without one."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def _look(session: int) -> _Look:
    waits = []
    for place in Path("/proc").iterdir():
        if not place.name.isdigit():
            continue
        try:
            fields = (place / "stat").read_bytes().rpartition(b")")[2].split()
            if int(fields[3]) == session:
                said = b" ".join(_WAITS.findall((place / "status").read_bytes()))
                waits.append((place.name, said))
        except OSError:
            continue
    return _Look(waits=tuple(sorted(waits)))
