"""The languages whose writing is known, and which one a file is in."""

from __future__ import annotations

from fnmatch import fnmatchcase
from functools import cache
from pathlib import PurePosixPath

from environments.languages.cpp.writing import CMAKE, CPP
from environments.languages.go.writing import GO
from environments.languages.javascript.writing import JAVASCRIPT
from environments.languages.python.writing import PYTHON
from environments.languages.rust.writing import RUST
from environments.languages.texts import TEXTS
from environments.languages.writing import Manifest, Writing

WRITINGS: tuple[Writing, ...] = (PYTHON, JAVASCRIPT, GO, CPP, CMAKE, RUST, *TEXTS)
"""A new language is one more object here; nothing else learns of it."""
UNKNOWN = Writing(name="unknown", code=False)


def writing_of(path: str) -> Writing:
    """By the file's name, then by its ending; `UNKNOWN` for any other."""
    name = PurePosixPath(path).name
    named = next((one for one in WRITINGS if any(fnmatchcase(name, pattern) for pattern in one.files)), None)
    return named or _by_ending().get(name.rpartition(".")[2].lower() if "." in name else "", UNKNOWN)


def manifests_of(path: str) -> tuple[Manifest, ...]:
    """How a file is read that tells what its project needs; none for any other file."""
    name = PurePosixPath(path).name
    return tuple(one for writing in WRITINGS for one in writing.manifests if fnmatchcase(name, one.file))


@cache
def _by_ending() -> dict[str, Writing]:
    return {ending: writing for writing in reversed(WRITINGS) for ending in writing.endings}
