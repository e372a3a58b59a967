"""The tiny case of `tests/data/tiny`, laid out with a registry of its own, so that a whole run takes no network."""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from taskpack.layout import CaseFolder, WorkFolder
from taskpack.rendering import CHECKOUT

DATA = CHECKOUT / "tests" / "data" / "tiny"
CASE = "case900"
STAGES = ("pin", "environment", "survey", "names", "reference", "spec", "tests", "gates", "release")
_LOCKS = CHECKOUT / "environments" / "languages" / "python" / "locks"


@dataclass(frozen=True, kw_only=True)
class Tiny:
    """The case and its work directory below `root`, which a sandbox's user must be able to pass through."""

    root: Path
    index: Path
    """A registry as a folder of wheels, as `make_index` made it."""

    @property
    def cases(self) -> Path:
        return self.root / "cases"

    @property
    def case(self) -> CaseFolder:
        return CaseFolder(root=self.cases / CASE)

    @property
    def work(self) -> WorkFolder:
        return WorkFolder(root=self.root / "work")

    @property
    def runtime(self) -> Path:
        """The area of this case's sandboxes: what is left in it was left by its runs."""
        return self.root / "runtime"

    @cached_property
    def environment(self) -> dict[str, str]:
        """Variables of a run: the registry is the folder, nothing is asked elsewhere."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("UV_", "PIP_", "PREFECT_"))}
        return {
            **kept,
            "REPOWRIGHT_RUNTIME": str(self.runtime),
            "UV_DEFAULT_INDEX": self.index.as_uri(),
            "UV_NO_CONFIG": "1",
        }

    def command(self, *more: str, plain: bool = True) -> list[str]:
        """`repowright author` on the case, replies from the store; through Prefect unless it is `plain`."""
        places = ["--cases", str(self.cases), "--work", str(self.work.root), *(["--plain"] if plain else [])]
        return [sys.executable, "-m", "flows.main", "author", CASE, *places, *more]

    def author(self, *more: str, timeout: float = 600) -> subprocess.CompletedProcess[str]:
        """Run the command to its end."""
        return subprocess.run(
            self.command(*more),
            cwd=CHECKOUT,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=timeout,
        )


def make_index(folder: Path) -> Path:
    """A registry in `folder`: the wheels of the locks, by hash, from the registry of this machine."""
    wheels = folder / "wheels"
    for lock in (_LOCKS / "bench.txt", _LOCKS / "pip.txt", DATA / "wheels.txt"):
        options = ["--quiet", "--disable-pip-version-check", "--no-deps", "--only-binary", ":all:", "--require-hashes"]
        command = [sys.executable, "-m", "pip", "download", *options, "-r", str(lock), "-d", str(wheels)]
        subprocess.run(command, check=True, timeout=300, stderr=subprocess.DEVNULL)
    simple = folder / "simple"
    for wheel in sorted(wheels.iterdir()):
        name = wheel.name.partition("-")[0].replace("_", "-").lower()
        page = simple / name / "index.html"
        page.parent.mkdir(parents=True, exist_ok=True)
        digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
        page.write_text(f'<!DOCTYPE html><a href="{wheel.as_uri()}#sha256={digest}">{wheel.name}</a>\n')
    return simple


def lay_out(root: Path, index: Path, *, replies: bool = True) -> Tiny:
    """The case as an author would have it, its source archive already downloaded; without `replies` none is stored."""
    tiny = Tiny(root=root, index=index)
    shutil.copytree(DATA / "case", tiny.case.root, ignore=None if replies else shutil.ignore_patterns("provenance"))
    archive = source_archive()
    place = tiny.work.downloads / hashlib.sha256(archive).hexdigest()
    place.mkdir(parents=True)
    (place / "pennyloom-1.0.tar.gz").write_bytes(archive)
    return tiny


def source_archive() -> bytes:
    """The upstream as a source archive: the same bytes on any machine."""
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for path in _upstream():
            info = tarfile.TarInfo(f"pennyloom-1.0/{path.relative_to(DATA / 'upstream').as_posix()}")
            info.size, info.mode = path.stat().st_size, 0o644
            archive.addfile(info, io.BytesIO(path.read_bytes()))
    # Stored, not squeezed: another zlib would give other bytes.
    return gzip.compress(raw.getvalue(), compresslevel=0, mtime=0)


def _upstream() -> Iterator[Path]:
    return iter(sorted(path for path in (DATA / "upstream").rglob("*") if path.is_file() and path.suffix != ".pyc"))
