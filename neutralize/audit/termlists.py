"""Term lists that an audit is given: our names record, a manifest's sensitive terms, or plain lines."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from neutralize.spelling import key
from neutralize.terms import grade_of
from taskpack.errors import BadInput
from taskpack.rename import Grade, Names, Term

_MOST = 20_000
_LONGEST = 2_000
_NAME = re.compile(r"\w+(?:(?:[-./\\:_]{1,2}| )\w+)*")


def read_terms(path: Path) -> tuple[Term, ...]:
    """The terms of a file: `names.json`, a JSON object with `sensitive_terms`, a JSON list, or a term a line.

    In plain lines, empty ones and those that start with `#` do not count. Raises `BadInput` for what is none of these
    or holds no term, `RecordUnreadable` for a names record that is broken.
    """
    try:
        text = path.read_text("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _broken(path, "it is not UTF-8 text") from error
    except OSError as error:
        raise _broken(path, error.strerror or str(error)) from error
    start = text.lstrip()[:1]
    terms = _from_json(path, text) if start in {"{", "["} else terms_of(_lines(path, text), source=path.name)
    if not any(key(term.surface) for term in terms):
        raise _broken(path, "it holds no term")
    return terms


def terms_of(surfaces: Iterable[str], *, source: str) -> tuple[Term, ...]:
    """Surfaces as terms, each graded by what it looks like."""
    return tuple(
        Term(surface=surface, grade=grade, kind=kind, sources=(source,))
        for surface in sorted({surface for surface in surfaces if key(surface)})
        for kind, grade in _ways(surface)
    )


def _ways(surface: str) -> Iterator[tuple[str, Grade]]:
    """How to look for a surface. Names are found in any spelling; what names do not consist of, as it is written."""
    if _NAME.fullmatch(surface):
        yield "project", grade_of(surface)
        return
    yield ("email" if "@" in surface.strip("@") and " " not in surface else "url"), Grade.IDENTIFYING
    if " " in surface:
        yield "literal", Grade.LITERAL


def _from_json(path: Path, text: str) -> tuple[Term, ...]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _broken(path, f"it begins as JSON, and {error}") from error
    if isinstance(found, dict) and "map" in found:
        return Names.from_bytes(text.encode(), where=str(path)).terms
    listed = found.get("sensitive_terms") if isinstance(found, dict) else found
    if not isinstance(listed, list) or not all(isinstance(one, str) for one in listed):
        raise _broken(path, "it is JSON, with neither a list of sensitive_terms nor the fields of names.json")
    return terms_of(_checked(path, listed), source=path.name)


def _lines(path: Path, text: str) -> list[str]:
    lines = [line.strip() for line in text.splitlines()]
    return _checked(path, [line for line in lines if line and not line.startswith("#")])


def _checked(path: Path, surfaces: list[str]) -> list[str]:
    if len(surfaces) > _MOST:
        raise _broken(path, f"it holds {len(surfaces)} terms; {_MOST} are the most")
    for number, surface in enumerate(surfaces, start=1):
        if len(surface) > _LONGEST or any(not char.isprintable() for char in surface):
            raise _broken(path, f"term {number} has control characters, or more than {_LONGEST} characters")
    return surfaces


def _broken(path: Path, fact: str) -> BadInput:
    return BadInput(
        f"{path} is no term list",
        details={"flag": "--terms", "fact": fact},
        remedy="give names.json, a manifest.json with sensitive_terms, or a text file with a term a line",
    )
