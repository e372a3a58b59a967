"""The rename map from upstream to neutral names, and the terms that must not remain."""

from __future__ import annotations

from enum import StrEnum

from taskpack.outcome import Fact
from taskpack.record import Part, Record, Sha256

KEPT = "kept"
"""The kind of an entry that replaces nothing: another project's name, which holds the upstream's and stays."""


class Grade(StrEnum):
    """How much of a giveaway a term is; the scan's boundaries follow from it."""

    IDENTIFYING = "I"
    DISTINCTIVE = "D"
    GENERIC = "G"
    LITERAL = "L"


class Term(Part):
    """A trace of identity."""

    surface: str
    grade: Grade
    kind: str
    """project, org, person, email, host, url, dist, import-root, api-identifier, literal, sha, file-name."""
    sources: tuple[str, ...]
    """Where it was found: `path:line` or `order`."""


class Rename(Part):
    """One surface and its replacement."""

    surface: str
    replacement: str
    kind: str
    """name (anywhere, also inside longer words), word (a name that is common or short: between word boundaries),
    identifier (whole identifiers), literal (exact text), kept (a whole name that stays as it is)."""


class RenameMap(Record):
    """Injective, longest surface first."""

    renames: tuple[Rename, ...]


class Names(Record):
    """What the names stage decided."""

    map: RenameMap
    terms: tuple[Term, ...]
    checks: tuple[str, ...]
    """One line for each check of the neutral name, with its answer."""


class Reference(Record):
    """The pinned source in neutral names, built in the work directory."""

    tree: Sha256
    product_paths: tuple[str, ...]
    """Folders of the reference that belong on the import path, relative to its root."""
    tests_passed: int
    renamed: dict[str, int] = {}
    """Places that were renamed, by what stands there: code names, imports, strings, comments, other text, paths."""
    listed: tuple[Fact, ...] = ()
    """Places that were renamed and that a person should look at, each with the reason."""
