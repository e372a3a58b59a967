"""What a check of a neutral name says."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Answer(StrEnum):
    """Closed: what is not known is said, and is neither of the others."""

    TAKEN = "taken"
    """The name cannot be used."""
    FREE = "free"
    """Nothing speaks against it, and what was asked knows everything of its kind."""
    UNKNOWN = "unknown"
    """What was asked does not know everything of its kind, is not here, or did not answer."""


@dataclass(frozen=True, kw_only=True)
class Check:
    """One question about a name."""

    rule: str
    answer: Answer
    about: str
    """What was found, or what was asked and of which day it is."""

    @property
    def line(self) -> str:
        return f"{self.rule}: {self.answer}, {self.about}"


def found(rule: str, facts: list[str], *, otherwise: str) -> Check:
    """TAKEN with the facts, or FREE where there are none."""
    if facts:
        return Check(rule=rule, answer=Answer.TAKEN, about="; ".join(facts))
    return Check(rule=rule, answer=Answer.FREE, about=otherwise)
