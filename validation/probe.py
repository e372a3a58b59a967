"""Nothing that lies in the environment answers for the product: what has its names is tried in the product's place."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from environments.offered import Offered, folded, offers
from judge.subject import JudgeWorkspace, Subject
from taskpack.errors import BadInput
from taskpack.files import file_digest
from taskpack.gate import GateResult, failed, passed, skipped
from taskpack.receipt import Input
from taskpack.rename import Names
from taskpack.verdict import NodeResult, Verdict
from validation.forwarding import Wanted, forward, wanted_names
from validation.inputs import helper_inputs, judged_inputs
from validation.reading import manifest_of, spec_of
from validation.trials import judge_made, side_by_side
from validation.workspaces import import_roots, product_files, write_files

CODE = "ENV-ORACLE"
SMALL_SHARE = 0.25
"""Of the suite's nodes, over what names alone get. A function or two of a large contract are in any library (an
encoder, a hash); what answers a quarter of the suite is part of the product for whoever finds it."""
MOST_TRIED = 12
"""Each costs a verdict. Those with most names come first, and what is left out is told."""
NAMES_SHARE = 0.5
"""Of the contract's names, which a module must have to be tried."""


@dataclass(frozen=True, kw_only=True)
class Tried:
    """A module in the product's place."""

    offered: Offered
    share: float
    """Of the suite's nodes, those that passed."""
    over: float
    """The same without those that pass with names alone."""

    @property
    def answers(self) -> bool:
        return self.over > SMALL_SHARE

    def line(self, wanted: int) -> str:
        return (
            f"{self.offered.place} ({self.offered.kind}, {len(self.offered.has)} of {wanted} names): forwarded to, it"
            f" passes {self.share:.0%} of the nodes, {self.over:.0%} over names alone"
        )


def check_oracle(subject: Subject) -> GateResult:
    """Forward to every module with the contract's names, and judge that. Skipped where no environment can be seen.

    What passes too much is judged once more behind the masks of the case's denylist, and must then pass no more.
    """
    if subject.around is None:
        return skipped("there is no environment to look at", inputs=_inputs(subject))
    wanted = wanted_of(subject)
    members = frozenset(folded(name) for each in wanted for names in each.members.values() for name in names)
    need = max(1, math.ceil(len(wanted) * NAMES_SHARE))
    around = subject.around
    seen = offers([each.keys for each in wanted], members, need=need, sandbox=around.sandbox, site=around.site)
    tried = try_all(subject, wanted, seen.found[:MOST_TRIED])
    left = [f"{one.place}: not tried, {MOST_TRIED} others have more of the names" for one in seen.found[MOST_TRIED:]]
    unread = [f"not read: {fact}" for fact in seen.unread]
    wrong = [line for one in tried if one.answers for line in _standing(subject, wanted, one)]
    inputs = _inputs(subject)
    if wrong:
        return failed(
            "the environment answers for the product",
            evidence=[*wrong, *left],
            remedy="ban the module in source/denylist.json, or leave out the package that brings it",
            inputs=inputs,
        )
    lines = [*(f"{one.line(len(wanted))}{', banned' if one.answers else ''}" for one in tried), *left, *unread]
    best = f", the best passes {max(one.over for one in tried):.0%} over names alone" if tried else ""
    return passed(f"{len(tried)} modules have the contract's names{best}", evidence=lines[:50], inputs=inputs)


def wanted_of(subject: Subject) -> tuple[Wanted, ...]:
    """The contract's names; also the upstream's, where the rename map is in the case."""
    case = subject.case
    known = Names.from_bytes(case.names.read_bytes(), where=str(case.names)) if case.names.is_file() else None
    return wanted_names(spec_of(case), known.map.renames if known else ())


def try_all(subject: Subject, wanted: Sequence[Wanted], found: Sequence[Offered]) -> tuple[Tried, ...]:
    """Each of `found` in the product's place, in their order. Without any, no verdict is asked for."""
    if not found:
        return ()
    hollow = _passing(_judged(subject, wanted, None, "names-alone"))

    def tried(number: int) -> Tried:
        verdict = _judged(subject, wanted, found[number], f"module-{number}")
        total = max(1, len(verdict.nodes))
        passing = _passing(verdict)
        return Tried(offered=found[number], share=len(passing) / total, over=len(passing - hollow) / total)

    return tuple(side_by_side(tried, range(len(found))))


def _standing(subject: Subject, wanted: Sequence[Wanted], one: Tried) -> list[str]:
    """What is wrong with a module that answers: empty when the denylist's masks take its answers away."""
    line = one.line(len(wanted))
    if subject.covered is None:
        return [line]
    try:
        verdict = _judged(subject, wanted, one.offered, "behind-masks", judge=subject.covered)
    except BadInput as error:
        return [line, error.render()]
    share = len(_passing(verdict)) / max(1, len(verdict.nodes))
    if share - (one.share - one.over) <= SMALL_SHARE:
        return []
    return [f"{line}; behind the masks of the denylist still {share:.0%}"]


def _judged(
    subject: Subject,
    wanted: Sequence[Wanted],
    offered: Offered | None,
    name: str,
    *,
    judge: JudgeWorkspace | None = None,
) -> Verdict:
    product_paths = manifest_of(subject.case).product_paths
    roots = import_roots(product_files(subject.reference, product_paths), product_paths)
    files = forward(wanted, offered, roots)
    return judge_made(subject, f"{CODE}-{name}", partial(write_files, files=files), judge=judge)


def _passing(verdict: Verdict) -> frozenset[str]:
    return frozenset(node.id for node in verdict.nodes if node.result is NodeResult.PASSED)


def _inputs(subject: Subject) -> tuple[Input, ...]:
    case = subject.case
    around = subject.around
    site = around.site.name if around and around.site else "none"
    records = {"spec": case.spec, "names": case.names, "denylist": case.denylist}
    return (
        *judged_inputs(subject),
        *helper_inputs(CODE),
        Input(name="environment", digest=f"{around.sandbox.base if around else ''} {site}"),
        *(Input(name=name, digest=file_digest(path)) for name, path in records.items() if path.is_file()),
    )
