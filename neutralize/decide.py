"""Whether a place where a term's letters stand is the term: the decision by grade."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from neutralize.boundaries import glued_remainders, in_opaque_run, is_boundary, is_left_boundary
from neutralize.needles import Needle
from neutralize.words import listed
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


# Version 1 of the closed lists of what is glued to names of projects.
_BEFORE = listed(
    """
    py lib go js node ts rs c cpp python my x un re pre mock fake test use with from import is has the
    django flask pytest
    """
)
_AFTER = listed(
    """
    py js rs go lib cli kit x ng io dev hq org rc ext core utils util ctx cmd config conf d test tests
    api http url
    """
)
_INFLECTIONS = listed("s es ed ing er ers able ably ly ings est ness")
_NAMING = listed(
    """
    import from install require add module package library called named project include return yield
    raise assert del lambda await async def class global nonlocal elif pip uv apt npm extends
    """
)
_WORD_BEFORE = re.compile(r"(\S+)[ \t]+\Z")
_WORD_AFTER = re.compile(r"[,;:]?[ \t]+(\S+)")
_PLAIN = re.compile(r"[\"'(]?[A-Za-z]+(?:[-'][A-Za-z]+)*[\"')]?[.,;:!?]*")


def decide(needle: Needle, text: str, start: int, end: int, benign: frozenset[str]) -> Decision:
    """Judge the match of `needle` at `text[start:end]`, the folded text in its own case.

    `benign` holds lower-case phrases, such as `double-tap`, in which a generic term is plain English.
    """
    if needle.grade is Grade.LITERAL:
        return _hit("exact literal")
    whole = is_left_boundary(text, start) and is_boundary(text, end)
    if any(char.isspace() for char in text[start:end]):
        return _hit("written in several words") if whole else _miss("a spaced form needs both boundaries")
    if needle.grade is Grade.IDENTIFYING:
        return _hit("identifying term")
    if in_opaque_run(text, start, end):
        return _miss("inside a hash or base64")
    if needle.grade is Grade.GENERIC:
        return _generic(text, start, end, benign, whole=whole)
    return _bounded(text, start, end, whole=whole)


def _bounded(text: str, start: int, end: int, *, whole: bool) -> Decision:
    if whole:
        return _hit("both ends on a boundary")
    before, after = glued_remainders(text, start, end)
    if before in _BEFORE | {""} and after in _AFTER | {""}:
        return _hit(f"known affix {'+'.join(part for part in (before, after) if part)}")
    return _miss("no boundary, remainder not a known affix")


def _generic(text: str, start: int, end: int, benign: frozenset[str], *, whole: bool) -> Decision:
    if not whole and glued_remainders(text, start, end)[1] in _INFLECTIONS:
        return _miss("English inflection")
    if _in_phrase(text, start, end, benign):
        return _miss("benign phrase")
    decision = _bounded(text, start, end, whole=whole)
    if decision.found is Found.HIT and whole and _is_prose(text, start, end):
        return Decision(found=Found.REVIEW, reason="could be plain English: a person decides")
    return decision


def _in_phrase(text: str, start: int, end: int, benign: frozenset[str]) -> bool:
    near = text[max(0, start - 40) : end + 40].lower()
    shift = max(0, start - 40)
    for phrase in benign:
        for found in re.finditer(rf"(?<![a-z0-9_]){re.escape(phrase)}(?![a-z0-9_])", near):
            if found.start() + shift <= start and end <= found.end() + shift:
                return True
    return False


def _is_prose(text: str, start: int, end: int) -> bool:
    """A bare lower-case word between ordinary words, in no code span, fence or string."""
    if not text[start:end].islower():
        return False
    line_start = text.rfind("\n", 0, start) + 1
    line_end = text.find("\n", end)
    line_end = len(text) if line_end < 0 else line_end
    before, after = text[line_start:start], text[end:line_end]
    if not re.fullmatch(r"(?:.*\s)?", before, re.DOTALL) or not re.match(r"[.,;:!?]*(?:\s|\Z)", after):
        return False
    if before.count("`") % 2 or len(re.findall(r"(?m)^[ \t]*(?:```|~~~)", text[:line_start])) % 2:
        return False
    previous, following = _WORD_BEFORE.search(before), _WORD_AFTER.match(after)
    if previous and previous[1].lower() in _NAMING:
        return False
    return any(word is not None and _PLAIN.fullmatch(word[1]) for word in (previous, following))


def _hit(reason: str) -> Decision:
    return Decision(found=Found.HIT, reason=reason)


def _miss(reason: str) -> Decision:
    return Decision(found=Found.MISS, reason=reason)
