"""The readings of one text in which names may hide. Each keeps its way back to the file's own characters.

Raw; terminal sequences dropped; continued lines, hyphenated line ends, wrapped base64 and string literals joined;
percent, entities and escapes decoded; all of these together as long as anything changes; and, as a loose reading, lists
of strings joined. A reading is made only when its trigger is there, and given only when it differs from its parent.
Encoded terms (base64, hex, rot13, reversed) and names in digits for letters are no views: they are searched for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from neutralize.decoders import ENTITY, ESCAPE, PERCENT, entity, escape, percent
from neutralize.fold import fold, folded
from neutralize.needles import LEADERS
from neutralize.text import Text, edited, near, substitute


@dataclass(frozen=True, kw_only=True)
class View:
    """A reading, folded."""

    name: str
    text: Text
    loose: bool = False
    """Whether it joins what its author may have meant as separate words."""
    places: tuple[int, ...] | None = None
    """Where it differs from what was given before; None when that may be anywhere."""


@dataclass(frozen=True, kw_only=True)
class _Step:
    name: str
    triggers: tuple[str, ...]
    """All of them stand in a text that the step can change."""
    pattern: re.Pattern[str]
    become: Callable[[re.Match[str]], str | None]

    def apply(self, text: Text) -> Text:
        """The changed text, which is folded when `text` is; the same one when nothing changes."""
        if not all(trigger in text.chars for trigger in self.triggers):
            return text
        return substitute(text, self.pattern, self._folded, self.name)

    def _folded(self, match: re.Match[str]) -> str | None:
        new = self.become(match)
        return new if new is None or new.isascii() else folded(new)


_ROUNDS = 3
_REACH = 300
"""Readings on top of each other are tried within so many characters of what one of them changes."""
_BESIDE = 24
"""Characters beside a change in which a sign may stand that makes it part of something to decode."""
_TRIGGER = re.compile(
    r"%[0-9A-Fa-f]{2}|&(?:#[xX]?[0-9A-Fa-f]|[A-Za-z][A-Za-z0-9]{1,31};)|\x1b\[|-\r?\n"
    r"|\\(?:x[0-9A-Fa-f]{2}|[0-7]{1,3}|u[0-9A-Fa-f{]|U[0-9A-Fa-f]{8}|N\{|e\[|\r?\n)"
)
_SIGNS = frozenset("\"'`+.&|")
"""Characters that join literals. One that was decoded may join some."""
# Every pattern begins with one character or one set, which the engine looks for far faster than for anything else.
_COMMENT = r"(?:\#|//)[^\n\"'`]{0,200}\n"
_TRIPLE = r"(?:(?<=\")\"\"|(?<=')'')?"
_CLOSED = rf"""(?:(?<!\\)|(?<=\\)\\?["']){_TRIPLE}"""
_OPENING = rf"""\\{{0,2}}["'`]{_TRIPLE}"""
_PREFIX = r"(?:(?<=[\s(+.&|<>~,])(?:[rRbBuUfF]{1,2}|u8|[L$@]))?"
_GAP = rf"\s{{0,80}}+(?:(?:\\\r?\n|{_COMMENT})\s{{0,80}}+){{0,20}}+"
_WIDE_GAP = rf"[\s()]{{0,80}}+(?:(?:\\\r?\n|{_COMMENT})[\s()]{{0,80}}+){{0,20}}+"
_SIGN = r"(?:\+\+?|\.\.?|&&?|\|\||<>|<<|~)"
# Two quotes without anything between them are an empty string, unless letters stand on both sides.
_GLUED = r"""(?=["'`])(?<=\w["'`])["'`](?=\w)"""
# Most quotes are told from a joint by what follows them at once: that is asked first.
_JOIN = re.compile(
    rf"""["'`\\](?=[\s()+.&|<~,\\#/"'`])(?:{_GLUED}"""
    rf"""|{_CLOSED}(?:(?=[\s\\#/,]){_GAP}(?:(?P<comma>,){_GAP}|(?<=\s))|(?=[\s()+.&|<~\\#/]){_WIDE_GAP}{_SIGN}{_WIDE_GAP})"""
    rf"""{_PREFIX}{_OPENING})"""
)
_HYPHENED = rf"[ \t]*\r?\n[ \t]*(?:{LEADERS}[ \t]*)?(?=([A-Za-z]))"
_HYPHEN = re.compile("-" + _HYPHENED)
_OTHER_HYPHEN = re.compile("[\u00ad\u2010\u2011]" + _HYPHENED)
_CONTINUED = re.compile(r"\\\r?\n[ \t]*")
_WRAPPED = re.compile(r"\n(?<=[A-Za-z0-9+/]{40}\n)[ \t]*(?=[A-Za-z0-9+/]{4})")
_WRAPPED_CR = re.compile(r"\r\n(?<=[A-Za-z0-9+/]{40}\r\n)[ \t]*(?=[A-Za-z0-9+/]{4})")
_SEQUENCE = r"\[[0-?]{0,40}[ -/]{0,4}[@-~]"
_TERMINAL = re.compile("\x1b" + _SEQUENCE)
_SPELLED_TERMINAL = re.compile(r"\\(?:x1[bB]|0?33|e|u001[bB]|u\{1[bB]\})" + _SEQUENCE)


def views(text: Text) -> Iterator[View]:
    """The raw view, then every other that differs from it."""
    raw = fold(text)
    yield View(name="raw", text=raw)
    changed: list[Text] = []
    hyphens = text if text.chars.isascii() else _OTHER_HYPHENS.apply(text)
    if hyphens is not text:
        raw = fold(hyphens)
        yield View(name=hyphens.step, text=raw)
    for step in _STEPS:
        made = step.apply(raw)
        if made is not raw:
            changed.append(made)
            yield View(name=step.name, text=made, places=made.places)
    joined, listed = _joins(raw)
    if joined is not raw:
        changed.append(joined)
        yield View(name=joined.step, text=joined, places=joined.places)
    if listed is not raw:
        yield View(name=listed.step, text=listed, loose=True, places=listed.places)
    spots = _mingled(changed, listed)
    if spots:
        yield from _together(near(raw, spots, _REACH))


def _mingled(changed: list[Text], listed: Text) -> list[int]:
    """The changed spots that have another reading's beside them, or have made something that a reading may change."""
    found = {spot for made in changed for spot in _unfinished(made)}
    numbered = {spot: number for number, made in enumerate([listed, *changed]) for spot in made.spots}
    for (spot, number), (following, other) in pairwise(sorted(numbered.items())):
        if other != number and following - spot <= 2 * _REACH:
            found |= {spot, following}
    return sorted(found) if changed else []


def _unfinished(made: Text) -> Iterator[int]:
    for spot, place in zip(made.spots, made.places, strict=True):
        if made.chars[place : place + 1] in _SIGNS or _TRIGGER.search(
            made.chars, max(0, place - _BESIDE), place + _BESIDE
        ):
            yield spot


def _together(text: Text) -> Iterator[View]:
    """All readings one after the other, until nothing changes any more or a few rounds are over.

    What a single reading shows is not shown again.
    """
    made = [text]
    loose = text
    for _ in range(_ROUNDS):
        before = made[-1]
        for step in _STEPS:
            made.append(step.apply(made[-1]))
        joined, loose = _joins(made[-1])
        made.append(joined)
        if made[-1] is before:
            break
    last = made[-1]
    if len({id(each) for each in made}) > 2:
        yield View(name="combined", text=last)
    if loose is not last and last is not text:
        yield View(name="combined", text=loose, loose=True)


def _joins(text: Text) -> tuple[Text, Text]:
    """String literals joined where the language joins them; and also where a comma stands between them."""
    found = list(_JOIN.finditer(text.chars))
    strict = [(match.start(), match.end(), "") for match in found if not match["comma"]]
    joined = edited(text, strict, "string-join")
    if len(strict) == len(found):
        return joined, joined
    return joined, edited(text, [(match.start(), match.end(), "") for match in found], "list-join")


def _nothing(_: re.Match[str]) -> str:
    return ""


def _unhyphened(match: re.Match[str]) -> str | None:
    """A small letter goes on with any word; a capital only with a word in capitals."""
    before = match.string[match.start() - 1 : match.start()]
    if not before.isalpha() or (match[1].isupper() and not before.isupper()):
        return None
    return ""


_STEPS = (
    _Step(name="terminal", triggers=("\x1b",), pattern=_TERMINAL, become=_nothing),
    _Step(name="terminal", triggers=("\\", "["), pattern=_SPELLED_TERMINAL, become=_nothing),
    _Step(name="percent", triggers=("%",), pattern=PERCENT, become=percent),
    _Step(name="entity", triggers=("&",), pattern=ENTITY, become=entity),
    _Step(name="escape", triggers=("\\",), pattern=ESCAPE, become=escape),
    _Step(name="line-join", triggers=("\\", "\n"), pattern=_CONTINUED, become=_nothing),
    _Step(name="dehyphenated", triggers=("\n",), pattern=_HYPHEN, become=_unhyphened),
    _Step(name="unwrapped", triggers=("\n",), pattern=_WRAPPED, become=_nothing),
    _Step(name="unwrapped", triggers=("\r",), pattern=_WRAPPED_CR, become=_nothing),
)
_OTHER_HYPHENS = _Step(name="dehyphenated", triggers=("\n",), pattern=_OTHER_HYPHEN, become=_unhyphened)
