"""Detectors of what is word for word the upstream's: commit ids, literals, error messages, files."""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from neutralize.finding import Finding
from neutralize.known.allow import Allow
from neutralize.known.assets import is_asset
from neutralize.known.facts import Asset, Fact
from neutralize.known.flat import flattened
from neutralize.known.literals import is_ordinary
from neutralize.known.messages import HOLE, template, tidy
from neutralize.known.needle_set import NeedleSet, longest_word, stands_alone
from neutralize.known.places import Spots, about_path, flat, hit, review
from neutralize.traverse import Item

_HEX = re.compile(r"(?<![0-9A-Fa-f])[0-9A-Fa-f]{7,64}(?![0-9A-Fa-f])")
_FILLED = 200
"""Characters that may stand in one hole of a message."""
_ALIKE = 200
"""Messages with one longest part that are told apart."""


class CommitDetector:
    """Runs of at least seven hexadecimal digits that begin the id of a commit or tag of the upstream."""

    rule = "commit"

    def __init__(self, objects: Iterable[str]) -> None:
        self._objects = sorted(set(objects))

    def findings(self, item: Item, text: str | None) -> Iterator[Finding]:
        for match in _HEX.finditer(text or "") if self._objects else ():
            run = match[0].lower()
            place_of = bisect_left(self._objects, run)
            if place_of < len(self._objects) and self._objects[place_of].startswith(run):
                mixed = len(run) > 10 or (not run.isdigit() and not run.isalpha())
                decision = (
                    hit("begins the id of a commit") if mixed else review("begins an id, or is a number or a word")
                )
                yield Spots(self.rule, item.path, text or "").finding(match.start(), match.end(), decision, run)


class LiteralDetector:
    """Strings and numbers of the upstream's own, as they are, not continued by letters or digits."""

    rule = "literal"

    def __init__(self, literals: Iterable[Fact], allow: Allow) -> None:
        fixed = frozenset(allow.literals)
        own = [fact.value for fact in literals if fact.value not in fixed]
        self._needles = NeedleSet((spelling, value) for value in own for spelling in _spellings(value))

    def findings(self, item: Item, text: str | None) -> Iterator[Finding]:
        for value, start, end in self._needles.places(text or ""):
            whole = stands_alone(text or "", start, end)
            if whole and not (value[-1].isdigit() and _is_number_on(text or "", start, end)):
                said = "a literal of the upstream"
                decision = review(f"{said}, in common words") if is_ordinary(value) else hit(f"{said} alone")
                yield Spots(self.rule, item.path, text or "").finding(start, end, decision, value)


def _spellings(value: str) -> set[str]:
    """As it is, and as source text writes it between quotes."""
    escaped = value.replace("\\", "\\\\")
    return {value, escaped, escaped.replace('"', '\\"'), value.encode("unicode_escape").decode("ascii")}


def _is_number_on(text: str, start: int, end: int) -> bool:
    """Whether a number goes on past its dot, before or after."""
    before = start > 1 and text[start - 1] == "." and text[start - 2].isdigit() and text[start].isdigit()
    after = end + 1 < len(text) and text[end] == "." and text[end + 1].isdigit()
    return before or after


@dataclass(frozen=True, kw_only=True)
class _Message:
    shape: str
    chunks: tuple[str, ...]
    anchor: int
    """Which chunk is the longest."""


class MessageDetector:
    """Error messages made from the upstream's templates: the same words around whatever is put in."""

    rule = "message"

    def __init__(self, messages: Iterable[Fact], allow: Allow) -> None:
        fixed = {flattened(tidy(template(literal))) for literal in allow.literals}
        self._messages: dict[str, _Message] = {}
        for fact in messages:
            chunks = tuple(chunk for chunk in (flattened(part) for part in fact.value.split(HOLE)) if chunk)
            if chunks and flattened(fact.value) not in fixed:
                anchor = max(range(len(chunks)), key=lambda n: len(chunks[n]))
                self._messages[fact.value] = _Message(shape=fact.value, chunks=chunks, anchor=anchor)
        self._by_anchor: dict[str, list[_Message]] = {}
        for message in self._messages.values():
            alike = self._by_anchor.setdefault(message.chunks[message.anchor], [])
            if len(alike) < _ALIKE:
                alike.append(message)
        self._needles = NeedleSet((anchor, anchor) for anchor in self._by_anchor)
        self._words = NeedleSet((longest_word(anchor), "") for anchor in self._by_anchor)

    def findings(self, item: Item, text: str | None) -> Iterator[Finding]:
        if not text or (text.isascii() and not self._words.anywhere(text.lower())):
            return
        view = flat(text)
        for anchor, start, end in self._needles.places(view.chars):
            for message in self._by_anchor[anchor]:
                span = _whole(view.chars, message, start, end)
                if span:
                    shown = message.shape.replace(HOLE, "…")
                    yield Spots(self.rule, item.path, text).finding(
                        *view.span(*span), hit("an error message of the upstream"), shown
                    )


def _whole(text: str, message: _Message, start: int, end: int) -> tuple[int, int] | None:
    """The span of the whole message around its longest part; None when a part is missing near it."""
    low, high = start, end
    for chunk in reversed(message.chunks[: message.anchor]):
        found = text.rfind(chunk, max(0, low - _FILLED - len(chunk)), low)
        if found < 0:
            return None
        low = found
    for chunk in message.chunks[message.anchor + 1 :]:
        found = text.find(chunk, high, high + _FILLED + len(chunk))
        if found < 0:
            return None
        high = found + len(chunk)
    return (low, high) if stands_alone(text, low, high) else None


class AssetDetector:
    """Files that are the upstream's, byte for byte; and any image, font or page file, for none belongs in a bundle."""

    rule = "asset"

    def __init__(self, assets: Iterable[Asset]) -> None:
        self._known = {asset.sha256: asset.path for asset in sorted(assets, key=lambda asset: asset.path, reverse=True)}

    def findings(self, item: Item, text: str | None) -> Iterator[Finding]:  # noqa: ARG002 (the bytes say more)
        data = item.data or item.head
        if not data:
            return
        same = self._known.get(item.sha256 or hashlib.sha256(data).hexdigest()) if self._known else None
        if same is not None:
            yield about_path(self.rule, item.path, hit("a file of the upstream, byte for byte"), same)
        elif is_asset(item.path, data):
            decision = review("an image, font or page file: its content is not read")
            yield about_path(self.rule, item.path, decision, item.path.rpartition("/")[2])
