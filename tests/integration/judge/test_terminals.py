"""Programs on a terminal: what they see of it, who types and when, keys that are signals, and its certain end."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from environments.interface import Sandbox
from judge.harness.link import Product as Asked
from tests.integration.judge.sandboxes import WithoutUids
from tests.integration.judge.test_trees import Wire, lay_out, start

pytestmark = pytest.mark.sandbox

SIZE = (31, 97)
PYTHON = "/usr/bin/python3"


@pytest.fixture(params=["a uid a tree", "a sandbox a tree"])
def asked(sandbox: Sandbox, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Asked]:
    lay_out(tmp_path, "")
    (tmp_path / "app/bin").mkdir()
    with start(sandbox if request.param == "a uid a tree" else WithoutUids(sandbox), tmp_path) as started:
        assert "terminal" in started.features
        yield Asked(Wire(started))


def python(asked: Asked, code: str, stdin: bytes = b"", *, controlling: bool = True, limit_s: float = 20) -> bytes:
    """What the program printed; it must come to its end with 0."""
    seen = asked.run([PYTHON, "-c", code], stdin=stdin, terminal=SIZE, controlling=controlling, limit_s=limit_s)
    assert (seen.outcome, seen.exit, seen.stderr) == ("exited", 0, b""), seen
    return seen.stdout


def test_all_streams_are_the_terminal_and_it_has_its_size(asked: Asked) -> None:
    code = "import os; print([os.isatty(n) for n in range(3)], os.get_terminal_size(), os.environ['TERM'])"
    assert python(asked, code) == b"[True, True, True] os.terminal_size(columns=97, lines=31) xterm\r\n"
    seen = asked.run([PYTHON, "-c", "import os; print([os.isatty(n) for n in range(3)])"])
    assert seen.stdout == b"[False, False, False]\n"


def test_it_can_be_opened_by_name_and_controls_where_it_is_asked_to(asked: Asked) -> None:
    code = (
        "import os\n"
        "os.write(os.open(os.ttyname(0), os.O_RDWR | os.O_NOCTTY), b'by name\\n')\n"
        "try: os.write(os.open('/dev/tty', os.O_RDWR), b'controlling\\n')\n"
        "except OSError: print('of nobody')"
    )
    assert python(asked, code) == b"by name\r\ncontrolling\r\n"
    assert python(asked, code, controlling=False) == b"by name\r\nof nobody\r\n"


def test_lines_are_typed_when_the_program_waits_and_then_the_end(asked: Asked) -> None:
    code = "import sys\nprint('hello', input('name? '))\nwhile line := sys.stdin.readline(): print(repr(line))"
    seen = python(asked, code, b"ann\nbob\nlast")
    # No line's end was typed after the last one.
    assert seen == b"name? ann\r\nhello ann\r\nbob\r\n'bob\\n'\r\nlast'last'\r\n"


def test_a_password_is_typed_after_it_was_asked_for_and_not_shown(asked: Asked) -> None:
    code = "import getpass; name = input('name: '); print([name, getpass.getpass('word: '), input('pin: ')])"
    seen = python(asked, code, b"ann\nsecret\n123\n")
    assert seen == b"name: ann\r\nword: \r\npin: 123\r\n['ann', 'secret', '123']\r\n"


def test_a_program_that_reads_keys_gets_them_as_they_are(asked: Asked) -> None:
    code = (
        "import os, tty\n"
        "tty.setraw(0)\n"
        "found = b''\n"
        "while not found.endswith(b'q'): found += os.read(0, 1)\n"
        "os.write(1, repr(found).encode())"
    )
    assert python(asked, code, b"\x1b[A\x03\nq") == repr(b"\x1b[A\x03\nq").encode()


@pytest.mark.parametrize(("key", "number"), [(b"\x03", signal.SIGINT), (b"\x1c", signal.SIGQUIT)])
def test_keys_are_signals_where_the_terminal_controls(asked: Asked, key: bytes, number: int) -> None:
    seen = asked.run(["cat"], stdin=b"a\n" + key, terminal=SIZE, limit_s=20)
    assert (seen.outcome, seen.signal) == ("signalled", number)
    seen = asked.run(["cat"], stdin=b"a\n" + key + b"\n", terminal=SIZE, controlling=False, limit_s=20)
    assert (seen.outcome, seen.exit) == ("exited", 0)


def test_long_input_goes_in_and_long_output_is_cut(asked: Asked) -> None:
    code = "import sys; print(sum(len(line) for line in sys.stdin))"
    lines = b"".join(b"%060d\n" % number for number in range(40))
    assert (
        python(
            asked,
            "import os, termios\n"
            "modes = termios.tcgetattr(0); modes[3] &= ~termios.ECHO; termios.tcsetattr(0, termios.TCSANOW, modes)\n"
            + code,
            lines,
        )
        == b"2440\r\n"
    )
    seen = asked.run([PYTHON, "-c", "print('x' * 2**21)"], terminal=SIZE)
    assert (seen.outcome, len(seen.stdout), seen.cut) == ("exited", 2**20, ("stdout",))


def test_a_program_that_never_reads_ends_by_itself_or_at_its_limit(asked: Asked) -> None:
    seen = asked.run(["true"], stdin=b"a\nb\n", terminal=SIZE)
    assert (seen.outcome, seen.exit) == ("exited", 0)
    assert asked.run(["sleep", "60"], stdin=b"a\n" * 3, terminal=SIZE, limit_s=1).outcome == "timeout"


def test_a_program_that_makes_another_thing_of_its_terminal_harms_nobody(asked: Asked) -> None:
    code = (
        "import fcntl, struct, sys, termios, time\n"
        "for kind in range(1, 31):\n"
        "    try: fcntl.ioctl(0, termios.TIOCSETD, struct.pack('i', kind))\n"
        "    except OSError: pass\n"
        "termios.tcflow(0, termios.TCOOFF) if sys.argv[1] == 'stopped' else None\n"
        "time.sleep(0.5)"
    )
    for way in ("other", "stopped"):
        seen = asked.run([PYTHON, "-c", code, way], stdin=b"a\nb\n", terminal=SIZE, limit_s=20)
        assert seen.outcome == "exited", seen
        assert python(asked, "print('again')") == b"again\r\n"


def test_what_stays_with_the_terminal_ends_with_the_op_and_the_terminal_with_it(asked: Asked) -> None:
    code = (
        "import os, signal, time\n"
        "signal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
        "if os.fork() == 0: os.setsid(); time.sleep(600)\n"
        "print(sorted(os.listdir('/dev/pts')))"
    )
    assert python(asked, code) == b"['0', 'ptmx']\r\n"
    assert asked.run(["ls", "/dev/pts"]).stdout == b"ptmx\n"
    assert python(asked, "print('again')") == b"again\r\n"


def test_an_op_with_a_uid_of_its_own_makes_no_terminals(sandbox: Sandbox, tmp_path: Path) -> None:
    """Their number is bounded for the machine: whoever has all of them keeps others from their one."""
    lay_out(tmp_path, "")
    with start(sandbox, tmp_path) as started:
        if "uids" not in started.features:
            pytest.skip("a plain user has no range of uids")
        asked = Asked(Wire(started))
        code = "import os\ntry: os.openpty()\nexcept OSError as error: print(error.strerror)"
        assert python(asked, code) == b"out of pty devices\r\n" or python(asked, code) == b"Permission denied\r\n"
        assert python(asked, "print('on one')") == b"on one\r\n"
