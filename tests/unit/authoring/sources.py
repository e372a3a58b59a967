"""Tiny upstreams and hostile archives, made anew for each test."""

from __future__ import annotations

import io
import subprocess
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

from authoring.members import Member, Mode
from taskpack.order import GitSource, Order, PypiSource, Source

MIT = b"""MIT License

Copyright (c) 2020 A. Person

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.
"""

PROJECT: Mapping[str, bytes] = {
    "pyproject.toml": b'[project]\nname = "tallybook"\nversion = "1.0"\nlicense = "MIT"\n',
    "LICENSE": MIT,
    "src/tallybook/__init__.py": b"from .total import add as add\n",
    "src/tallybook/total.py": b"def add(a: int, b: int = 0) -> int:\n    return a + b\n",
    "tests/test_total.py": b"def test_add():\n    pass\n",
}


def members(files: Mapping[str, bytes]) -> list[Member]:
    return [Member(path=path, mode=Mode.FILE, data=data) for path, data in files.items()]


def entry(name: str, data: bytes = b"x", *, kind: bytes = tarfile.REGTYPE, link: str = "", mode: int = 0o644):
    """A tar entry with its content."""
    info = tarfile.TarInfo(name)
    info.type, info.linkname, info.mode, info.size = kind, link, mode, len(data) if kind == tarfile.REGTYPE else 0
    return info, data


def write_tar(path: Path, *entries: tuple[tarfile.TarInfo, bytes]) -> Path:
    with tarfile.open(path, "w:gz", format=tarfile.PAX_FORMAT) as archive:
        for info, data in entries:
            archive.addfile(info, io.BytesIO(data) if info.isreg() else None)
    return path


def write_sdist(path: Path, files: Mapping[str, bytes], top: str = "tallybook-1.0") -> Path:
    return write_tar(path, *(entry(f"{top}/{name}", data) for name, data in files.items()))


def write_zip(path: Path, files: Mapping[str, bytes], modes: Mapping[str, int] | None = None) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            info = zipfile.ZipInfo(name)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.create_system = 3
            info.external_attr = (modes or {}).get(name, 0o100644) << 16
            archive.writestr(info, data)
    return path


def order(source: Source | None = None, **changes: object) -> Order:
    fields: dict[str, object] = {
        "case_id": "case901",
        "language": "python",
        "source": source or PypiSource(kind="pypi", name="tallybook", version="1.0", sha256="0" * 64),
        "product": {"name": "sumcord", "summary": "Adds."},
        "testing": {"requirements": ["pytest"], "command": ["python", "-m", "pytest"], "expected": 1},
        "features": [{"id": "FP-01", "title": "Add", "about": "Adding.", "files": ["src/sumcord/total.py"]}],
    }
    return Order.model_validate({**fields, **changes})


def git_source(repository: Path, commit: str) -> GitSource:
    return GitSource(kind="git", url=str(repository), commit=commit)


def git(folder: Path, *args: str, stdin: bytes = b"") -> str:
    """git as an upstream's author uses it."""
    folder.mkdir(parents=True, exist_ok=True)
    who = {f"GIT_{role}_{what}": "a@b.invalid" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    done = subprocess.run(
        ["git", "-c", "protocol.file.allow=always", *args],
        cwd=folder,
        input=stdin,
        env={"PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "GIT_CONFIG_NOSYSTEM": "1", **who},
        capture_output=True,
        check=True,
    )
    return done.stdout.decode().strip()


def write_repository(folder: Path, files: Mapping[str, bytes]) -> str:
    """A repository with two commits; the id of the first, which no branch names."""
    git(folder, "init", "-q", "-b", "main")
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    git(folder, "add", "-A", "-f")
    git(folder, "commit", "-q", "-m", "one")
    first = git(folder, "rev-parse", "HEAD")
    git(folder, "commit", "-q", "--allow-empty", "-m", "two")
    return first
