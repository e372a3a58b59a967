"""Programs and files: `run`, `put`, `get`, `list`, `delete`, `drop`, in named and anonymous trees, with real processes."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from environments.interface import Sandbox
from judge.bundle_lib import copy_lib
from judge.connection import Answer
from judge.harness.link import Product as Asked
from judge.harness.seen import Seen
from judge.product import Product
from taskpack.wire.frames import Frame
from taskpack.wire.requests import Request
from tests.integration.judge.sandboxes import WithoutUids

pytestmark = pytest.mark.sandbox

PRODUCT = """
import os, socket, sys
def write(path, text):
    with open(path, "w") as file: file.write(text)
def read(path): return open(path).read()
def exists(path): return os.path.lexists(path)
def make_links():
    os.symlink("/etc/passwd", "out"); os.symlink("sub", "inner"); os.mkdir("sub"); os.mkfifo("pipe")
    socket.socket(socket.AF_UNIX).bind("sock"); open("sub/file", "wb").write(b"abc"); os.chmod("sub/file", 0o640)
def deep(levels):
    for _ in range(levels): os.mkdir("d"); os.chdir("d")
def many(count):
    for number in range(count): open(f"f{number}", "w").close()
def stay():
    if os.fork() == 0:
        import time; time.sleep(1000)
def who(): return os.getuid()
def interrupt(): os.kill(os.getpid(), 2); raise RuntimeError("no interrupt came")
def others(): return sorted(os.listdir("/run/trees"))
if __name__ == "__main__": print("module", sys.argv[1:])
"""
SCENARIOS = """
import prod
def do(what, args): return getattr(prod, what)(*args)
"""


class Wire:
    """The broker's product as a link, so that tests speak as suites do."""

    def __init__(self, product: Product) -> None:
        self._product = product

    def exchange(self, request: Request, body: bytes) -> tuple[Frame, int]:
        answer: Answer = self._product.relay(request, body)
        return Frame(header=answer.reply.header(), body=answer.body), answer.reply.id


def lay_out(folder: Path, product: str) -> Path:
    """A workspace with a module `prod`, scenarios that call it, and the library."""
    (folder / "app/src").mkdir(parents=True)
    (folder / "app/src/prod.py").write_text(product)
    (folder / "scenarios").mkdir()
    (folder / "scenarios/F01.py").write_text(SCENARIOS)
    copy_lib(folder / "tests")
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    lay_out(tmp_path, PRODUCT)
    (tmp_path / "app/bin").mkdir()
    tool = tmp_path / "app/bin/tool"
    tool.write_text('#!/bin/sh\ncat; echo "$#:$1:$MARK:$PWD" >&2; exit 3\n')
    tool.chmod(0o755)
    (tmp_path / "app/bin/plain").write_text("no program")
    return tmp_path


def start(sandbox: Sandbox, folder: Path) -> Product:
    return Product(
        sandbox=sandbox,
        workspace=folder / "app",
        lib=folder / "tests/_lib",
        scenarios=folder / "scenarios",
        product_paths=("src", "bin"),
    )


@pytest.fixture
def product(sandbox: Sandbox, folder: Path) -> Iterator[Asked]:
    with start(sandbox, folder) as started:
        yield Asked(Wire(started))


@pytest.fixture(params=["a uid a tree", "a sandbox a tree"])
def either(sandbox: Sandbox, folder: Path, request: pytest.FixtureRequest) -> Iterator[Asked]:
    with start(sandbox if request.param == "a uid a tree" else WithoutUids(sandbox), folder) as started:
        yield Asked(Wire(started))


def do(asked: object, name: str, *args: object) -> Seen:
    return asked.call("do", what=name, args=list(args))  # type: ignore[attr-defined, no-any-return]


def test_a_program_of_the_product_is_found_fed_and_heard(either: Asked) -> None:
    seen = either.run(["tool", "one", "two"], stdin=b"\0\xffin", env={"MARK": "m"})
    assert (seen.outcome, seen.exit, seen.stdout) == ("exited", 3, b"\0\xffin")
    assert seen.stderr.startswith(b"2:one:m:/run/trees/")


def test_a_program_may_open_its_streams_by_their_names(either: Asked) -> None:
    seen = either.run(
        ["sh", "-c", "echo out >/dev/stdout; echo err >/dev/stderr; cat /dev/stdin >/proc/self/fd/1"], stdin=b"in"
    )
    assert (seen.exit, seen.stdout, seen.stderr) == (0, b"out\nin", b"err\n")


def test_a_module_of_the_product_runs_as_a_program(product: Asked) -> None:
    seen = product.run(["python3", "-m", "prod", "a"])
    assert (seen.exit, seen.stdout) == (0, b"module ['a']\n"), seen.stderr


@pytest.mark.parametrize(("argv", "code"), [(["no-such-tool"], 127), (["plain"], 126), (["./gone"], 127)])
def test_a_program_that_cannot_be_started_ends_as_in_a_shell(product: Asked, argv: list[str], code: int) -> None:
    seen = product.run(argv)
    assert (seen.outcome, seen.exit) == ("exited", code)
    assert argv[0].encode() in seen.stderr


@pytest.mark.parametrize(
    ("script", "outcome"),
    [
        ("kill -TERM $$", ("signalled", None, 15)),
        ("exit 0", ("exited", 0, None)),
        ("exec sleep 100", ("timeout", None, None)),
    ],
)
def test_the_end_of_a_program_is_told(product: Asked, script: str, outcome: tuple[str, int | None, int | None]) -> None:
    seen = product.run(["sh", "-c", script], limit_s=2)
    assert (seen.outcome, seen.exit, seen.signal) == outcome


def test_pipes_break_for_a_program_as_they_do_elsewhere(product: Asked) -> None:
    assert product.run(["sh", "-c", "yes | head -1; echo $?"]).stdout == b"y\n0\n"


@pytest.fixture
def deaf() -> Iterator[None]:
    """Signals are ignored and held back where the judge is started, as below `nohup` or in a shell's background."""
    before = {number: signal.signal(number, signal.SIG_IGN) for number in (signal.SIGHUP, signal.SIGINT)}
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1})
    yield
    signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.usefixtures("deaf")
def test_signals_reach_the_product_however_the_judge_was_started(either: Asked) -> None:
    """The fixture comes first: what is started after it inherits what it set."""
    libcs = 1 << 31 | 1 << 32  # signals 32 and 33 are the C library's own: no program can set them
    for kind in ("SigIgn", "SigBlk"):
        assert int(either.run(["grep", kind, "/proc/self/status"]).stdout.split()[1], 16) & ~libcs == 0
    of_python = 1 << (signal.SIGPIPE - 1) | 1 << (signal.SIGXFSZ - 1)
    for fresh in (False, True):
        status = str(either.call("do", what="read", args=["/proc/self/status"], fresh=fresh).value)
        held = dict(line.split(":\t") for line in status.splitlines() if line.startswith(("SigIgn", "SigBlk")))
        assert int(held["SigBlk"], 16) == 0
        assert int(held["SigIgn"], 16) & ~libcs | of_python == of_python
        seen = either.call("do", what="interrupt", args=[], fresh=fresh)
        assert seen.error.builtin == "KeyboardInterrupt"


def test_files_of_a_tree_stay_and_its_processes_do_not(either: Asked) -> None:
    with either.tree() as tree:
        do(tree, "write", "a.txt", "one")
        do(tree, "stay")
        assert do(tree, "read", "a.txt").value == "one"
        counts = [len(tree.run(["sh", "-c", "echo /proc/[0-9]*"]).stdout.split()) for _ in range(2)]
        do(tree, "stay")
        assert [len(tree.run(["sh", "-c", "echo /proc/[0-9]*"]).stdout.split())] == counts[1:] == counts[:1]
        assert do(tree, "who").value == do(tree, "who").value


def test_an_anonymous_tree_ends_with_its_op(either: Asked) -> None:
    do(either, "write", "a.txt", "one")
    assert do(either, "exists", "a.txt").value is False


@pytest.mark.parametrize("place", ["/tmp", "/var/tmp", "/dev/shm"])
def test_shared_places_belong_to_one_tree_at_a_time(product: Asked, place: str) -> None:
    with product.tree() as one, product.tree() as other:
        for path in (f"{place}/file", f"{place}/sub"):
            assert do(one, "exists", path).value is False
        one.run(
            ["sh", "-c", f"echo mine >{place}/file; mkdir -p {place}/sub/x; ln -s /etc {place}/link; chmod 700 {place}"]
        )
        assert do(other, "exists", f"{place}/file").value is False
        assert do(product, "exists", f"{place}/file").value is False
        assert do(one, "read", f"{place}/file").value == "mine\n"
        assert do(one, "exists", f"{place}/sub/x").value is True
        assert do(one, "exists", f"{place}/link").value is True


def test_no_tree_sees_into_another(either: Asked) -> None:
    with either.tree() as one, either.tree() as other:
        do(one, "write", "secret", "x")
        where = one.run(["pwd"]).stdout.decode().strip()
        assert do(other, "read", f"{where}/secret").outcome == "raised"
        seen = do(other, "others")
        assert seen.outcome == "raised" or seen.value == ["only"]


def test_put_list_get_delete(either: Asked) -> None:
    with either.tree() as tree:
        tree.put("in/data.bin", b"\0" * 10_000)
        tree.put("tool.sh", b"#!/bin/sh\necho ran\n", mode=0o755)
        tree.put("empty", None)
        assert tree.run(["./tool.sh"]).stdout == b"ran\n"
        assert [(e["path"], e["kind"], e["mode"], e["size"]) for e in tree.list()] == [
            ("empty", "folder", 0o755, 0),
            ("in", "folder", 0o755, 0),
            ("in/data.bin", "file", 0o644, 10_000),
            ("tool.sh", "file", 0o755, 19),
        ]
        assert tree.get("in/data.bin") == b"\0" * 10_000
        tree.put("in/data.bin", b"new")
        assert tree.get("in/data.bin") == b"new"
        tree.delete("in")
        assert [e["path"] for e in tree.list()] == ["empty", "tool.sh"]
        tree.drop()
        assert tree.list() == ()


def test_links_are_listed_and_never_followed(product: Asked) -> None:
    with product.tree() as tree:
        do(tree, "make_links")
        kinds = {e["path"]: e["kind"] for e in tree.list()}
        assert kinds == {
            "out": "link", "inner": "link", "sub": "folder", "pipe": "fifo", "sock": "socket", "sub/file": "file",
        }  # fmt: skip
        for path, fact in {
            "out": "IsALink",
            "inner/file": "NotAFolder",
            "pipe": "NotAFile",
            "sub": "IsAFolder",
        }.items():
            with pytest.raises(AssertionError, match=f"wire.{fact}"):
                tree.get(path)
        with pytest.raises(AssertionError, match=r"wire\.NotAFolder"):
            tree.put("inner/new", b"x")
        tree.put("out", b"replaced")
        assert tree.get("out") == b"replaced"
        tree.delete("inner")
        assert "sub/file" in {e["path"] for e in tree.list()}
        with pytest.raises(AssertionError, match=r"wire\.NoSuchPath"):
            tree.delete("inner")


@pytest.mark.parametrize("path", ["/etc/passwd", "../up", "a/../../b", "a\0b", "x" * 2000])
def test_paths_stay_in_their_tree(product: Asked, path: str) -> None:
    with product.tree() as tree, pytest.raises(AssertionError, match="malformed"):
        tree.get(path)


def test_what_does_not_fit_a_reply_is_a_limit(product: Asked) -> None:
    with product.tree() as tree:
        do(tree, "deep", 200)
        with pytest.raises(AssertionError, match="limit: depth"):
            tree.list()
        tree.delete("d")
        do(tree, "many", 10_001)
        with pytest.raises(AssertionError, match="limit: entries"):
            tree.list()


def test_a_clock_that_is_not_there_is_refused(product: Asked) -> None:
    seen = product.at(1_577_836_800).run(["date"])
    assert seen.outcome == "malformed"
    assert "no clock" in str(seen.failure)
