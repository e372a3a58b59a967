"""What a case keeps of what is known of its upstream: nobody's name, none of its texts, no more than can be kept.

A case may be published; the people of an upstream did not ask to be listed in it. Whoever has the pin has them again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import TypeVar

from neutralize.addresses import EMAIL
from neutralize.finding import Unscanned
from neutralize.known.background import shipped
from neutralize.known.facts import Asset, Fact, Identifier, Known
from neutralize.known.needle_set import NeedleSet
from neutralize.spelling import key
from neutralize.words import GIVEN_NAMES, is_word
from taskpack.rename import Term

VERSION = 1
"""Of what is derived and of what is kept of it. Bumped by hand when either gives something else for the same pin."""
PEOPLE = ("people", "logins", "emails", "hosts", "owners")
"""Kinds that say who. Hosts and owners of the project itself are in the term list; the rest are its people's."""
TEXTS = ("literals", "messages", "headings")
"""Kinds that are what the upstream wrote, word by word: a published case does not copy them."""
MOST = 5_000
"""Facts of one kind; of commits and tags `MOST_OBJECTS`. More are told in `unread`."""
MOST_OBJECTS = 50_000
_NOTED = 20
_SHORTEST = 5
"""Letters and digits of a name that is looked for inside others."""
_T = TypeVar("_T", Fact, Asset, Identifier, Term, str)


def stored(known: Known) -> Known:
    """`known` without those who made the upstream and what they wrote, and without facts that name one of them.

    `left_out` says which kinds are gone, `unread` how many facts are more than a case keeps. Which are kept of too many
    depends on the facts alone. The same record gives the same bytes.
    """
    keeping = _Keeping(known)
    kept = Known(
        objects=keeping.most("objects", known.objects, MOST_OBJECTS),
        variables=keeping.of("variables", known.variables),
        stems=keeping.of("stems", known.stems),
        tests=keeping.of("tests", known.tests),
        assets=keeping.of("assets", known.assets),
        versions=keeping.of("versions", known.versions),
        dates=keeping.of("dates", known.dates),
        identifiers=keeping.of("identifiers", known.identifiers),
        terms=keeping.of("terms", known.terms),
        left_out=tuple(kind for kind in (*PEOPLE, *TEXTS) if getattr(known, kind)),
    )
    unread = [item for item in known.unread if not keeping.tells(item.path)]
    hidden = len(known.unread) - len(unread)
    if hidden:
        unread.append(Unscanned(path="(people)", problem=f"{hidden} more that could not be read name somebody"))
    unread += keeping.cut
    return kept.model_copy(update={"unread": tuple(sorted(unread, key=lambda one: (one.path, one.problem)))})


def gaps(known: Known) -> Iterator[str]:
    """What a search with this record does not look for, a line each."""
    if known.left_out:
        yield f"the record of the source leaves out its {', '.join(known.left_out)}: with the pin they are looked for"
    for one in known.unread[:_NOTED]:
        yield f"of the source, not known: {one.path}: {one.problem}"
    if len(known.unread) > _NOTED:
        yield f"of the source, not known: {len(known.unread) - _NOTED} more"


class _Keeping:
    """Tells what may be kept, and counts what is too much."""

    def __init__(self, known: Known) -> None:
        self._people = NeedleSet((needle, "") for needle in _needles(known))
        self.cut: list[Unscanned] = []

    def tells(self, text: str) -> bool:
        """Whether somebody is named in it."""
        return bool(EMAIL.search(text)) or self._people.anywhere(key(text))

    def of(self, kind: str, facts: tuple[_T, ...]) -> tuple[_T, ...]:
        """Those of one kind that name nobody."""
        # The cap comes first: looking for people in a million strings takes minutes.
        return tuple(one for one in self.most(kind, facts, MOST) if not self.tells(_text(one)))

    def most(self, kind: str, facts: tuple[_T, ...], most: int) -> tuple[_T, ...]:
        """As many as are kept, in their order. Chosen by digest, so that no letter of the alphabet goes before."""
        if len(facts) <= most:
            return facts
        self.cut.append(Unscanned(path=f"({kind})", problem=f"{len(facts) - most} facts more than a case keeps"))
        order = sorted(range(len(facts)), key=lambda at: hashlib.sha256(_text(facts[at]).encode()).digest())
        return tuple(facts[at] for at in sorted(order[:most]))


def _needles(known: Known) -> Iterator[str]:
    """Letters and digits of names, logins and addresses, and of those parts of names that are no common words.

    They are looked for anywhere, also inside longer names: a fact too few costs less than a person too many.
    """
    for fact in (*known.people, *known.logins):
        yield from (needle for needle in (key(fact.value),) if len(needle) >= _SHORTEST)
        for part in fact.value.split():
            word = key(part)
            common = is_word(word) or word in GIVEN_NAMES or shipped().has_word(word)
            if len(word) >= _SHORTEST and not common:
                yield word
    for fact in known.emails:
        yield key(fact.value)


def _text(one: Fact | Asset | Identifier | Term | str) -> str:
    """What a fact says, and where it was seen: either may name somebody."""
    match one:
        case Fact() | Identifier():
            return f"{one.value}\n{one.source}"
        case Asset():
            return one.path
        case Term():
            return one.surface
        case _:
            return one
