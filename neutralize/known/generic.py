"""Detectors that know no upstream: what looks like an id of a commit, a person, a package, a name in two scripts."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from functools import cache

from neutralize.finding import Finding
from neutralize.fold import folded
from neutralize.known.background import Background
from neutralize.known.places import Spots, hit, review
from neutralize.traverse import Item
from neutralize.words import GIVEN_NAMES, is_word, listed

_LONG_ID = re.compile(r"(?<![0-9A-Za-z+/=_])[0-9a-f]{40}(?![0-9A-Za-z+/=_])")
_SAID_ID = re.compile(
    r"(?i)(?:\b(?:commit|revision|changeset|cherry[- ]picked from|reverts?|sha-?1?|rev|git|hash)\b[ \t:=#`(\"']{1,4}"
    r"|/(?:commit|commits|blob|tree|raw)/|\.git@|-g)([0-9a-f]{7,40})(?![0-9A-Za-z])"
)
_BY = re.compile(
    r"\b(?:[Aa]uthors?|[Mm]aintain(?:er|ed by)s?|[Cc]reated by|[Ww]ritten by|[Dd]eveloped by|[Pp]atch (?:by|from)|[Bb]y"
    r"|[Tt]hanks to|[Cc]redits? to|[Cc]o-authored-by|[Ss]igned-off-by|[Rr]eported by|[Cc]ontributed by)"
    r"[ \t]*[:=]?[ \t]*[\"'*_\[(]{0,3}((?:[A-Z][a-z\u00c0-\u024f'\u2019-]{1,20}|[A-Z]\.)"
    r"(?:[ \t]+(?:[A-Z][a-z\u00c0-\u024f'\u2019-]{1,24}|[A-Z]\.|van|von|de|der|da|di)){1,3})"
)
_NAME = re.compile(r"\b([A-Z][a-z]{2,14})[ \t]+([A-Z][a-z\u00c0-\u024f]{2,20})\b")
_SPAN = re.compile(r"(?<!`)`([A-Za-z0-9@][A-Za-z0-9._/@-]{1,60})`(?!`)")
_MIXED = re.compile(r"[^\W\d_][^\W_]*[^\x00-\x7f][^\W_]*|[^\x00-\x7f][^\W_]+")
_SCRIPTS = listed("LATIN CYRILLIC GREEK ARMENIAN CHEROKEE COPTIC GEORGIAN")
_SAMPLE = 4
"""So many scripts in one word are a sample of letters, as a suite tries them: nobody's name, and no disguise."""
_NO_SURNAMES = listed("time day year week month test street avenue mode key object class type error")


class CommitLikeDetector:
    """Forty hexadecimal digits, or seven and more beside a word for a commit."""

    rule = "commit"

    def findings(self, item: Item, text: str | None) -> Iterator[Finding]:
        text = text or ""
        spots = {match.span(1): match[1] for match in _SAID_ID.finditer(text)}
        spots |= {match.span(): match[0] for match in _LONG_ID.finditer(text)}
        for (start, end), run in sorted(spots.items()):
            if not run.isalpha() and not run.isdigit() and len(set(run)) > 3:
                yield Spots(self.rule, item.path, text).finding(
                    start, end, review("looks like the id of a commit"), run.lower()
                )


class PersonLikeDetector:
    """A name behind a word such as "author" or "thanks to", or a listed given name before a capitalised word."""

    rule = "person"

    def __init__(self, background: Background) -> None:
        self._background = background

    def findings(self, item: Item, text: str | None) -> Iterator[Finding]:
        text = text or ""
        spots = {match.span(1): match[1] for match in _BY.finditer(text) if self._rare(match[1])}
        for match in _NAME.finditer(text):
            if match[1].lower() in GIVEN_NAMES and not is_word(match[2]) and match[2].lower() not in _NO_SURNAMES:
                spots[match.span()] = match[0]
        done = -1
        for (start, end), name in sorted(spots.items()):
            if start >= done:
                done = end
                yield Spots(self.rule, item.path, text).finding(start, end, review("looks like a person's name"), name)

    def _rare(self, name: str) -> bool:
        return any(
            word.lower() in GIVEN_NAMES or not is_word(word.strip(".")) for word in name.split() if len(word) > 2
        )


class PackageDetector:
    """Names of packages in code spans, when a list of such names is there."""

    rule = "package"

    def __init__(self, is_package: Callable[[str], bool]) -> None:
        self._is_package = is_package

    def findings(self, item: Item, text: str | None) -> Iterator[Finding]:
        for match in _SPAN.finditer(text or ""):
            name = match[1].strip("./-")
            if len(name) > 3 and not is_word(name) and self._is_package(name):
                decision = review("a package is called so")
                yield Spots(self.rule, item.path, text or "").finding(match.start(1), match.end(1), decision, name)


class MixedScriptDetector:
    """Words in which letters of several scripts stand side by side, as a disguise would have them."""

    rule = "mixed-script"

    def findings(self, item: Item, text: str | None) -> Iterator[Finding]:
        if not text or text.isascii():
            return
        for match in _MIXED.finditer(text):
            every = {script for char in match[0] if (script := _script(char))}
            scripts = every & _SCRIPTS
            if len(scripts) > 1 and len(match[0]) > 3:
                disguised = folded(match[0]).isascii()  # look-alikes alone; a slip of the keyboard leaves others
                if not disguised and len(every) >= _SAMPLE:
                    continue
                decision = (hit if disguised else review)(
                    f"letters of {' and '.join(sorted(scripts)).lower()} in one word"
                )
                yield Spots(self.rule, item.path, text).finding(match.start(), match.end(), decision, match[0])


@cache
def _script(char: str) -> str:
    return unicodedata.name(char, "").partition(" ")[0] if char.isalpha() else ""
