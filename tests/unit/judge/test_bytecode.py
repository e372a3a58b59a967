"""Which sources are compiled ahead: plain files within bounds, and nothing that could hold or feed the compiler."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from environments.languages.python.driver_bytecode import plain_sources


def test_only_plain_files_are_opened(tmp_path: Path) -> None:
    for name in ("a.py", "b/c.py", "closed/d.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x = 1\n")
    os.mkfifo(tmp_path / "pipe.py")
    links = {"loop.py": "loop.py", "zero.py": "/dev/zero", "to_pipe.py": "pipe.py", "gone.py": "none", "one.py": "a.py"}
    for name, text in {**links, "folder": ".", "ring": "ring", "folder.py": "b"}.items():
        (tmp_path / name).symlink_to(text)
    (tmp_path / "is_a_folder.py").mkdir()
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.py")).touch()
    (tmp_path / "large.py").write_text("#" * (1024 * 1024 + 1))
    found = [os.fsencode(path.relative_to(tmp_path)) for path in plain_sources([tmp_path, tmp_path / "none"])]
    assert sorted(found) == [b"a.py", b"b/c.py", b"closed/d.py", b"one.py", b"\xff.py"]
    assert list(plain_sources([tmp_path / "ring", tmp_path / "a.py"])) == []


@pytest.mark.parametrize("cap", ["_FILES_CAP", "_ENTRIES_CAP", "_BYTES_CAP"])
def test_there_is_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cap: str) -> None:
    for number in range(20):
        (tmp_path / str(number)).mkdir()
        (tmp_path / f"{number}/m.py").write_text("#")
    assert len(list(plain_sources([tmp_path]))) == 20
    monkeypatch.setattr(f"environments.languages.python.driver_bytecode.{cap}", 25 if cap == "_ENTRIES_CAP" else 5)
    started = time.monotonic()
    assert len(list(plain_sources([tmp_path]))) == 5
    assert time.monotonic() - started < 5
