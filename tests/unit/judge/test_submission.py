"""The way of a workspace from a solver's container to the judge: row by row what `docs/build-contract.md` says."""

from __future__ import annotations

import errno
import io
import os
import shutil
import socket
import stat
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from judge.submission import hand_over, pack_workspace, unpack_workspace
from judge.workspace import Workspace, copy_workspace
from taskpack.errors import BadInput, NoSpace, RepowrightError, SandboxFailed
from taskpack.files import tree_digest


def made(name: str, kind: bytes = tarfile.REGTYPE, link: str = "", text: bytes = b"x") -> tuple[tarfile.TarInfo, bytes]:
    info = tarfile.TarInfo(name)
    info.type, info.linkname, info.mode = kind, link, 0o644
    content = text if kind == tarfile.REGTYPE else b""
    info.size = len(content)
    return info, content


def archive_of(path: Path, *members: tuple[tarfile.TarInfo, bytes]) -> Path:
    """As a harness of somebody else may write it."""
    with tarfile.open(path, "w", format=tarfile.PAX_FORMAT) as tar:
        for info, text in members:
            tar.addfile(info, io.BytesIO(text))
    return path


def names(workspace: Workspace) -> list[str]:
    return sorted(str(path.relative_to(workspace.root)) for path in workspace.root.rglob("*"))


@pytest.fixture
def source(tmp_path: Path) -> Path:
    (tmp_path / "source").mkdir()
    return tmp_path / "source"


def put(source: Path, name: str, text: str = "x", mode: int = 0o644) -> None:
    path = source / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(mode)


SURVIVES: dict[str, Callable[[Path], object]] = {
    "hidden files": lambda source: put(source, ".config/.settings"),
    "an empty folder": lambda source: (source / "data").mkdir(),
    "a link inside": lambda source: (put(source, "a/run"), (source / "a/l").symlink_to("run")),
    "a link to a folder": lambda source: (put(source, "a/run"), (source / "b").symlink_to("a")),
    "a link to nothing": lambda source: (source / "l").symlink_to("later"),
    "a dependency with its programs": lambda source: (
        put(source, "node_modules/left/index.js"),
        put(source, "node_modules/left/cli.js", mode=0o755),
        (source / "node_modules/.bin").mkdir(),
        (source / "node_modules/.bin/left").symlink_to("../left/cli.js"),
    ),
    "build outputs": lambda source: [
        put(source, name) for name in ("target/debug/x", "build/x.o", "dist/x.js", "src/x.so", "x.egg-info/PKG-INFO")
    ],
    "a name with spaces and quotes": lambda source: put(source, "a b/c'd\"e\n;$(f)"),
    "a name that is no text": lambda source: Path(os.fsdecode(os.fsencode(source) + b"/\xff\xfe")).write_text("x"),
    "a long name": lambda source: put(source, "/".join(["n" * 120] * 5)),
    "a name with a leading dash": lambda source: put(source, "-rf"),
    "a large file": lambda source: put(source, "large", "x" * 300_000),
    "bytecode beside its source": lambda source: put(source, "src/x.pyc"),
    "a virtual environment's mark in the root": lambda source: put(source, "pyvenv.cfg"),
}  # fmt: skip


@pytest.mark.parametrize("name", SURVIVES)
def test_it_survives_and_is_judged_as_it_was(name: str, source: Path, tmp_path: Path) -> None:
    SURVIVES[name](source)
    handed = hand_over(source, tmp_path / "handed")
    assert (handed.absent, handed.refusal) == ((), "")
    assert handed.digest == tree_digest(source) == copy_workspace(handed.root, tmp_path / "app").digest


DROPPED: dict[str, tuple[Callable[[Path], object], tuple[str, ...]]] = {
    "a link out": (lambda source: (source / "l").symlink_to("../up"), ("l: a link that leaves the workspace",)),
    "an absolute link": (lambda source: (source / "l").symlink_to("/app/x"), ("l: a link that leaves the workspace",)),
    "a link that may leave": (
        lambda source: (source / "l").symlink_to("a/../b"),
        ("l: a link with .. after a name, which may leave the workspace",),
    ),
    "a pipe": (lambda source: os.mkfifo(source / "p"), ("p: neither file, folder nor link",)),
    "bytecode in its folder": (lambda source: put(source, "src/__pycache__/x.cpython-313.pyc"), ()),
    "history": (lambda source: put(source, ".git/hooks/post-checkout"), (".git: the history of a version control",)),
    "history of a part": (lambda source: put(source, "sub/.git"), ("sub/.git: the history of a version control",)),
    "a virtual environment": (
        lambda source: (put(source, ".venv/pyvenv.cfg"), put(source, ".venv/lib/site-packages/left.py")),
        (".venv: a virtual environment, bound to the place and the interpreter that it was made with",),
    ),
}


@pytest.mark.parametrize("name", DROPPED)
def test_it_stays_behind_and_that_is_told(name: str, source: Path, tmp_path: Path) -> None:
    make, told = DROPPED[name]
    put(source, "kept")
    make(source)
    handed = hand_over(source, tmp_path / "handed")
    assert handed.absent == told
    assert [name for name in names(handed) if name not in {"src", "sub"}] == ["kept"]


def test_a_socket_stays_behind(source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(source)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("s")
        assert hand_over(source, tmp_path / "handed").absent == ("s: neither file, folder nor link",)


@pytest.mark.parametrize(
    ("mode", "kept"), [(0o400, 0o644), (0o644, 0o644), (0o666, 0o644), (0o500, 0o755), (0o4711, 0o755), (0o611, 0o644)]
)
def test_of_modes_the_owners_right_to_run_survives(mode: int, kept: int, source: Path, tmp_path: Path) -> None:
    put(source, "run", mode=mode)
    handed = hand_over(source, tmp_path / "handed")
    assert stat.S_IMODE((handed.root / "run").stat().st_mode) == kept


def test_hard_links_become_files_of_their_own(source: Path, tmp_path: Path) -> None:
    put(source, "one", "text")
    (source / "two").hardlink_to(source / "one")
    handed = hand_over(source, tmp_path / "handed")
    assert (handed.root / "two").read_text() == "text"
    assert (handed.root / "two").stat().st_nlink == 1


def test_times_do_not_survive(source: Path, tmp_path: Path) -> None:
    put(source, "old")
    os.utime(source / "old", (1_000_000_000, 1_000_000_000))
    handed = hand_over(source, tmp_path / "handed")
    assert (handed.root / "old").stat().st_mtime > 1_500_000_000


def test_the_way_there_is_the_same_a_second_time(source: Path, tmp_path: Path) -> None:
    SURVIVES["a dependency with its programs"](source)
    SURVIVES["an empty folder"](source)
    one = hand_over(source, tmp_path / "one")
    two = hand_over(one.root, tmp_path / "two")
    assert one.digest == two.digest


def test_nothing_of_owners_and_times_is_in_the_archive(source: Path, tmp_path: Path) -> None:
    put(source, "a/b", mode=0o600)
    pack_workspace(source, tmp_path / "w.tar")
    with tarfile.open(tmp_path / "w.tar") as tar:
        found = [(info.name, info.mode, info.uid, info.uname, info.mtime) for info in tar]
    assert found == [("a", 0o755, 0, "", 0), ("a/b", 0o644, 0, "", 0)]


FOREIGN: dict[str, tuple[list[tuple[tarfile.TarInfo, bytes]], tuple[str, ...], list[str]]] = {
    "children with ./": ([made("./", tarfile.DIRTYPE), made("./a", tarfile.DIRTYPE), made("./a/b")], (), ["a", "a/b"]),
    "no entries for folders": ([made("a/b")], (), ["a", "a/b"]),
    "a hard link": ([made("a"), made("b", tarfile.LNKTYPE, "a")], (), ["a", "b"]),
    "a hard link to nothing": (
        [made("b", tarfile.LNKTYPE, "/etc/passwd")],
        ("b: it cannot be written (a hard link to no file before it)",),
        [],
    ),
    "an absolute name": ([made("/tmp/x")], ("/tmp/x: a name that leaves the workspace",), []),
    "a name that goes up": ([made("a/../../x")], ("a/../../x: a name that leaves the workspace",), []),
    "a device": ([made("d", tarfile.CHRTYPE)], ("d: neither file, folder nor link",), []),
    "a link out": ([made("l", tarfile.SYMTYPE, "../x")], ("l: a link that leaves the workspace",), []),
    "a file through a link": (
        [made("l", tarfile.SYMTYPE, "a"), made("l/x"), made("a", tarfile.DIRTYPE)],
        ("l: something else has its place",),
        ["a", "l", "l/x"],
    ),
    "a link through a link": (
        [made("a/b", tarfile.DIRTYPE), made("a/b/l", tarfile.SYMTYPE, "../.."), made("a/b/l/z", tarfile.SYMTYPE, "../../x")],
        ("a/b/l/z: it lies behind the link a/b/l",),
        ["a", "a/b", "a/b/l"],
    ),
    "a name twice": ([made("a"), made("a", text=b"other")], ("a: something else has its place",), ["a"]),
    "a file as a folder": ([made("a"), made("a/b")], ("a/b: something else has its place",), ["a"]),
    "a virtual environment": (
        [made("v/lib/x.py"), made("v/pyvenv.cfg"), made("v/bin/python", tarfile.SYMTYPE, "/usr/bin/python3")],
        ("v: a virtual environment, bound to the place and the interpreter that it was made with",),
        [],
    ),
    "history": ([made(".git/config"), made(".git/HEAD")], (".git: the history of a version control",), []),
    "bytecode": ([made("a/__pycache__/x.pyc"), made("a/x.py")], (), ["a", "a/x.py"]),
    "a name that is too long": ([made("n" * 300)], (f"{'n' * 300}: it cannot be written (File name too long)",), []),
}  # fmt: skip


@pytest.mark.parametrize("name", FOREIGN)
def test_an_archive_of_another_harness_is_taken_by_the_same_rules(name: str, tmp_path: Path) -> None:
    members, told, left = FOREIGN[name]
    taken = unpack_workspace(archive_of(tmp_path / "w.tar", *members), tmp_path / "dest")
    assert (taken.absent, names(taken), taken.refusal) == (told, left, "")
    assert {path.name for path in tmp_path.iterdir()} == {"w.tar", "dest"}


@pytest.mark.parametrize("damage", ["cut in a file", "cut between files", "a spoiled header", "empty", "no tar"])
def test_an_archive_that_is_not_whole_is_never_half_judged(damage: str, tmp_path: Path) -> None:
    path = archive_of(tmp_path / "w.tar", made("a", text=b"x" * 600), made("b"), made("c"))
    whole = path.read_bytes()
    path.write_bytes({
        "cut in a file": whole[:700],
        "cut between files": whole[: 3 * 512],
        "a spoiled header": whole[: 3 * 512] + b"?" * 512 + whole[4 * 512 :],
        "empty": b"",
        "no tar": b"PK" * 3000,
    }[damage])  # fmt: skip
    with pytest.raises(BadInput, match=r"w\.tar is no whole archive of a workspace") as caught:
        unpack_workspace(path, tmp_path / "dest")
    assert caught.value.remedy


def header(kind: bytes = tarfile.REGTYPE, size: bytes = b"%011o\0" % 0) -> bytes:
    """One header, with the size as it is written."""
    info = tarfile.TarInfo("a")
    info.type = kind
    block = bytearray(info.tobuf(tarfile.USTAR_FORMAT))
    block[124:136], block[148:156] = size, b" " * 8
    block[148:156] = b"%06o\0 " % sum(block)
    return bytes(block)


def number(value: int) -> bytes:
    """A size as it is written where it does not fit eleven octal digits."""
    return b"\x80" + value.to_bytes(11, "big") if value >= 0 else b"\xff" + (value + (1 << 88)).to_bytes(11, "big")


def said_before(**facts: str) -> bytes:
    """A header that says what the next one means."""
    rows = b"".join(b"%d %s" % (len(row) + 3, row) for row in (f"{key}={facts[key]}\n".encode() for key in facts))
    return header(tarfile.XHDTYPE, b"%011o\0" % len(rows)) + rows.ljust(512, b"\0")


ODD = {
    "a name of 8 GiB": header(tarfile.GNUTYPE_LONGNAME, number(1 << 33)) + b"x" * 512,
    "a name of more bytes than there are numbers": header(tarfile.GNUTYPE_LONGNAME, number(1 << 70)),
    "facts of 4 EiB": header(tarfile.XHDTYPE, number(1 << 62)),
    "facts for all of 4 EiB": header(tarfile.XGLTYPE, number(1 << 62)),
    "a file that leads before the beginning": header(size=number(-1024)) + header(),
    "a size of too many digits": header(tarfile.XHDTYPE, b"%011o\0" % 9000)
    + (b"9" * 8000 + b" a=b\n").ljust(9216, b"\0"),
    "holes that are no numbers": said_before(**{"GNU.sparse.map": "a,b", "GNU.sparse.size": "x"}) + header(),
    "names of names": (header(tarfile.GNUTYPE_LONGNAME, b"%011o\0" % 4) + b"x".ljust(512, b"\0")) * 3000 + header(),
    "facts of facts": said_before(path="q") * 3000 + header(),
}


@pytest.mark.parametrize("name", ODD)
def test_headers_that_break_the_library_are_an_archive_that_is_not_whole(name: str, tmp_path: Path) -> None:
    (tmp_path / "w.tar").write_bytes(ODD[name] + bytes(1024))
    with pytest.raises(BadInput, match=r"w\.tar is no whole archive of a workspace") as caught:
        unpack_workspace(tmp_path / "w.tar", tmp_path / "dest")
    assert all(text.isprintable() for text in caught.value.details.values())


@pytest.mark.parametrize(("cap", "value"), [("_FILES_CAP", 3), ("_BYTES_CAP", 3), ("_DEPTH_CAP", 1), ("_PATH_CAP", 3)])
def test_what_is_beyond_a_bound_is_refused_on_both_ends(
    cap: str, value: int, source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(4):
        put(source, f"aa/{number}")
    pack_workspace(source, tmp_path / "w.tar")
    monkeypatch.setattr(f"judge.workspace.{cap}", value)
    handed = hand_over(source, tmp_path / "handed")
    taken = unpack_workspace(tmp_path / "w.tar", tmp_path / "taken")
    assert handed.refusal == taken.refusal != ""
    assert handed.refusal.startswith("the workspace ")
    assert (names(handed), names(taken)) == ([], [])


def test_hard_links_count_as_what_they_become(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    more = [made(f"b{number}", tarfile.LNKTYPE, "a") for number in range(9)]
    path = archive_of(tmp_path / "w.tar", made("a", text=b"x" * 100), *more)
    monkeypatch.setattr("judge.workspace._BYTES_CAP", 500)
    assert unpack_workspace(path, tmp_path / "dest").refusal == "the workspace has more than 500 bytes"


def test_a_virtual_environment_does_not_use_up_a_bound(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(source, "kept")
    put(source, ".venv/pyvenv.cfg")
    for number in range(9):
        put(source, f".venv/lib/{number}")
    monkeypatch.setattr("judge.workspace._FILES_CAP", 3)
    assert names(hand_over(source, tmp_path / "handed")) == ["kept"]


def test_a_place_that_is_no_folder_is_bad_input(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="is no workspace") as caught:
        hand_over(tmp_path / "nothing", tmp_path / "handed")
    assert caught.value.remedy


@pytest.mark.parametrize("code", [errno.EACCES, errno.EIO, errno.EMFILE, errno.ENOENT, errno.ENOSPC])
@pytest.mark.parametrize("side", ["app", "dest"])
def test_what_cannot_be_read_or_written_stays_behind_unless_the_machine_is_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, side: str, code: int
) -> None:
    """On the way in and on the way out: a file that this machine loses must not look as if the candidate lacked it."""
    app = tmp_path / "app"
    app.mkdir()
    for name in ("bad", "good"):
        (app / name).write_text(name)
    if side == "app":
        real, target = os.open, "os.open"
    else:
        real, target = shutil.copyfileobj, "shutil.copyfileobj"

    def failing(*args: Any, **more: Any) -> object:
        where = str(args[0]) if side == "app" else args[1].name
        if where == str(tmp_path / side / "bad"):
            raise OSError(code, os.strerror(code))
        return real(*args, **more)

    monkeypatch.setattr(target, failing)
    kept = code == errno.EACCES or (side == "dest" and code == errno.ENOENT)
    try:
        handed = hand_over(app, tmp_path / "dest")
    except RepowrightError as error:
        expected = {errno.ENOSPC: NoSpace, errno.ENOENT: BadInput}.get(code, SandboxFailed)
        assert type(error) is expected and not kept  # noqa: PT017, PT018 (some codes raise)
        return
    finally:
        monkeypatch.undo()
    assert kept
    assert [fact.partition(":")[0] for fact in handed.absent] == ["bad"]
