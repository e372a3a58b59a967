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

from neutralize.decoders import ENTITY, ESCAPE, PERCENT, entity, escape, percent
from neutralize.fold import fold
from neutralize.needles import LEADERS
from neutralize.text import Text, substitute


@dataclass(frozen=True, kw_only=True)
class View:
    """A reading, folded."""

    name: str
    text: Text
    loose: bool = False
    """Whether it joins what its author may have meant as separate words."""


@dataclass(frozen=True, kw_only=True)
class _Step:
    name: str
    triggers: tuple[str, ...]
    """All of them stand in a text that the step can change."""
    pattern: re.Pattern[str]
    become: Callable[[re.Match[str]], str | None]
    ascii: bool = True
    """Whether it can change a text of ASCII alone."""

    def apply(self, text: Text) -> Text:
        if not self.ascii and text.chars.isascii():
            return text
        if not all(trigger in text.chars for trigger in self.triggers):
            return text
        return substitute(text, self.pattern, self.become, self.name)


_ROUNDS = 3
# Every pattern begins with one character or one set, which the engine looks for far faster than for anything else.
_COMMENT = r"(?:\#|//)[^\n\"'`]{0,200}\n"
_TRIPLE = r"(?:(?<=\")\"\"|(?<=')'')?"
_CLOSED = rf"""(?:(?<!\\)|(?<=\\)\\?["']){_TRIPLE}"""
_OPENING = rf"""\\{{0,2}}["'`]{_TRIPLE}"""
_PREFIX = r"(?:(?<=[\s(+.&|<>~,])(?:[rRbBuUfF]{1,2}|u8|[L$@]))?"
_GAP = rf"(?:\s|\\\r?\n|{_COMMENT}){{1,40}}+"
_WIDE_GAP = rf"(?:[\s()]|\\\r?\n|{_COMMENT}){{0,40}}+"
_SIGN = r"(?:\+\+?|\.\.?|&&?|\|\||<>|<<|~)"
# Two quotes without anything between them are an empty string, unless letters stand on both sides.
_GLUED = r"""(?<=\w["'`])["'`](?=\w)"""
_JOIN = re.compile(
    rf"""["'`\\](?:{_GLUED}|{_CLOSED}(?=[\s()+.&|<~\\#/])(?:{_GAP}|{_WIDE_GAP}{_SIGN}{_WIDE_GAP}){_PREFIX}{_OPENING})"""
)
_LIST = re.compile(rf"""["'`\\]{_CLOSED}(?=[\s,\\#/])(?:{_GAP})?,(?:{_GAP})?{_PREFIX}{_OPENING}""")
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
    changed: dict[str, Text] = {}
    for step in _STEPS:
        made = step.apply(text)
        if made is not text:
            changed[step.name] = made
            yield View(name=step.name, text=fold(made))
    together = text
    if changed:
        together, steps = _together(text, changed)
        if steps != list(changed) or len(steps) > 1:
            yield View(name="combined", text=fold(together))
    loose = _LOOSE.apply(together)
    if loose is not together:
        yield View(name=_LOOSE.name, text=fold(loose), loose=True)


def _together(text: Text, changed: dict[str, Text]) -> tuple[Text, list[str]]:
    """All steps one after the other, until nothing changes any more or a few rounds are over; and what was done."""
    done: list[str] = []
    for _ in range(_ROUNDS):
        before = text
        for step in _STEPS:
            # What a step makes of the file itself is known.
            made = step.apply(text) if done else changed.get(step.name, text)
            if made is not text:
                done.append(step.name)
                text = made
        if text is before:
            break
    return text, done


def _nothing(_: re.Match[str]) -> str:
    return ""


def _unhyphened(match: re.Match[str]) -> str | None:
    """A small letter goes on with any word; a capital only with a word in capitals."""
    before = match.string[match.start() - 1 : match.start()]
    if not before.isalpha() or (match[1].isupper() and not before.isupper()):
        return None
    return ""


_STEPS = (
    _Step(name="terminal", triggers=("\x1b[",), pattern=_TERMINAL, become=_nothing),
    _Step(name="terminal", triggers=("\\", "["), pattern=_SPELLED_TERMINAL, become=_nothing),
    _Step(name="percent", triggers=("%",), pattern=PERCENT, become=percent),
    _Step(name="entity", triggers=("&",), pattern=ENTITY, become=entity),
    _Step(name="escape", triggers=("\\",), pattern=ESCAPE, become=escape),
    _Step(name="line-join", triggers=("\\", "\n"), pattern=_CONTINUED, become=_nothing),
    _Step(name="dehyphenated", triggers=("\n",), pattern=_HYPHEN, become=_unhyphened),
    _Step(name="dehyphenated", triggers=("\n",), pattern=_OTHER_HYPHEN, become=_unhyphened, ascii=False),
    _Step(name="unwrapped", triggers=("\n",), pattern=_WRAPPED, become=_nothing),
    _Step(name="unwrapped", triggers=("\r\n",), pattern=_WRAPPED_CR, become=_nothing),
    _Step(name="string-join", triggers=(), pattern=_JOIN, become=_nothing),
)
_LOOSE = _Step(name="list-join", triggers=(",",), pattern=_LIST, become=_nothing)
