"""What breaks has a name and a log; what the system refuses is not a bug."""

from __future__ import annotations

import errno
import tempfile
from pathlib import Path

import pytest

from judge.evidence import Evidence, named_refusals
from taskpack.errors import NoSpace, RepowrightError, SandboxFailed


def test_the_log_tells_what_was_noted_and_lies_where_it_should(tmp_path: Path) -> None:
    evidence = Evidence(folder=tmp_path / "logs", about={"suite": "S"})
    evidence.note("attempt 1 of 3", SandboxFailed("no bench today", details={"fact": "none"}))
    path = Path(evidence.keep())
    assert path.parent == tmp_path / "logs"
    text = path.read_text()
    assert text.startswith("suite: S\n")
    assert "attempt 1 of 3: error: no bench today\n  fact  none" in text


def test_a_log_goes_to_the_temporary_folder_where_its_own_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "logs").write_text("no folder")
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    assert Path(Evidence(folder=tmp_path / "logs", about={}).keep()).parent == tmp_path / "tmp"
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "none"))
    monkeypatch.setattr(Path, "mkdir", _denied)
    assert Evidence(folder=tmp_path / "other", about={}).keep().startswith(f"not written: {tmp_path / 'other'}: ")


def _denied(path: Path, *_: object, **__: object) -> None:
    raise PermissionError(errno.EACCES, "Permission denied", str(path))


@pytest.mark.parametrize(
    ("error", "kind", "fact"),
    [
        (OSError(errno.EMFILE, "Too many open files", "/x"), SandboxFailed, "Too many open files"),
        (OSError(errno.ENOSPC, "No space left on device", "/x"), NoSpace, "/x"),
        (BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable"), SandboxFailed, "unavailable"),
        (MemoryError(), SandboxFailed, "memory"),
        (RuntimeError("can't start new thread"), SandboxFailed, "threads"),
    ],
    ids=["files", "disk", "processes", "memory", "threads"],
)
def test_what_the_system_refuses_has_a_name(
    tmp_path: Path, error: Exception, kind: type[RepowrightError], fact: str
) -> None:
    evidence = Evidence(folder=tmp_path, about={})
    with pytest.raises(kind) as raised, evidence.kept():
        raise error
    assert fact in raised.value.render()
    assert type(error).__name__ in Path(raised.value.details["log"]).read_text()


def test_a_bug_stays_a_bug() -> None:
    with pytest.raises(RuntimeError, match="loop"), named_refusals():
        raise RuntimeError("loop")
