"""The command on a real terminal, a pseudo one: a board while it works, and nothing to put right however it ends."""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

SMALL = Path(__file__).parents[2] / "integration" / "flows" / "small.py"
HIDE = b"\x1b[?25l"
SHOW = b"\x1b[?25h"
ALTERNATE = b"\x1b[?1049h"


@dataclass(kw_only=True)
class Terminal:
    """A process with a pseudo terminal for its stderr and stdin."""

    process: subprocess.Popen[bytes]
    master: int
    before: list[object]
    seen: bytes = b""
    out: Path = field(default_factory=Path)

    def read_until(self, text: bytes, seconds: float = 60) -> None:
        end = time.monotonic() + seconds
        while text not in self.seen and time.monotonic() < end:
            self._read(0.2)
        assert text in self.seen, self.seen

    def finish(self) -> int:
        code = self.process.wait(timeout=60)
        while self._read(0.2):
            pass
        return code

    def _read(self, seconds: float) -> bool:
        if not select.select([self.master], [], [], seconds)[0]:
            return False
        try:
            data = os.read(self.master, 65536)
        except OSError:  # nobody holds the other side any more
            return False
        self.seen += data
        return bool(data)

    @property
    def cursor_is_shown(self) -> bool:
        return self.seen.rfind(SHOW) >= self.seen.rfind(HIDE)


@pytest.fixture
def start(tmp_path: Path, checkout: Path) -> Iterator[object]:
    folder = tmp_path / "cases" / "case001"
    folder.mkdir(parents=True)
    (folder / "order.toml").write_bytes((checkout / "cases/case001/order.toml").read_bytes())
    started: list[Terminal] = []

    def begin(**environment: str) -> Terminal:
        master, slave = pty.openpty()
        kept = {name: value for name, value in os.environ.items() if name not in {"CI", "NO_COLOR", "PREFECT_API_URL"}}
        # Where the tests were started in a shell's background, Ctrl-C is ignored, and a child would inherit that.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        out = tmp_path / "out"
        with out.open("wb") as file:
            process = subprocess.Popen(
                [sys.executable, str(SMALL), "author", "case001", "--plain", "--cases", str(tmp_path / "cases"),
                 "--work", str(tmp_path / "work")],
                cwd=checkout, stdin=slave, stderr=slave, stdout=file, start_new_session=True,
                env={**kept, "PYTHONPATH": str(checkout), "TERM": "xterm", "SMALL_CALLS": str(tmp_path / "calls"),
                     **environment},
            )  # fmt: skip
        before = termios.tcgetattr(slave)
        os.close(slave)
        started.append(Terminal(process=process, master=master, before=before, out=out))
        return started[-1]

    yield begin
    for terminal in started:
        terminal.process.kill()
        terminal.process.wait()
        os.close(terminal.master)


def test_a_run_draws_its_stages_and_takes_the_board_away_at_the_end(start) -> None:  # type: ignore[no-untyped-def]
    terminal = start(SMALL_SECONDS="0.3")
    terminal.read_until(b"running")
    assert b"running" in terminal.seen
    assert terminal.finish() == 0
    assert b"\x1b[1A" in terminal.seen
    assert ALTERNATE not in terminal.seen
    assert terminal.cursor_is_shown
    assert "case001: release is done" in terminal.out.read_text()


@pytest.mark.parametrize(
    ("sent", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGKILL, -9)], ids=str
)
def test_a_run_that_is_stopped_leaves_the_terminal_as_it_was(start, sent: signal.Signals, code: int) -> None:  # type: ignore[no-untyped-def]
    terminal = start(SMALL_STOP="names:slow")
    terminal.read_until(b"part 3 of names")
    terminal.process.send_signal(sent)
    assert terminal.finish() == code
    assert terminal.cursor_is_shown
    assert ALTERNATE not in terminal.seen
    assert termios.tcgetattr(terminal.master) == terminal.before
    if sent is signal.SIGINT:
        last = terminal.seen.partition(SHOW)[2].replace(SHOW, b"").decode().splitlines()[-2:]
        assert last == ["error: stopped", "  try  run the same command again: finished stages are kept"]


@pytest.mark.parametrize("variable", [("TERM", "dumb"), ("NO_COLOR", "1"), ("CI", "true")], ids=lambda pair: pair[0])
def test_plain_lines_on_a_terminal_that_wants_them(start, variable: tuple[str, str]) -> None:  # type: ignore[no-untyped-def]
    terminal = start(**dict([variable]))
    assert terminal.finish() == 0
    assert b"\x1b" not in terminal.seen
    assert b"9/9 release: done" in terminal.seen
