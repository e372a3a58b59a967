"""Real text found on this machine when it is asked for. Nothing of it is kept."""

from __future__ import annotations

import os
import sysconfig
from collections.abc import Collection, Iterator
from pathlib import Path

SUFFIXES = {".py", ".md", ".rst", ".txt", ".toml", ".js", ".c", ".h", ".yaml", ".yml", ".json", ".pl", ".html", ""}
_SMALLEST, _LARGEST = 400, 1_000_000


def places() -> tuple[Path, ...]:
    paths = sysconfig.get_paths()
    found = (paths["purelib"], paths["stdlib"], "/usr/lib/python3", "/usr/share")
    return tuple(dict.fromkeys(Path(place) for place in found if Path(place).is_dir()))


def _files(root: Path) -> Iterator[Path]:
    for folder, below, names in os.walk(root):
        below.sort()
        yield from (Path(folder, name) for name in sorted(names) if Path(name).suffix in SUFFIXES)


def gather(
    budget: int, roots: tuple[Path, ...] | None = None, *, left_out: Collection[Path] = ()
) -> list[tuple[str, bytes]]:
    """Files of text, as many bytes from each place as it has and the budget allows, different ones only."""
    roots = roots or places()
    found: list[tuple[str, bytes]] = []
    seen: set[bytes] = set()
    left = budget
    for number, root in enumerate(roots):
        share = left // (len(roots) - number)
        for path in _files(root):
            if share <= 0:
                break
            data = read(path) if path not in left_out else None
            if data is not None and data not in seen:
                seen.add(data)
                found.append((str(path), data))
                share -= len(data)
                left -= len(data)
    return found


def read(path: Path) -> bytes | None:
    """A file of UTF-8 text that is neither tiny nor large; None for anything else."""
    try:
        if path.is_symlink() or not path.is_file() or not _SMALLEST <= path.stat().st_size <= _LARGEST:
            return None
        data = path.read_bytes()
        data.decode()
    except (OSError, UnicodeDecodeError):
        return None
    return None if b"\0" in data else data
