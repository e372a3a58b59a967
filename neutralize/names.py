"""The names stage: whether the neutral name can be used, what is renamed to what, and which terms must not remain."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from neutralize.answer import Answer, Check, found
from neutralize.decide import Found
from neutralize.namechecks import name_checks, own_words, upstream_checks
from neutralize.rename import build_map
from neutralize.scan import Scanner, scan
from neutralize.spelling import split_evenly
from neutralize.terms import derive_terms, is_distinctive
from neutralize.traverse import decode, items
from taskpack.order import Order
from taskpack.outcome import Fact, Reason, Rejected, Stage
from taskpack.rename import Grade, Names, Term
from taskpack.survey import Survey

VERSION = 2
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
    and about this one name. `taken` are the products of other cases. A name that is taken by itself is refused before
    the tree is read.
    """
    checks = name_checks(order.product.name, taken=taken)
    if refusal := _first_taken(checks):
        return _rejected(order, refusal)
    terms = derive_terms(tree, order)
    checks = (*checks, *upstream_checks(order, terms))
    for refusal in (_first_taken(checks), _source(tree, order, terms), _texts(order, terms)):
        if refusal:
            return _rejected(order, refusal)
    map_ = build_map(order, terms)
    if isinstance(map_, Rejected):
        return map_
    asked = registry_check(order.product.name, ask_registry)
    if refusal := _first_taken((asked,)):
        return _rejected(order, refusal)
    lines = _lines(tree, order, survey, (*checks, *_LATER, asked))
    return Names(map=map_, terms=terms, checks=tuple(lines))


def offline_checks(tree: Path, order: Order, terms: tuple[Term, ...], *, taken: Collection[str]) -> tuple[Check, ...]:
    """Every answer about the order's name without a registry. The tree is read only where nothing else refuses."""
    checks = (*name_checks(order.product.name, taken=taken), *upstream_checks(order, terms))
    if _first_taken(checks):
        return checks
    refusal = _source(tree, order, terms)
    map_ = build_map(order, terms)
    faults = [fact.what for fact in map_.evidence] if isinstance(map_, Rejected) else []
    return (
        *checks,
        found("source", [refusal.message] if refusal else [], otherwise=_LATER[0].about),
        found("map", faults, otherwise="every rename to it can be taken back"),
    )


def registry_check(name: str, ask_registry: Callable[[str], bool | None]) -> Check:
    """What the registry itself says of the name's normal form (PEP 503)."""
    normal = re.sub(r"[-_.]+", "-", name).lower()
    match ask_registry(normal):
        case None:
            return Check(rule="registry", answer=Answer.UNKNOWN, about="it did not answer")
        case True:
            return Check(rule="registry", answer=Answer.TAKEN, about=f"it has a project {normal}")
        case False:
            return Check(rule="registry", answer=Answer.FREE, about=f"it has no project {normal}")


_LATER = (
    Check(rule="source", answer=Answer.FREE, about="it does not occur in the pinned source"),
    Check(rule="order", answer=Answer.FREE, about="summary, features and neutral names hold no term"),
)
"""What is written down once these have not refused."""


@dataclass(frozen=True)
class _Refusal:
    reason: Reason
    message: str
    evidence: tuple[Fact, ...]


def _first_taken(checks: Iterable[Check]) -> _Refusal | None:
    """A refusal with every check that says so, or None."""
    against = [check for check in checks if check.answer is Answer.TAKEN]
    if not against:
        return None
    facts = tuple(Fact(what=fact, where=check.rule) for check in against for fact in check.about.split("; "))
    return _Refusal(Reason.NAME_TAKEN, f"the name is {against[0].line.partition(': ')[2]}", facts)


def _source(tree: Path, order: Order, terms: tuple[Term, ...]) -> _Refusal | None:
    """The name does not occur in the source in any style, else taking the map back would be ambiguous."""
    name = order.product.name
    split = split_evenly(name, len(own_words(order, terms)))
    spelled = dict.fromkeys((name, "_".join(split or (name,))))
    own = tuple(Term(surface=each, grade=Grade.IDENTIFYING, kind="project", sources=("order",)) for each in spelled)
    facts = tuple(
        Fact(what=finding.snippet, where=f"{finding.path}:{finding.line}")
        for finding in scan(items(tree), own).findings
        if finding.view in {"raw", "path"}
    )
    return _Refusal(Reason.MAP_NOT_INVERTIBLE, "the source already holds the neutral name", facts) if facts else None


def _texts(order: Order, terms: tuple[Term, ...]) -> _Refusal | None:
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


def _lines(tree: Path, order: Order, survey: Survey, checks: Iterable[Check]) -> Iterator[str]:
    """The record of what was checked, one line each."""
    yield from (check.line for check in checks)
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
