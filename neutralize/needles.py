"""Terms made ready for the search: a pattern each over folded, lower-cased text, and the anchor that must be there."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from neutralize.fold import folded
from neutralize.spelling import key, lexemes, spoken
from taskpack.rename import Grade, Term

_ADDRESSES = ("email", "host", "url")
_SPACE = r"\s{1,8}"
_ORDER = {Grade.LITERAL: 0, Grade.IDENTIFYING: 1, Grade.DISTINCTIVE: 2, Grade.GENERIC: 3}


@dataclass(frozen=True, kw_only=True)
class Needle:
    """A term as the search sees it."""

    term: Term
    grade: Grade
    anchor: bytes
    """Lower-case text that every match holds; what the multi-pattern search looks for."""
    pattern: re.Pattern[str]
    """Finds all starts, overlapping too; group 1 is the match. For grade L it runs over the text in its own case."""

    @property
    def literal(self) -> bool:
        return self.grade is Grade.LITERAL


def needles(terms: Iterable[Term]) -> tuple[Needle, ...]:
    """One needle for each name: spellings of one name are joined, the finest split and the strictest grade win."""
    best: dict[tuple[bool, str], Term] = {}
    grades: dict[tuple[bool, str], Grade] = {}
    for term in sorted(terms, key=lambda term: (term.kind, term.surface)):
        literal = term.grade is Grade.LITERAL
        name = (literal, term.surface if literal or term.kind in _ADDRESSES else key(term.surface))
        if not key(term.surface):
            continue
        grades[name] = min(term.grade, grades.get(name, term.grade), key=_ORDER.__getitem__)
        if name not in best or _split(term) > _split(best[name]):
            best[name] = term
    return tuple(
        Needle(term=term, grade=grades[name], anchor=_anchor(term), pattern=_pattern(term))
        for name, term in best.items()
    )


def _split(term: Term) -> tuple[int, bool]:
    return len(lexemes(term.surface)), spoken(term.surface) and term.kind != "api-identifier"


def _anchor(term: Term) -> bytes:
    if term.grade is Grade.LITERAL or term.kind in _ADDRESSES:
        words = folded(term.surface).lower().split()
    else:
        words = list(lexemes(term.surface))
    return max(words, key=len).encode("latin-1")


def _pattern(term: Term) -> re.Pattern[str]:
    if term.grade is Grade.LITERAL:
        body = _SPACE.join(re.escape(word) for word in folded(term.surface).split())
        first, last = folded(term.surface).strip()[0], folded(term.surface).strip()[-1]
        before = r"(?<![A-Za-z0-9_])" if re.match(r"\w", first) else ""
        after = r"(?![A-Za-z0-9_])" if re.match(r"\w", last) else ""
        return re.compile(f"(?=({before}{body}{after}))")
    if term.kind in _ADDRESSES:
        return re.compile(f"(?=({re.escape(folded(term.surface).lower())}))")
    words = lexemes(term.surface)
    return re.compile(f"(?=({_joiner(term).join(re.escape(word) for word in words)}))")


def _joiner(term: Term) -> str:
    """What may stand between the words. White space only for names that prose writes in several words."""
    if term.kind == "api-identifier":
        return "_?"
    plain = r"[_\-./:\\]{0,2}" if len(key(term.surface)) >= 4 else "[_-]?"
    return f"(?:{plain}|{_SPACE})" if spoken(term.surface) else plain
