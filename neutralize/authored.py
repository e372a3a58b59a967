"""`provenance/terms.toml`: names that the author adds to the derived list, and grades that the author changes."""

from __future__ import annotations

import datetime as dt
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, ValidationError

from neutralize.spelling import key
from taskpack.errors import BadInput
from taskpack.record import Part
from taskpack.rename import Grade, Term

FILE = "terms.toml"


def _said(text: str) -> str:
    if not text.strip():
        raise ValueError("say why in a few words")
    return text.strip()


def _name(surface: str) -> str:
    if not key(surface) or not surface.isprintable():
        raise ValueError("a term needs a letter or a digit, and stands in one line")
    return surface


Reason = Annotated[str, AfterValidator(_said)]
Surface = Annotated[str, AfterValidator(_name)]


class Added(Part):
    """A term that no source shows."""

    surface: Surface
    grade: Grade
    kind: str = "project"
    """As in the term list: project, org, person, email, host, url, dist, import-root, literal, ..."""
    reason: Reason


class Regraded(Part):
    """Another grade for a derived term, in each of its spellings and kinds."""

    surface: Surface
    grade: Grade
    reason: Reason


class Kept(Part):
    """A literal or message of the source that the task holds, such as a value that its contract fixes; or a string that
    a rule only asks about, such as the number of a release."""

    literal: Surface
    reason: Reason
    until: dt.date
    """Last day on which it is kept."""


class AuthoredTerms(Part):
    """The author's file."""

    schema_version: Literal[1]
    add: tuple[Added, ...] = ()
    regrade: tuple[Regraded, ...] = ()
    keep: tuple[Kept, ...] = ()

    def applied(self, terms: Iterable[Term]) -> tuple[Term, ...]:
        """`terms` with the author's changes, by kind and surface.

        Raises `BadInput` when a term to regrade is not in the list: it may have been renamed, and would be forgotten.
        """
        found = {(term.kind, term.surface): term for term in terms}
        for change in self.regrade:
            same = [place for place in found if key(place[1]) == key(change.surface)]
            if not same:
                raise BadInput(
                    f"{FILE} regrades {change.surface!r}, which is no term",
                    details={"fact": "no term of the list is written so"},
                    remedy="correct the surface, or put it under [[add]]",
                )
            for place in same:
                found[place] = found[place].model_copy(update={"grade": change.grade})
        for term in self.add:
            added = Term(surface=term.surface, grade=term.grade, kind=term.kind, sources=(FILE,))
            found[term.kind, term.surface] = added
        return tuple(found[place] for place in sorted(found))


def read_authored(path: Path) -> AuthoredTerms | None:
    """What the author wrote; None when there is no file. Raises `BadInput` naming the field."""
    if not path.is_file():
        return None
    try:
        return AuthoredTerms.model_validate(tomllib.loads(path.read_text("utf-8")))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        field = ".".join(str(step) for step in first["loc"]) or "(whole file)"
        raise _broken(path, f"{field}: {first['msg']}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise _broken(path, str(error)) from error


def _broken(path: Path, fact: str) -> BadInput:
    return BadInput(
        f"{path.name} cannot be read",
        details={"file": str(path), "fact": fact},
        remedy="correct it: docs/audit.md shows its fields",
    )
