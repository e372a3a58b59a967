"""Rows of the scorecard that compare the audited texts with the pinned ones: shared runs, and the longest copy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from neutralize.audit.layout import DENYLIST, MANIFEST, case_roots, inside, standing
from neutralize.audit.purpose import is_denylist, without_terms
from neutralize.audit.report import Measured, Metric, Visibility
from neutralize.deep import deep_items
from neutralize.known.compare import CODE_LONG, SHORT, Copied
from neutralize.known.facts import Known
from neutralize.known.overlap import Overlap, OverlapLimits, overlap
from neutralize.traverse import decode, items

MOST = 32 * 1024 * 1024
"""Characters of audited text; more are not compared."""
_LIMITS = OverlapLimits()
GRAMS, GRAMS_LIMIT = "Linkable n-grams", f"<= {_LIMITS.prose_percent} % of prose, <= {_LIMITS.code_percent} % of code"
RUN, RUN_LIMIT = "Longest copied run", f"< {_LIMITS.run_characters} characters, < {_LIMITS.run_tokens} tokens"
"""Names of the rows, and what they want."""


def shared_runs(path: Path, tree: Path, known: Known) -> Iterator[Metric]:
    """Both rows; none where there is more text than is compared.

    What only the author sees does not count, and no more what holds the names by purpose.
    """
    texts = _texts(path)
    if texts is None:
        return
    upstream = {item.path: text for item in items(tree) if item.data is not None and (text := decode(item.data))}
    found = overlap(texts, upstream, known=known, limits=_LIMITS)
    yield _grams(found)
    yield _longest(found)


def _texts(path: Path) -> dict[str, str] | None:
    found: dict[str, str] = {}
    size = 0
    for item in deep_items(path):
        text = decode(item.data) if item.data else None
        if text:
            found[item.path] = text
            size += len(text)
            if size > MOST:
                return None
    roots = case_roots(found)
    return {
        name: _told(name, text, roots)
        for name, text in found.items()
        if standing(name, roots).visibility is not Visibility.AUTHOR
    }


def _told(name: str, text: str, roots: Sequence[str]) -> str:
    """What a text tells beside the names that it holds by purpose; as long as it was, or empty."""
    place = inside(name, roots)
    if place and place[1] == MANIFEST:
        return without_terms(text.encode("utf-8", "replace")).decode("utf-8")
    return "" if place and place[1] == DENYLIST and is_denylist(text.encode("utf-8", "replace")) else text


def _grams(found: Overlap) -> Metric:
    prose, code = found.prose.short_percent, found.code_tokens.long_percent
    met = prose <= _LIMITS.prose_percent and code <= _LIMITS.code_percent
    return Metric(
        id="ngrams",
        name=GRAMS,
        value=f"{prose} % of the prose's {SHORT} words in a row, {code} % of the code's {CODE_LONG} tokens",
        threshold=GRAMS_LIMIT,
        result=Measured.MET if met else Measured.NOT_MET,
        details=tuple(_said(one) for one in found.copied),
    )


def _longest(found: Overlap) -> Metric:
    prose, code = found.longest_prose, found.longest_tokens
    met = (prose.length if prose else 0) < _LIMITS.run_characters and (code.length if code else 0) < _LIMITS.run_tokens
    return Metric(
        id="longest",
        name=RUN,
        value=f"{prose.length if prose else 0} characters of prose, {code.length if code else 0} tokens of code",
        threshold=RUN_LIMIT,
        result=Measured.MET if met else Measured.NOT_MET,
        details=tuple(_said(one) for one in (prose, code) if one),
    )


def _said(one: Copied) -> str:
    return f"{one.path}:{one.line}: {one.length} {one.unit}, as {one.upstream_path}:{one.upstream_line}: {one.text}"
