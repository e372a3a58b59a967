"""A candidate's workspace is copied, and what is digested is what is judged."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from judge.workspace import copy_folder, copy_workspace
from taskpack.errors import BadInput, RepowrightError


def test_links_that_leave_and_specials_are_left_out_and_told(tmp_path: Path) -> None:
    source = tmp_path / "source"
    (source / "a/__pycache__").mkdir(parents=True)
    (source / "a/run").write_text("x")
    (source / "a/run").chmod(0o700)
    (source / "a/data").write_text("y")
    (source / "a/__pycache__/run.pyc").write_text("z")
    (source / "good").symlink_to("a/run")
    (source / "a/good").symlink_to("../a/data")
    (source / "absolute").symlink_to("/etc/passwd")
    (source / "a/up").symlink_to("../../outside")
    os.mkfifo(source / "pipe")
    copied = copy_workspace(source, tmp_path / "dest")
    assert copied.absent == (
        "a/up: a link that leaves the workspace",
        "absolute: a link that leaves the workspace",
        "pipe: neither file, folder nor link",
    )
    found = sorted(str(path.relative_to(copied.root)) for path in copied.root.rglob("*"))
    assert found == ["a", "a/data", "a/good", "a/run", "good"]
    assert (copied.root / "a/run").stat().st_mode & 0o777 == 0o755
    assert (copied.root / "a/data").stat().st_mode & 0o777 == 0o644


def test_links_that_leave_through_another_link_are_left_out(tmp_path: Path) -> None:
    source = tmp_path / "source"
    (source / "a/b").mkdir(parents=True)
    (source / "top").mkdir()
    (source / "a/b/higher").symlink_to("../../top")
    (source / "a/out").symlink_to("b/higher/../../etc")  # a/etc by its text, beside the workspace in truth
    copied = copy_workspace(source, tmp_path / "dest")
    assert copied.absent == ("a/out: a link with .. after a name, which may leave the workspace",)
    links = [path for path in copied.root.rglob("*") if path.is_symlink()]
    assert [path.resolve().is_relative_to(copied.root) for path in links] == [True]


def test_a_link_in_the_place_of_a_folder_is_not_walked(tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/secret").write_text("s")
    (tmp_path / "source").mkdir()
    (tmp_path / "source/folder").symlink_to(tmp_path / "outside")
    copied = copy_workspace(tmp_path / "source", tmp_path / "dest")
    assert list(copied.root.iterdir()) == []


def test_a_copy_of_a_copy_has_the_same_digest(tmp_path: Path) -> None:
    (tmp_path / "source/a").mkdir(parents=True)
    (tmp_path / "source/a/b").write_text("b")
    (tmp_path / "source/link").symlink_to("a/b")
    one = copy_workspace(tmp_path / "source", tmp_path / "one")
    two = copy_workspace(one.root, tmp_path / "two")
    assert one.digest == two.digest


def test_only_a_place_that_we_cannot_look_into_is_bad_input(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "loop").symlink_to("loop")
    for name in ("nothing", "file", "loop", "file/below", "x" * 300):
        with pytest.raises(BadInput, match="is no workspace") as caught:
            copy_workspace(tmp_path / name, tmp_path / "one")
        assert caught.value.remedy


@pytest.mark.parametrize(("cap", "value"), [("_FILES_CAP", 3), ("_BYTES_CAP", 3), ("_DEPTH_CAP", 1), ("_PATH_CAP", 3)])
def test_what_is_beyond_a_bound_is_refused_before_a_byte_is_copied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cap: str, value: int
) -> None:
    for folder in ("one", "two"):
        (tmp_path / folder / "aa").mkdir(parents=True)
        for number in range(4):
            (tmp_path / folder / "aa" / str(number)).write_text("x")
    assert not copy_workspace(tmp_path / "one", tmp_path / "fits").refusal
    monkeypatch.setattr(f"judge.workspace.{cap}", value)
    refused = copy_workspace(tmp_path / "one", tmp_path / "first")
    assert refused.refusal.startswith("the workspace ")
    assert list(refused.root.iterdir()) == []
    assert refused.digest == copy_workspace(tmp_path / "two", tmp_path / "second").digest
    (tmp_path / "two/0").write_text("")
    assert refused.digest != copy_workspace(tmp_path / "two", tmp_path / "third").digest
    with pytest.raises(BadInput, match="what it is cannot be used") as caught:
        copy_folder(tmp_path / "one", tmp_path / "fourth", what="what it is")
    assert caught.value.remedy


def test_a_folder_of_ours_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="the suite's tests folder is not there") as caught:
        copy_folder(tmp_path / "tests", tmp_path / "dest", what="the suite's tests folder")
    assert caught.value.remedy


def test_what_grows_while_it_is_copied_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "source/a").mkdir(parents=True)
    (tmp_path / "source/a/file").write_text("x" * 100)
    monkeypatch.setattr("judge.workspace._BYTES_CAP", 50)
    monkeypatch.setattr("judge.workspace._size", lambda _: 0)
    copied = copy_workspace(tmp_path / "source", tmp_path / "dest")
    assert copied.refusal
    assert list(copied.root.iterdir()) == []


@pytest.mark.parametrize("code", [errno.EACCES, errno.ELOOP, errno.EIO, errno.ESTALE, errno.EMFILE, errno.ENOENT])
@pytest.mark.parametrize("call", ["open", "read", "scandir", "readlink", "stat"])
def test_what_cannot_be_read_is_left_out_unless_the_machine_or_a_neighbour_is_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str, code: int
) -> None:
    source = tmp_path / "source"
    (source / "bad").mkdir(parents=True)
    (source / "bad/inner").write_text("x")
    (source / "bad/link").symlink_to("inner")
    (source / "good").write_text("y")
    real = getattr(os, call)

    def failing(path: object, *args: object, **more: object) -> object:
        where = os.readlink(f"/proc/self/fd/{path}") if call == "read" else str(path)  # noqa: PTH115 (patched)
        if str(source / "bad") in where:
            raise OSError(code, os.strerror(code))
        return real(path, *args, **more)

    monkeypatch.setattr(os, call, failing)
    try:
        copied = copy_workspace(source, tmp_path / "dest")
    except RepowrightError as error:
        assert "bad" in error.details["file"]  # noqa: PT017 (some codes raise)
        assert code in {errno.EIO, errno.ESTALE, errno.EMFILE, errno.ENOENT}
        return
    finally:
        monkeypatch.undo()
    assert code in {errno.EACCES, errno.ELOOP}
    assert not copied.refusal
    assert (copied.root / "good").read_text() == "y"
    assert copied.absent
    assert all(fact.startswith("bad") and "be read" in fact for fact in copied.absent)


def test_names_that_are_no_text_are_copied_and_told(tmp_path: Path) -> None:
    source = os.fsencode(tmp_path / "source")
    Path(os.fsdecode(source)).mkdir()
    Path(os.fsdecode(source + b"/\xff")).write_text("x")
    os.mkfifo(source + b"/\xfe")
    copied = copy_workspace(tmp_path / "source", tmp_path / "dest")
    assert [os.fsencode(path.name) for path in copied.root.iterdir()] == [b"\xff"]
    assert copied.absent == ("\\udcfe: neither file, folder nor link",)
