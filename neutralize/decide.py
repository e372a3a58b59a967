"""Whether a place where a term's letters stand is the term: the decision by grade."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, lru_cache

from neutralize.affixes import AFTER, BEFORE, INFLECTIONS, NAMING
from neutralize.boundaries import glued_remainders, in_hex_number, in_opaque_run, is_boundary, is_left_boundary
from neutralize.needles import Needle
from taskpack.rename import Grade


class Found(StrEnum):
    """The answer for one place."""

    HIT = "hit"
    REVIEW = "review"
    MISS = "miss"


@dataclass(frozen=True, kw_only=True)
class Decision:
    found: Found
    reason: str


_LINE = 2000
"""Prose is judged within so many characters of a line: some files are one line."""
_FENCE = re.compile(r"(?m)^[ \t]*(?:```|~~~)")
_WORD_BEFORE = re.compile(r"(\S+)[ \t]+\Z")
_WORD_AFTER = re.compile(r"[,;:]?[ \t]+(\S+)")
_PLAIN = re.compile(r"[\"'(]?[A-Za-z]+(?:[-'][A-Za-z]+)*[\"')]?[.,;:!?]*")


class Page:
    """A folded text in its own case, and where its code fences stand, looked for once and only when asked."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def _fences(self) -> list[int]:
        return [match.start() for match in _FENCE.finditer(self.text)]

    def in_fence(self, index: int) -> bool:
        """Whether the line that begins at `index` lies in a fenced block of code."""
        return bisect_left(self._fences, index) % 2 == 1


def decide(needle: Needle, page: Page, start: int, end: int, benign: frozenset[str]) -> Decision:
    """Judge the match of `needle` at `page.text[start:end]`.

    `benign` holds lower-case phrases, such as `double-tap`, in which a generic term is plain English.
    """
    text = page.text
    if needle.grade is Grade.LITERAL:
        return _hit("exact literal")
    whole = is_left_boundary(text, start) and is_boundary(text, end)
    if any(char.isspace() for char in text[start:end]):
        return _hit("written in several words") if whole else _miss("a spaced form needs both boundaries")
    if needle.grade is Grade.IDENTIFYING:
        return _hit("identifying term")
    if in_opaque_run(text, start, end) or in_hex_number(text, start, end):
        return _miss("inside a hash or base64")
    if needle.grade is Grade.GENERIC:
        return _generic(page, start, end, benign, whole=whole)
    return _bounded(text, start, end, whole=whole)


def _bounded(text: str, start: int, end: int, *, whole: bool) -> Decision:
    if whole:
        return _hit("both ends on a boundary")
    before, after = glued_remainders(text, start, end)
    if before in BEFORE | {""} and after in AFTER | {""}:
        return _hit(f"known affix {'+'.join(part for part in (before, after) if part)}")
    return _miss("no boundary, remainder not a known affix")


def _generic(page: Page, start: int, end: int, benign: frozenset[str], *, whole: bool) -> Decision:
    text = page.text
    if not whole and glued_remainders(text, start, end)[1] in INFLECTIONS:
        return _miss("English inflection")
    if _in_phrase(text, start, end, benign):
        return _miss("benign phrase")
    decision = _bounded(text, start, end, whole=whole)
    if decision.found is Found.HIT and whole and _is_prose(page, start, end):
        return Decision(found=Found.REVIEW, reason="could be plain English: a person decides")
    return decision


def _in_phrase(text: str, start: int, end: int, benign: frozenset[str]) -> bool:
    shift = max(0, start - 40)
    near = text[shift : end + 40].lower()
    for phrase in benign:
        for found in _phrase(phrase).finditer(near):
            if found.start() + shift <= start and end <= found.end() + shift:
                return True
    return False


@lru_cache(maxsize=4096)
def _phrase(phrase: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![a-z0-9_]){re.escape(phrase)}(?![a-z0-9_])")


def _is_prose(page: Page, start: int, end: int) -> bool:
    """A bare lower-case word between ordinary words, in no code span, fence or string. It may open a parenthesis."""
    text = page.text
    if not text[start:end].islower():
        return False
    line_start = max(text.rfind("\n", max(0, start - _LINE), start) + 1, start - _LINE, 0)
    line_end = text.find("\n", end, end + _LINE)
    line_end = end + _LINE if line_end < 0 else line_end
    before, after = text[line_start:start], text[end:line_end]
    opened = before.endswith("(") and not after.startswith(")")
    before = before[:-1] if opened else before
    if (before and not before[-1].isspace()) or not re.match(r"[.,;:!?)]*(?:\s|\Z)", after):
        return False
    if before.count("`") % 2 or page.in_fence(line_start):
        return False
    previous, following = _WORD_BEFORE.search(before[-80:]), _WORD_AFTER.match(after)
    if previous and previous[1].lower() in NAMING:
        return False
    return any(word is not None and _PLAIN.fullmatch(word[1]) for word in (previous, following))


def _hit(reason: str) -> Decision:
    return Decision(found=Found.HIT, reason=reason)


def _miss(reason: str) -> Decision:
    return Decision(found=Found.MISS, reason=reason)
