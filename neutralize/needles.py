"""Terms made ready for the search: a pattern each over folded, lower-cased text, and the anchor that must be there."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from neutralize.fold import folded
from neutralize.spelling import key, lexemes, spoken
from taskpack.rename import Grade, Term

_ADDRESSES = ("email", "host", "url")
LEADERS = r"(?:#+|//[/!]?|\*|--|;+|>|\.\.|%+|'|!|\|)"
"""What stands before the text on a line of a comment or a quotation."""
_SPACE = rf"(?:[ \t]{{0,8}}\r?\n[ \t]{{0,40}}{LEADERS}[ \t]{{1,8}}|\s{{1,8}})"
_PLAIN = r"[_\-./:\\]{0,2}"
_SHORT_JOINERS = ("", "_", "-")
"""Between the words of a name of less than four letters and digits."""
_SHORT = 4
_NOTHING = re.compile("")
_REACH = 64
"""No joiner is longer."""
_ORDER = {Grade.LITERAL: 0, Grade.IDENTIFYING: 1, Grade.DISTINCTIVE: 2, Grade.GENERIC: 3}


@dataclass(frozen=True, kw_only=True)
class Needle:
    """A term as the search sees it: text that every match holds, and patterns for what stands around it."""

    term: Term
    grade: Grade
    words: tuple[str, ...]
    anchors: tuple[bytes, ...]
    """Lower-case; every match holds exactly one of them, at the same one of its words."""
    head: re.Pattern[str]
    tail: re.Pattern[str]
    reach: int
    """No head is longer."""
    onward: int
    """No tail is longer."""
    exact: str = ""
    """For grade L: the anchor in its own case."""

    @property
    def literal(self) -> bool:
        return self.grade is Grade.LITERAL

    def around(self, text: str, start: int, end: int) -> tuple[int, int] | None:
        """The match whose anchor is `text[start:end]`, in lower case except for grade L."""
        if self.exact and text[start:end] != self.exact:
            return None
        head = self.head.search(text, max(0, start - self.reach), start)
        tail = self.tail.match(text, end) if head else None
        return (head.start(), tail.end()) if head and tail else None


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
    return tuple(needle_of(term, grades[name], words_of(term)) for name, term in best.items())


def _split(term: Term) -> tuple[int, bool]:
    return len(lexemes(term.surface)), spoken(term.surface) and term.kind != "api-identifier"


def needle_of(term: Term, grade: Grade, words: tuple[str, ...]) -> Needle:
    """The needle that finds a term by these words, which are its own or a reading of them."""
    joiner = _joiner(term)
    whole = key(term.surface)
    if len(whole) < _SHORT and term.grade is not Grade.LITERAL and term.kind not in _ADDRESSES:
        # One word of such a name, the `11` of `h11`, is met far too often: all spellings are looked for.
        anchors = tuple(spelled.encode("latin-1") for spelled in _short_spellings(term, words))
        return Needle(
            term=term, grade=grade, words=words, anchors=anchors, head=_NOTHING, tail=_NOTHING, reach=0, onward=0
        )
    longest = max(range(len(words)), key=lambda place: len(words[place]))
    escaped = [re.escape(word) for word in words]
    head = "".join(word + joiner for word in escaped[:longest])
    tail = "".join(joiner + word for word in escaped[longest + 1 :])
    if term.grade is Grade.LITERAL:
        head = ("(?<![A-Za-z0-9_])" if re.match(r"\w", words[0][0]) else "") + head
        tail += "(?![A-Za-z0-9_])" if re.match(r"\w", words[-1][-1]) else ""
    exact = words[longest] if term.grade is Grade.LITERAL else ""
    anchor = words[longest].lower().encode("latin-1")
    return Needle(
        term=term,
        grade=grade,
        words=words,
        anchors=(anchor,),
        head=re.compile(f"(?:{head})\\Z"),
        tail=re.compile(tail),
        reach=sum(map(len, words[:longest])) + _REACH * longest,
        onward=sum(map(len, words[longest + 1 :])) + _REACH * (len(words) - longest - 1),
        exact=exact,
    )


def words_of(term: Term) -> tuple[str, ...]:
    """What is searched for, word by word: lower case, or as it is for a literal."""
    if term.grade is Grade.LITERAL:
        return tuple(folded(term.surface).split())
    if term.kind in _ADDRESSES:
        return (folded(term.surface).lower(),)
    return lexemes(term.surface)


def _short_spellings(term: Term, words: tuple[str, ...]) -> list[str]:
    joiners = ("", "_") if term.kind == "api-identifier" else _SHORT_JOINERS
    joiners = (*joiners, " ", "\n") if spoken(term.surface) else joiners
    spelled = [words[0]]
    for word in words[1:]:
        spelled = [start + joiner + word for start in spelled for joiner in joiners]
    return spelled


def _joiner(term: Term) -> str:
    """What may stand between the words. White space only for names that prose writes in several words."""
    if term.grade is Grade.LITERAL:
        return _SPACE
    if term.kind == "api-identifier":
        return "_?"
    return f"(?:{_PLAIN}|{_SPACE})" if spoken(term.surface) else _PLAIN
