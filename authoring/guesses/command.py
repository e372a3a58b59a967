"""The command that runs a Python source's tests. It is always pytest's, which also runs unittest's classes."""

from __future__ import annotations

from pathlib import PurePosixPath

from authoring.guesses.guess import Guess
from authoring.guesses.imports import TestUses
from authoring.guesses.manifests import Manifests
from taskpack.outcome import Fact

RUN = ("python", "-m", "pytest", "-q")
_FOLDERS = frozenset({"test", "tests"})
_MOST = 8


def guess_command(manifests: Manifests, uses: TestUses) -> Guess[tuple[str, ...]]:
    """pytest on what its own configuration names, else on the folders and files that hold tests."""
    if manifests.testpaths:
        where = tuple(Fact(what=f"testpaths names {each.text}", where=each.where) for each in manifests.testpaths)
        return Guess(value=RUN, evidence=where)
    places = list(dict.fromkeys(_place(path) for path in uses.files))
    inside = [place for place in places if not any(other in _above(place) for other in places)]
    if not inside or len(inside) > _MOST:
        return Guess(value=RUN, evidence=(Fact(what=f"{len(uses.files)} files that hold tests, all over the source"),))
    evidence = tuple(Fact(what=_count(place, uses), where=place) for place in inside)
    return Guess(value=(*RUN, *inside), evidence=evidence)


def _place(path: str) -> str:
    """The topmost folder of tests around `path`, else the file itself."""
    parts = PurePosixPath(path).parts
    for number, part in enumerate(parts[:-1], start=1):
        if part in _FOLDERS:
            return "/".join(parts[:number])
    return path


def _above(place: str) -> set[str]:
    return {str(parent) for parent in PurePosixPath(place).parents}


def _count(place: str, uses: TestUses) -> str:
    number = sum(path == place or path.startswith(f"{place}/") for path in uses.files)
    return "a file that holds tests" if number == 1 else f"{number} files that hold tests"
