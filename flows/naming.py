"""A neutral name for a proposal: made up, and passed by the checks of the names stage before anybody sees it."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from neutralize.coin import coined
from neutralize.decide import Found
from neutralize.names import decide_names
from neutralize.replace import Replacer
from neutralize.scan import Scanner
from neutralize.terms import is_distinctive
from taskpack.order import Order
from taskpack.outcome import Reason, Rejected
from taskpack.rename import Names
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
        product = order.product.model_copy(update={"name": name})
        tried = order.model_copy(update={"product": product})
        decided = decide_names(tree, tried, survey=survey, ask_registry=ask, taken=taken)
        if not isinstance(decided, Rejected):
            return Named(name=name, names=decided, refusal="", registry=answers.get(name))
        refusal = "; ".join([decided.message, *(fact.what for fact in decided.evidence[:3])])
        if decided.reason not in _ANOTHER:
            break
    return Named(name=name, names=None, refusal=refusal, registry=answers.get(name))


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
