"""A model's reply, looked at before it is kept: what of the upstream does it say from memory or from its input."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from neutralize.decide import Found
from neutralize.finding import Detector, Finding
from neutralize.scan import Scanner
from neutralize.traverse import Item
from taskpack.record import to_json

WITHHELD = "[withheld]"
_BETWEEN = "\n\n"


@dataclass(frozen=True, kw_only=True)
class Told:
    """One place of a reply that names the upstream."""

    where: str
    """Keys and indexes that lead to it, with dots; `reply` for what only the reply as a whole shows."""
    finding: Finding

    @property
    def clear(self) -> str:
        """For whoever may know the upstream."""
        one = self.finding
        seen = "" if one.view == "raw" else f", {one.view} view"
        return f"{self.where}: {one.surface!r} is {one.term!r} ({one.rule}: {one.reason}{seen})"

    @property
    def blind(self) -> str:
        """For whoever drafts the task."""
        return (
            f"{self.where}: {WITHHELD} stood here and tells what the task is made from ({self.finding.reason});"
            " write it anew, in the task's own words and values"
        )


@dataclass(frozen=True, kw_only=True)
class ReplySearch:
    """Looks at replies with what is known of one upstream, made ready once."""

    scanner: Scanner
    detectors: Sequence[Detector]

    def findings(self, text: str, path: str = "reply") -> tuple[Finding, ...]:
        """Every hit and review in a text, sorted by place."""
        found = list(self.scanner.findings(text, path))
        item = Item(path=path, data=text.encode("utf-8", "replace"))
        for detector in self.detectors:
            found += detector.findings(item, text)
        unique = {(finding.line, finding.column, finding.rule, finding.term): finding for finding in found}
        return tuple(unique[place] for place in sorted(unique))

    def hits(self, reply: Any) -> tuple[Told, ...]:
        """The places of a JSON value that name the upstream: in its strings as they are read, and in it as written."""
        text = _Leaves(reply)
        found = [Told(where=text.where(one), finding=one) for one in self._hits(text.joined)]
        seen = {(one.finding.rule, one.finding.term) for one in found}
        whole = [one for one in self._hits(to_json(reply).decode()) if (one.rule, one.term) not in seen]
        return (*found, *(Told(where="reply", finding=one) for one in whole))

    def withheld(self, reply: Any, told: Sequence[Told]) -> str:
        """The reply as JSON text without what stands at these places; nothing of it where that is not enough."""
        shown = _Leaves(reply).without([one.finding for one in told if one.where != "reply"])
        return WITHHELD if self.hits(shown) else to_json(shown).decode()

    def _hits(self, text: str) -> list[Finding]:
        return [one for one in self.findings(text) if one.found is Found.HIT]


class _Leaves:
    """The strings of a JSON value as one text, each with the way to it."""

    def __init__(self, value: Any) -> None:
        self._value = value
        leaves = list(_leaves(value, ()))
        self._ways = [way for way, _ in leaves]
        self._starts: list[int] = []
        length = 0
        for _, text in leaves:
            self._starts.append(length)
            length += len(text) + len(_BETWEEN)
        self.joined = _BETWEEN.join(text for _, text in leaves)
        self._lines = [0]
        while (end := self.joined.find("\n", self._lines[-1])) >= 0:
            self._lines.append(end + 1)

    def where(self, finding: Finding) -> str:
        way = self._ways[self._leaf(self._start(finding))]
        return ".".join(map(str, way)) or "reply text"

    def without(self, findings: Iterable[Finding]) -> Any:
        """The value, with what was found taken out of its strings."""
        cuts: dict[tuple[str | int, ...], list[tuple[int, int]]] = {}
        for finding in findings:
            start = self._start(finding)
            end = start + max(1, finding.length)
            for leaf in range(self._leaf(start), self._leaf(end - 1) + 1):
                low = self._starts[leaf]
                cuts.setdefault(self._ways[leaf], []).append((max(0, start - low), end - low))
        return _cut(self._value, (), cuts)

    def _start(self, finding: Finding) -> int:
        return self._lines[finding.line - 1] + finding.column - 1

    def _leaf(self, place: int) -> int:
        return bisect_right(self._starts, place) - 1


def _leaves(value: Any, way: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], str]]:
    if isinstance(value, str):
        yield way, value
    elif isinstance(value, dict):
        for key, each in value.items():
            yield from _leaves(each, (*way, key))
    elif isinstance(value, list):
        for index, each in enumerate(value):
            yield from _leaves(each, (*way, index))
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield way, json.dumps(value)


def _cut(value: Any, way: tuple[str | int, ...], cuts: Mapping[tuple[str | int, ...], list[tuple[int, int]]]) -> Any:
    if isinstance(value, dict):
        return {key: _cut(each, (*way, key), cuts) for key, each in value.items()}
    if isinstance(value, list):
        return [_cut(each, (*way, index), cuts) for index, each in enumerate(value)]
    if way not in cuts:
        return value
    if not isinstance(value, str):
        return WITHHELD
    done, pieces = 0, []
    for start, end in sorted(cuts[way]):
        if end > done:
            pieces += [value[done : max(done, start)], WITHHELD if start >= done else ""]
            done = end
    return "".join([*pieces, value[done:]])
