"""The names stage: whether the neutral name can be used, what is renamed to what, and which terms must not remain."""

from __future__ import annotations

import builtins
import keyword
import re
import sys
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from neutralize.decide import Found
from neutralize.rename import build_map
from neutralize.scan import Scanner, scan
from neutralize.spelling import key
from neutralize.terms import derive_terms, is_distinctive
from neutralize.traverse import decode, items
from neutralize.words import is_word
from taskpack.order import Order
from taskpack.outcome import Fact, Reason, Rejected, Stage
from taskpack.rename import Grade, Names, Term
from taskpack.survey import Survey

VERSION = 1
_RUN = 4
_WORD = re.compile(r"\w+")


def decide_names(
    tree: Path,
    order: Order,
    *,
    survey: Survey,
    ask_registry: Callable[[str], bool | None],
    taken: Collection[str] = (),
) -> Names | Rejected:
    """Derive the terms, check the neutral name, and make the map.

    `ask_registry` answers for the name's normal form: True refuses it, None is recorded as unknown; it is asked last
    and about this one name. `taken` are the products of other cases.
    """
    terms = derive_terms(tree, order)
    for check in (_spelling, _overlap, _source, _texts):
        refusal = check(tree, order, terms)
        if refusal:
            return _rejected(order, refusal)
    if order.product.name in taken:
        return _rejected(order, _Refusal(Reason.NAME_TAKEN, "another case's product has this name", ()))
    map_ = build_map(order, terms)
    if isinstance(map_, Rejected):
        return map_
    normal = re.sub(r"[-_.]+", "-", order.product.name).lower()
    answer = ask_registry(normal)
    if answer:
        return _rejected(order, _Refusal(Reason.NAME_TAKEN, f"the registry has a project {normal}", ()))
    return Names(map=map_, terms=terms, checks=tuple(_lines(tree, order, survey, terms, answer=answer)))


@dataclass(frozen=True)
class _Refusal:
    reason: Reason
    message: str
    evidence: tuple[Fact, ...]


def _spelling(_: Path, order: Order, __: tuple[Term, ...]) -> _Refusal | None:
    name = order.product.name
    uses = {
        "no identifier": not name.isidentifier(),
        "a keyword": keyword.iskeyword(name) or keyword.issoftkeyword(name),
        "a builtin": hasattr(builtins, name),
        "a module of the standard library": name in sys.stdlib_module_names,
        "an ordinary English word": is_word(name),
    }
    said = [use for use, true in uses.items() if true]
    return _Refusal(Reason.NAME_TAKEN, f"the name is {' and '.join(said)}", ()) if said else None


def _overlap(_: Path, order: Order, terms: tuple[Term, ...]) -> _Refusal | None:
    """The name shares no run of letters with what identifies the upstream."""
    name = order.product.name
    runs = {name[start : start + _RUN] for start in range(len(name) - _RUN + 1)}
    runs = {run for run in runs if run.isalpha()}
    facts = tuple(
        Fact(what=f"{run!r} is also in {term.surface!r}", where=term.sources[0])
        for term in _identity(terms)
        for run in sorted(runs)
        if run in key(term.surface)
    )
    return _Refusal(Reason.NAME_TAKEN, "the name shares letters with the upstream's names", facts) if facts else None


def _identity(terms: tuple[Term, ...]) -> tuple[Term, ...]:
    return tuple(
        term
        for term in terms
        if term.kind not in {"api-identifier", "literal"} and term.grade in {Grade.IDENTIFYING, Grade.DISTINCTIVE}
    )


def _source(tree: Path, order: Order, _: tuple[Term, ...]) -> _Refusal | None:
    """The name does not occur in the source, else taking the map back would be ambiguous."""
    own = Term(surface=order.product.name, grade=Grade.IDENTIFYING, kind="project", sources=("order",))
    facts = tuple(
        Fact(what=finding.snippet, where=f"{finding.path}:{finding.line}")
        for finding in scan(items(tree), (own,)).findings
        if finding.view in {"raw", "path"}
    )
    return _Refusal(Reason.MAP_NOT_INVERTIBLE, "the source already holds the neutral name", facts) if facts else None


def _texts(_: Path, order: Order, terms: tuple[Term, ...]) -> _Refusal | None:
    """Nothing in the order that becomes public names the upstream."""
    texts = {"product.name": order.product.name, "product.summary": order.product.summary}
    texts |= {f"features {feature.id}": f"{feature.title}\n{feature.about}" for feature in order.features}
    texts |= {f"rename.identifiers {old}": new for old, new in order.rename.identifiers.items()}
    texts |= {f"rename.literals {old}": new for old, new in order.rename.literals.items()}
    scanner = Scanner(terms)
    facts = tuple(
        Fact(what=finding.render(), where=f"order.toml: {where}")
        for where, text in texts.items()
        for finding in scanner.findings(text, where)
        if finding.found is Found.HIT
    )
    return _Refusal(Reason.IDENTITY_LEFT, "the order's own texts name the upstream", facts) if facts else None


def _lines(tree: Path, order: Order, survey: Survey, terms: tuple[Term, ...], *, answer: bool | None) -> Iterator[str]:
    """The record of what was checked, one line each."""
    name = order.product.name
    yield f"spelling: {name} is an identifier, no keyword, builtin, standard module or listed English word"
    yield f"overlap: {name} shares no run of {_RUN} letters with {len(_identity(terms))} identity terms"
    yield f"source: {name} does not occur in the pinned source"
    yield "order: summary, features and neutral names hold no term"
    yield "cases: no other case has the name"
    yield f"registry: {'unknown' if answer is None else f'no project {name}'}"
    public = {symbol.name.rpartition(".")[2] for symbol in survey.symbols}
    kept = sorted(word for word in public - set(order.rename.identifiers) if is_distinctive(word))
    yield f"kept: public names that stay as they are: {', '.join(kept) or 'none'}"
    unused = sorted(set(order.rename.identifiers) - _words(tree))
    yield f"unused: ordered renames that occur nowhere: {', '.join(unused) or 'none'}"


def _words(tree: Path) -> set[str]:
    texts = (decode(item.data) for item in items(tree) if item.data is not None)
    return {word for text in texts if text for word in _WORD.findall(text)}


def _rejected(order: Order, refusal: _Refusal) -> Rejected:
    return Rejected(
        stage=Stage.NAMES,
        reason=refusal.reason,
        message=f"product name {order.product.name}: {refusal.message}",
        evidence=refusal.evidence[:50],
        command=f"repowright author {order.case_id}",
    )
