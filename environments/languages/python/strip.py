"""Banned distributions taken out of a folder of installed packages: what they brought, whatever it is called."""

from __future__ import annotations

import configparser
import csv
import io
import shutil
from collections.abc import Iterator
from email.parser import BytesHeaderParser
from pathlib import Path, PurePosixPath

from taskpack.denylist import Denylist
from taskpack.requested import folded

_SUFFIXES = (".py", ".pyi", ".pth")


def strip(site: Path, listed: Denylist) -> tuple[str, ...]:
    """Take out distributions with a banned name and everything that they recorded, then banned import roots.

    Gives what was taken away, relative to `site`, sorted. Nothing outside `site` is touched, whatever a record says.
    """
    doomed: set[Path] = set()
    for metadata in sorted(site.glob("*.dist-info")):
        if folded(_name(metadata)) in listed.installs:
            doomed |= {metadata, *_recorded(site, metadata), *_scripts(site, metadata)}
    for root in listed.roots:
        place = site.joinpath(*root.split("."))
        doomed |= {place, *(place.with_name(place.name + suffix) for suffix in _SUFFIXES)}
        doomed |= set(place.parent.glob(f"{place.name}.*.so"))
    doomed |= {made for path in doomed for made in (path.parent / "__pycache__").glob(f"{path.stem}.*.pyc")}
    gone = [path for path in sorted(doomed) if _inside(path, site) and (path.exists() or path.is_symlink())]
    for path in gone:
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)
    _drop_empty(site, gone)
    return tuple(sorted(path.relative_to(site).as_posix() for path in gone))


def _name(metadata: Path) -> str:
    file = metadata / "METADATA"
    named = BytesHeaderParser().parsebytes(file.read_bytes())["Name"] if file.is_file() else None
    return str(named or metadata.name.partition("-")[0])


def _recorded(site: Path, metadata: Path) -> Iterator[Path]:
    """Files of the distribution. A program's place is written as seen from another layout than ours."""
    record = metadata / "RECORD"
    text = record.read_text("utf-8", "replace") if record.is_file() else ""
    for row in csv.reader(io.StringIO(text)):
        place = PurePosixPath(row[0]) if row and row[0] else None
        if place is None or place.is_absolute():
            continue
        if ".." in place.parts:
            place = PurePosixPath("bin", place.name) if place.parent.name == "bin" else PurePosixPath(metadata.name)
        yield site / place


def _scripts(site: Path, metadata: Path) -> Iterator[Path]:
    points = metadata / "entry_points.txt"
    parser = configparser.RawConfigParser(delimiters=("=",), strict=False)
    try:
        parser.read_string(points.read_text("utf-8", "replace") if points.is_file() else "")
    except configparser.Error:
        return
    for section in ("console_scripts", "gui_scripts"):
        if parser.has_section(section):
            yield from (site / "bin" / PurePosixPath(name).name for name, _ in parser.items(section))


def _inside(path: Path, site: Path) -> bool:
    """Whether it lies in the folder, without a link on the way."""
    return site.resolve() in path.parent.resolve().parents or path.parent.resolve() == site.resolve()


def _drop_empty(site: Path, gone: list[Path]) -> None:
    """Folders that held nothing else, bytecode aside."""
    for folder in sorted({parent for path in gone for parent in path.parents if site in parent.parents}, reverse=True):
        if folder.is_dir() and all(path.name == "__pycache__" for path in folder.iterdir()):
            shutil.rmtree(folder)
