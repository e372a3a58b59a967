"""Detectors on the readings of a text in which their marks may hide: folded, decoded, joined."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from neutralize.decide import Decision, Found
from neutralize.finding import Detector, Finding
from neutralize.known.places import lines
from neutralize.text import Text, near
from neutralize.traverse import Item
from neutralize.views import views

_REACH = 300
"""Characters around what a reading changes that are looked at."""


class InReadings:
    """A detector that is shown the readings of a text after the text itself. What the text shows is not told again."""

    def __init__(self, detector: Detector) -> None:
        self.rule = detector.rule
        self._detector = detector

    def findings(self, item: Item, text: str | None) -> Iterator[Finding]:
        """What the detector sees, each place once, in the file's own characters."""
        told: dict[int, Found] = {}
        for finding in self._detector.findings(item, text):
            if text and finding.line:
                told[lines(text).place(finding.line, finding.column)] = finding.found
            yield finding
        for name, reading in _readings(text) if text else ():
            for finding in self._detector.findings(item, reading.chars):
                if finding.line and finding.length:
                    yield from _once(finding, name, reading, text or "", told)


def _once(finding: Finding, name: str, reading: Text, text: str, told: dict[int, Found]) -> Iterator[Finding]:
    begin = lines(reading.chars).place(finding.line, finding.column)
    start, end = reading.span(begin, begin + finding.length)
    if told.get(start) in {Found.HIT, finding.found}:
        return
    told[start] = finding.found
    view = "+".join(dict.fromkeys(reading.steps(begin, begin + finding.length))) or name
    decision = Decision(found=finding.found, reason=finding.reason)
    yield lines(text).finding(finding.path, start, end, decision, term=finding.term, view=view, rule=finding.rule)


@lru_cache(maxsize=1)
def _readings(text: str) -> tuple[tuple[str, Text], ...]:
    """The folded text when it differs, and what other readings change, with a little around it."""
    found: list[tuple[str, Text]] = []
    for view in views(Text(chars=text)):
        if view.name == "raw" and view.text.chars != text:
            found.append(("raw", view.text))
        elif view.name == "combined" and not view.loose:
            found.append((view.name, view.text))
        elif view.name != "raw" and not view.loose and view.text.pieces is not None:
            found.append((view.name, near(view.text, view.text.pieces.starts[1:], _REACH)))
    return tuple(found)
