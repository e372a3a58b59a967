"""Neutral names for a proposal: made up, and passed by the checks of the names stage before anybody sees them."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from neutralize.answer import Answer, Check
from neutralize.coin import GENERATORS, Kind, coined
from neutralize.decide import Found
from neutralize.names import decide_names, offline_checks
from neutralize.replace import Replacer
from neutralize.scan import Scanner
from neutralize.terms import is_distinctive
from taskpack.errors import RepowrightError
from taskpack.order import Order, read_order
from taskpack.outcome import Reason, Rejected
from taskpack.rename import Names, Term
from taskpack.survey import Survey, Symbol

_MOST = 40
_ANOTHER = {Reason.NAME_TAKEN, Reason.MAP_NOT_INVERTIBLE}
"""What another name may mend."""


@dataclass(frozen=True, kw_only=True)
class Named:
    """A name and what it changes."""

    name: str
    names: Names | None
    """None when no name passes: `refusal` says why."""
    refusal: str
    registry: bool | None
    """What the registry said of the name: False that it has none of it, None that it did not answer."""

    def neutral(self, text: str) -> str:
        """`text` as the reference will have it."""
        return Replacer(self.names.map).apply(text) if self.names and self.names.map.renames else text

    def tells(self, text: str) -> bool:
        """Whether `text` names the upstream."""
        terms = self.names.terms if self.names else ()
        return any(finding.found is Found.HIT for finding in Scanner(terms).findings(text, "order"))


@dataclass(frozen=True, kw_only=True)
class PublicName:
    """A public name of the upstream that tells where it is from."""

    symbol: Symbol
    word: str
    becomes: str
    """What the neutral name makes of it; empty when the author has to say."""


def settle_name(
    tree: Path,
    order: Order,
    *,
    survey: Survey,
    seed: str,
    ask_registry: Callable[[str], bool | None],
    taken: Collection[str],
) -> Named:
    """The first made-up name that the names stage passes. The registry is asked about few, one by one, each last."""
    answers: dict[str, bool | None] = {}

    def ask(name: str) -> bool | None:
        answers[name] = ask_registry(name)
        return answers[name]

    name, refusal = "", ""
    for name in islice(coined(seed), _MOST):
        decided = decide_names(tree, renamed_order(order, name), survey=survey, ask_registry=ask, taken=taken)
        if not isinstance(decided, Rejected):
            return Named(name=name, names=decided, refusal="", registry=answers.get(name))
        refusal = "; ".join([decided.message, *(fact.what for fact in decided.evidence[:3])])
        if decided.reason not in _ANOTHER:
            break
    return Named(name=name, names=None, refusal=refusal, registry=answers.get(name))


@dataclass(frozen=True, kw_only=True)
class Suggestion:
    """A name that nothing refuses, with every answer; no registry was asked."""

    name: str
    kind: Kind
    checks: tuple[Check, ...]


@dataclass(frozen=True, kw_only=True)
class Suggested:
    """Names of one kind, and how many had to be drawn for them."""

    names: tuple[Suggestion, ...]
    refused: dict[str, int]
    """Rule -> draws that it was the first to refuse."""


def suggest_names(
    tree: Path, order: Order, *, terms: tuple[Term, ...], kind: Kind, count: int, seed: str, taken: Collection[str]
) -> Suggested:
    """The first `count` names of one kind that no offline check refuses; fewer when hardly any draw passes."""
    passed: list[Suggestion] = []
    refused: dict[str, int] = {}
    for name in islice(GENERATORS[kind](seed), _MOST * count):
        checks = offline_checks(tree, renamed_order(order, name), terms, taken=taken)
        against = next((check.rule for check in checks if check.answer is Answer.TAKEN), None)
        if against:
            refused[against] = refused.get(against, 0) + 1
        elif name not in {each.name for each in passed}:
            passed.append(Suggestion(name=name, kind=kind, checks=checks))
        if len(passed) == count:
            break
    return Suggested(names=tuple(passed), refused=refused)


def renamed_order(order: Order, name: str) -> Order:
    """The order with another product name."""
    return order.model_copy(update={"product": order.product.model_copy(update={"name": name})})


def products(cases: Path, *, besides: str = "") -> frozenset[str]:
    """Products of the cases in a folder, but for the one called `besides`; an unreadable order takes no name."""
    names = set()
    for path in cases.glob("*/order.toml"):
        if path.parent.name != besides:
            with contextlib.suppress(RepowrightError):
                names.add(read_order(path).product.name)
    return frozenset(names)


def telling_names(survey: Survey, named: Named) -> tuple[PublicName, ...]:
    """Public names that carry the upstream's own, and those that are more than a common word; each once.

    What the root offers counts; where it offers nothing, all that is public.
    """
    found: dict[str, PublicName] = {}
    offered = [symbol for symbol in survey.symbols if symbol.exported]
    for symbol in offered or survey.symbols:
        word = symbol.name.rpartition(".")[2]
        becomes = named.neutral(word)
        if becomes != word:
            found.setdefault(word, PublicName(symbol=symbol, word=word, becomes=becomes))
        elif is_distinctive(word):
            found.setdefault(word, PublicName(symbol=symbol, word=word, becomes=""))
    return tuple(found.values())
