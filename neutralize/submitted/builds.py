"""Build files of a workspace, by their names: what they need, and whose they are."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator

from environments.shims.manifests import (
    Asked,
    Included,
    Reader,
    cfg_file,
    cmake_file,
    go_mod,
    json_file,
    metadata_name,
    requirement_lines,
    toml_file,
    yaml_lists,
    yarn_lock,
)
from neutralize.submitted.bans import Bans
from neutralize.submitted.python_code import Found
from taskpack.requested import of_crate

_Wishes = Iterable[Asked | Included]
_DOTS = 1000
"""In one line of a file whose parser takes the square of a key's parts."""


def _short_toml(text: str, **how: Reader) -> Iterator[Asked]:
    """`toml_file` of lines that it can read. Raises `ValueError`."""
    if max((line.count(".") for line in text.split("\n")), default=0) > _DOTS:
        raise ValueError(f"a line with more than {_DOTS} dots")
    yield from toml_file(text, **how)


_READERS: tuple[tuple[re.Pattern[str], Callable[[str], _Wishes]], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), reader)
    for pattern, reader in (
        (r"[\w.-]*(?:requirements|constraints)[\w.-]*\.(?:txt|in|pip)", requirement_lines),
        (r".*requirements/[\w.-]+\.(?:txt|in)", requirement_lines),
        (r"(?:pyproject|pylock[\w.-]*|pixi)\.toml|pipfile|(?:poetry|uv|pdm|pixi)\.lock", _short_toml),
        (r"cargo\.(?:toml|lock)", lambda text: _short_toml(text, reader=of_crate)),
        (r"(?:\.?package(?:-lock)?|npm-shrinkwrap|bower|composer|deno|jsr|vcpkg)\.json", json_file),
        (r"(?:pipfile|composer)\.lock", json_file),
        (r"setup\.cfg|tox\.ini", cfg_file),
        (r"go\.(?:mod|sum|work)|modules\.txt", go_mod),
        (r"yarn\.lock", yarn_lock),
        (r"[\w.-]+\.ya?ml", yaml_lists),
        (r"cmakelists\.txt|[\w.-]+\.cmake", cmake_file),
        (r"metadata|pkg-info", metadata_name),
    )
)  # fmt: skip

_LISTS = re.compile(r"(?:[^\S\n]*(?:[#-][^\n]*|[\w.-]+(?:\[[\w,. -]*\])?[^\S\n]*(?:[<>=!~]=?[^\n]*)?)?(?:\n|\Z))++")
_BOUNDED = re.compile(r"^[\w.-]+(?:\[[\w,. -]*\])?[^\S\n]*[<>=!~]=", re.MULTILINE)
"""Only requirements, comments and options: a file of requirements under whatever name."""


def build_hits(path: str, text: str, bans: Bans) -> Iterator[Found]:
    """What a build file asks for that is banned. One that cannot be read as what its name says gives nothing here: its
    lines are looked at as those of any other file."""
    name = path.rpartition("/")[2]
    if name.endswith(".txt") and _BOUNDED.search(text) and _LISTS.fullmatch(text):
        yield from _found(requirement_lines(text), text, bans)
    for pattern, reader in _READERS:
        if pattern.fullmatch(name) or pattern.fullmatch(path):
            try:
                yield from _found(reader(text), text, bans)
            except (ValueError, RecursionError):
                return


def notebook_code(text: str) -> str:
    """The code cells of a notebook, one after another; the text itself when it is none."""
    try:
        cells = json.loads(text)["cells"]
        return "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    except (ValueError, RecursionError, KeyError, TypeError):
        return text


def _found(wishes: _Wishes, text: str, bans: Bans) -> Iterator[Found]:
    for wish in wishes:
        token = bans.asked(wish) if isinstance(wish, Asked) else ""
        if token and isinstance(wish, Asked):
            yield Found(line=wish.line or _line_of(wish.text, text), token=token, text=wish.text)


def _line_of(words: str, text: str) -> int:
    """Where a parsed value stands, when its text is there as it is."""
    place = text.find(words.rpartition(": ")[0] or words)
    return text.count("\n", 0, place) + 1 if place >= 0 else 0
