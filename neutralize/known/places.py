"""What all detectors of this folder share: the last text flattened once, and findings written in one way."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from neutralize.decide import Decision, Found
from neutralize.finding import Finding
from neutralize.known.flat import Flat
from neutralize.lines import Lines


@lru_cache(maxsize=2)
def flat(text: str) -> Flat:
    return Flat(text)


@lru_cache(maxsize=4)
def lines(text: str) -> Lines:
    return Lines(text)


def hit(reason: str) -> Decision:
    return Decision(found=Found.HIT, reason=reason)


def review(reason: str) -> Decision:
    return Decision(found=Found.REVIEW, reason=reason)


@dataclass(frozen=True)
class Spots:
    """One text that one rule looks at."""

    rule: str
    path: str
    text: str

    def finding(self, start: int, end: int, decision: Decision, term: str) -> Finding:
        """What stands at `text[start:end]`."""
        return lines(self.text).finding(self.path, start, end, decision, term=term, rule=self.rule)


def about_path(rule: str, path: str, decision: Decision, term: str) -> Finding:
    """A finding that the file's name, or the file as a whole, gives."""
    found = Lines(path).finding(path, 0, len(path), decision, term=term, view="path", rule=rule)
    return found.model_copy(update={"line": 0})
