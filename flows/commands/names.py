"""`repowright names CASE|SOURCE`: neutral names that can be used, and what each check says of them, or of one name."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from pydantic import ValidationError

from authoring import pin as pin_room
from authoring.guesses.found import find_source
from authoring.guesses.source import read_source
from environments.choose import Backend, choose_sandbox
from environments.interface import Sandbox
from environments.languages.python.fetch import fetch_sdist, name_on_registry
from flows.console import Output
from flows.exits import Exit
from flows.naming import Suggested, Suggestion, products, renamed_order, suggest_names
from flows.options import AsJson, BackEnd, Cases, Work
from flows.proposing import evidence, stand_in
from flows.settings import Settings, resolve
from neutralize.answer import Answer, Check
from neutralize.coin import Kind
from neutralize.names import offline_checks, registry_check
from neutralize.terms import derive_terms
from taskpack.errors import BadInput
from taskpack.order import Order, Product, read_order
from taskpack.outcome import Rejected
from taskpack.pin import Pin, Resolution
from taskpack.rename import Term

_CASE = re.compile(r"case[0-9]{3,}")


def register(app: typer.Typer) -> None:
    app.command("names")(names)


def names(
    source: Annotated[
        str,
        typer.Argument(metavar="CASE|SOURCE", help="A case, or a source as `new` takes it.", show_default=False),
    ],
    count: Annotated[int, typer.Option("--count", min=1, max=100, help="How many names of each kind.")] = 5,
    kind: Annotated[
        Kind | None, typer.Option("--kind", help="Made-up names or two words; both by default.", show_default=False)
    ] = None,
    name: Annotated[
        str | None, typer.Option("--name", metavar="NAME", help="Check this name instead, and ask the registry last.")
    ] = None,
    backend: BackEnd = Backend.AUTO,
    as_json: AsJson = False,
    cases: Cases = None,
    work: Work = None,
) -> None:
    """Propose neutral names for CASE or SOURCE, with every check's answer. 1: there are none, or NAME is taken."""
    settings = resolve(cases=cases, work=work)
    out = Output(as_json=as_json)
    if name is not None:
        _check_form(name)
    with tempfile.TemporaryDirectory(prefix="repowright-names-") as folder:
        ground = _ground(source, settings, backend, Path(folder) / "tree", out)
        if isinstance(ground, Rejected):
            _say_rejected(ground, out)
            raise typer.Exit(Exit.NO)
        if name is not None:
            _say_one(name, _checked(name, ground), out)
            return
        kinds = (kind,) if kind else tuple(Kind)
        found = {
            each: suggest_names(
                ground.tree,
                ground.order,
                terms=ground.terms,
                kind=each,
                count=count,
                seed=ground.pin.tree,
                taken=ground.taken,
            )
            for each in kinds
        }
    _say_names(found, out)


@dataclass(frozen=True, kw_only=True)
class _Ground:
    """What names are checked against."""

    tree: Path
    order: Order
    pin: Pin
    terms: tuple[Term, ...]
    taken: frozenset[str]


def _ground(source: str, settings: Settings, backend: Backend, tree: Path, out: Output) -> _Ground | Rejected:
    sandbox = choose_sandbox(settings.work, backend)
    known = None
    if _CASE.fullmatch(source):
        case = settings.case(source)
        order = read_order(case.order)
        if case.resolution.is_file():
            known = Resolution.from_bytes(case.resolution.read_bytes(), where=str(case.resolution))
    else:
        order = stand_in(find_source(read_source(source), sandbox=sandbox, say=out.say).source)
    pinned = _pin(order, settings, sandbox, known)
    if isinstance(pinned, Rejected):
        return pinned
    pin_room.checkout_pin(pinned, work=settings.work, dest=tree)
    return _Ground(
        tree=tree,
        order=order,
        pin=pinned,
        terms=derive_terms(tree, order),
        taken=products(settings.cases, besides=source),
    )


def _pin(order: Order, settings: Settings, sandbox: Sandbox, known: Resolution | None) -> Pin | Rejected:
    return pin_room.pin(order, work=settings.work, fetch=partial(fetch_sdist, sandbox=sandbox), known=known)


def _check_form(name: str) -> None:
    try:
        Product(name=name, summary="A library.")
    except ValidationError as error:
        raise BadInput(
            f"`{name[:100]}` cannot be a product's name",
            details={"flag": "--name"},
            remedy="write five lower-case letters and digits or more, a letter first",
        ) from error


def _checked(name: str, ground: _Ground) -> tuple[Check, ...]:
    """Every answer; the registry is asked only when nothing else refuses."""
    checks = offline_checks(ground.tree, renamed_order(ground.order, name), ground.terms, taken=ground.taken)
    return checks if _refused(checks) else (*checks, registry_check(name, name_on_registry))


def _refused(checks: Iterable[Check]) -> bool:
    return any(check.answer is Answer.TAKEN for check in checks)


def _say_one(name: str, checks: tuple[Check, ...], out: Output) -> None:
    refused = _refused(checks)
    out.table(name, ("check", "answer", "about"), [(check.rule, check.answer, check.about) for check in checks])
    out.show(f"{name} {'cannot be used' if refused else 'can be used'}")
    out.result({"answer": "taken" if refused else "usable", "names": [{"name": name, "checks": _plain(checks)}]})
    if refused:
        raise typer.Exit(Exit.NO)


def _say_names(found: dict[Kind, Suggested], out: Output) -> None:
    """Names with the answers in which they may differ, then what all have in common."""
    rows = [each for suggested in found.values() for each in suggested.names]
    alike = _alike(rows)
    differing = [check.rule for check in rows[0].checks if check.rule not in alike] if rows else []
    columns = ("name", "kind", *differing)
    out.table("names", columns, [(row.name, row.kind, *(_answer(row, rule) for rule in differing)) for row in rows])
    for answer in Answer:
        rules = [rule for rule, said in alike.items() if said is answer]
        if rules:
            out.show(f"{answer} for all: {', '.join(rules)}")
    for kind, suggested in found.items():
        drawn = len(suggested.names) + sum(suggested.refused.values())
        why = ", ".join(f"{rule} {times}" for rule, times in sorted(suggested.refused.items()))
        out.show(f"{kind}: {len(suggested.names)} of {drawn} drawn{f'; refused by {why}' if why else ''}")
    out.show("no registry was asked: repowright names CASE|SOURCE --name NAME asks it about the one you choose")
    out.result(
        {
            "answer": "names" if rows else "none",
            "names": [{"name": row.name, "kind": row.kind, "checks": _plain(row.checks)} for row in rows],
            "refused": {kind: suggested.refused for kind, suggested in found.items()},
        }
    )
    if not rows:
        raise typer.Exit(Exit.NO)


def _alike(rows: list[Suggestion]) -> dict[str, Answer]:
    """Rules that say the same of every name, with what they say."""
    answers: dict[str, set[Answer]] = {}
    for row in rows:
        for check in row.checks:
            answers.setdefault(check.rule, set()).add(check.answer)
    return {rule: said.pop() for rule, said in answers.items() if len(said) == 1}


def _answer(row: Suggestion, rule: str) -> str:
    return next(check.answer for check in row.checks if check.rule == rule)


def _plain(checks: Iterable[Check]) -> list[dict[str, Any]]:
    return [{"rule": check.rule, "answer": check.answer, "about": check.about} for check in checks]


def _say_rejected(rejected: Rejected, out: Output) -> None:
    out.show(f"no names: {rejected.message} ({rejected.reason})")
    for line in evidence(rejected.evidence[:30]):
        out.show(f"  {line}")
    out.result({"answer": "rejected", "rejected": rejected.model_dump(mode="json")})
