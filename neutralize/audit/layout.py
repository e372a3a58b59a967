"""Who sees a file and what it is for, told from its path: in cases of ours and in published bundles, old style and new.

A root is a folder that holds a case, also one inside an archive. What lies outside any root is seen by anyone.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from neutralize.audit.report import Visibility

MARKERS = (
    "source/manifest.json",
    "public/Full_PRD.md",
    "public/Full_PRD.draft.md",
    "milestones/final/test_manifest.json",
    "provenance/names.json",
    "order.toml",
)
"""Any of these makes the folder it lies in a case."""
SUITE = "milestones/final/test_manifest.json"
MANIFEST = "source/manifest.json"
DENYLIST = "source/denylist.json"
NAMES = "provenance/names.json"
ORDER = "order.toml"
DOCUMENTS = ("public/Full_PRD.md", "public/Interface_Contract.md")

_EVIDENCE = frozenset(
    {"coverage_matrix.json", "kill_matrix.json", "review_verdict.json", "prd_review_verdict.json", "test_usage.json"}
)
_ROLES = (
    ("public/", "document", Visibility.SOLVER),
    ("source/env/", "resource", Visibility.HARNESS),
    ("source/", "recipe", Visibility.HARNESS),
    ("milestones/gt/", "reference", Visibility.AUTHOR),
    ("milestones/final/tests/", "test", Visibility.JUDGE),
    ("milestones/", "suite", Visibility.JUDGE),
    ("controls/", "control", Visibility.JUDGE),
    ("provenance/", "provenance", Visibility.AUTHOR),
)
_EXACT = {
    MANIFEST: ("manifest", Visibility.HARNESS),
    DENYLIST: ("denylist", Visibility.HARNESS),
    ORDER: ("order", Visibility.AUTHOR),
}


@dataclass(frozen=True, kw_only=True)
class Standing:
    """What a file is in its case."""

    role: str
    visibility: Visibility


OUTSIDE = Standing(role="file", visibility=Visibility.ANYONE)


def case_roots(paths: Iterable[str]) -> tuple[str, ...]:
    """Prefixes of the cases among `paths`, such as `case001/` or `a.tar.gz!case001/`; empty for the audited folder.

    A case inside a case is part of it: it may not say for itself who sees what.
    """
    found = {path.removesuffix(marker) for path in paths for marker in MARKERS if _ends(path, marker)}
    return tuple(sorted(root for root in found if not any(root != other and _within(root, other) for other in found)))


def _ends(path: str, marker: str) -> bool:
    return path == marker or path.endswith((f"/{marker}", f"!{marker}"))


def _within(path: str, root: str) -> bool:
    return path.startswith(root)


def inside(path: str, roots: Iterable[str]) -> tuple[str, str] | None:
    """The root that `path` lies in, and the rest of the path; None outside."""
    for root in roots:
        if path.startswith(root):
            return root, path.removeprefix(root)
    return None


def standing(path: str, roots: Iterable[str]) -> Standing:
    """What the file at `path` is for, and who sees it."""
    found = inside(path, roots)
    if found is None:
        return OUTSIDE
    relative = found[1]
    if relative in _EXACT:
        role, visibility = _EXACT[relative]
        return Standing(role=role, visibility=visibility)
    if relative.startswith("milestones/final/") and relative.rpartition("/")[2] in _EVIDENCE:
        return Standing(role="evidence", visibility=Visibility.JUDGE)
    for prefix, role, visibility in _ROLES:
        if f"{relative}/".startswith(prefix):
            return Standing(role=role, visibility=visibility)
    return OUTSIDE
