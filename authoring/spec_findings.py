"""What is wrong with a drafted feature point: ids, forms, sentences, evidence, and probes that the reference denies."""

from __future__ import annotations

import builtins
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from pydantic import Field

from judge.probing import disagreement
from judge.scenario_lint import COMPARISONS, lint_scenarios
from taskpack.order import FeatureOrder, Order
from taskpack.record import Part
from taskpack.spec import Clause, ClauseKind, Form, FormKind, Probe
from taskpack.survey import Survey
from taskpack.verdict import Observation

_LIBRARIES = ("hashlib", "datetime", "decimal", "functools", "io")
"""What a scenario may import besides the product: vocabulary for arguments, nothing that reaches outside."""

Observe = Callable[[Sequence[tuple[str, Probe]]], Mapping[str, Observation]]
"""Runs probes, named by clause, on the reference."""

LETTERS = {ClauseKind.NORMAL: "N", ClauseKind.BOUNDARY: "B", ClauseKind.ERROR: "E"}
_TEST_TALK = re.compile(
    r"\b(tests?|tested|grader|grading|hidden suite|clause|reference implementation)\b", re.IGNORECASE
)


class FeatureDraft(Part):
    """A model's draft of one feature point."""

    entry: str = Field(min_length=40)
    clauses: tuple[Clause, ...] = Field(min_length=1)
    forms: tuple[Form, ...] = Field(min_length=1)


@dataclass(frozen=True, kw_only=True)
class Ground:
    """What a draft is checked against: the reference in neutral names, its public surface, and its behaviour."""

    reference: Path
    product_paths: tuple[str, ...]
    survey: Survey
    observe: Observe


def feature_findings(
    answer: FeatureDraft,
    *,
    wanted: FeatureOrder,
    floor: int,
    known: Sequence[Form],
    others: Mapping[str, str] = MappingProxyType({}),
    ground: Ground,
    order: Order,
) -> tuple[str, ...]:
    """Everything that is wrong with a draft; probes run only when its form is right."""
    findings = [*_id_findings(answer, wanted, floor), *_form_findings(answer, known, ground.survey)]
    findings += [
        f"form {form.name} is {others[form.name]}'s already: leave it out and use it"
        for form in answer.forms
        if form.name in others
    ]
    for clause in answer.clauses:
        findings += [f"{clause.id}: {text}" for text in _clause_findings(clause, ground, order)]
    if findings:
        return tuple(findings)
    seen = ground.observe([(clause.id, clause.probe) for clause in answer.clauses])
    for clause in answer.clauses:
        problem = disagreement(seen[clause.id], clause.probe.expected)
        if problem:
            findings.append(f"{clause.id}: the reference disagrees with the probe: {problem}")
    return tuple(findings)


def _id_findings(answer: FeatureDraft, wanted: FeatureOrder, floor: int) -> list[str]:
    findings = []
    counts = dict.fromkeys(LETTERS.values(), 0)
    for clause in answer.clauses:
        letter = LETTERS[clause.kind]
        counts[letter] += 1
        right = f"{wanted.id}.{letter}{counts[letter]}"
        if clause.id != right:
            findings.append(f"{clause.id}: the id of this {clause.kind} clause must be {right}")
    if len(answer.clauses) < floor:
        findings.append(f"{len(answer.clauses)} clauses, at least {floor} are wanted")
    findings += [f"no {kind} clause" for kind, letter in LETTERS.items() if not counts[letter]]
    return findings


def _form_findings(answer: FeatureDraft, known: Sequence[Form], survey: Survey) -> list[str]:
    findings = []
    defined = {form.name: form for form in (*known, *answer.forms)}
    used = {name for clause in answer.clauses for name in clause.forms}
    findings += [f"form {name} is used by a clause and not defined" for name in sorted(used - defined.keys())]
    findings += [f"form {form.name} is used by no clause" for form in answer.forms if form.name not in used]
    errors = {form.name for form in defined.values() if form.kind is FormKind.EXCEPTION}
    public = public_names(survey)
    for form in answer.forms:
        if not {form.name, form.name.rpartition(".")[0]} & public:
            findings.append(f"form {form.name}: neither the import root nor a public module of it offers it")
        missing = {name for name in form.raises if name not in errors and not hasattr(builtins, name)}
        findings += [f"form {form.name} raises {name}, which is no exception form" for name in sorted(missing)]
    return findings


def public_names(survey: Survey) -> frozenset[str]:
    """Names of the public surface, dotted from the import root; what the root offers goes by its short name as well."""
    names = {symbol.name for symbol in survey.symbols if not symbol.name.startswith("_") and "._" not in symbol.name}
    offered = {symbol.name.rpartition(".")[2] for symbol in survey.symbols if symbol.exported}
    return frozenset(names | offered)


def _clause_findings(clause: Clause, ground: Ground, order: Order) -> list[str]:
    findings = prose_findings(clause.text)
    if not clause.text.rstrip().endswith("."):
        findings.append("the text is not one sentence with a full stop")
    if not clause.forms:
        findings.append("it names no form")
    for evidence in clause.evidence:
        path = ground.reference / evidence.path
        inside = path.resolve().is_relative_to(ground.reference.resolve())
        lines = len(path.read_text("utf-8").splitlines()) if inside and path.is_file() else 0
        if not 1 <= evidence.first_line <= evidence.last_line <= lines:
            findings.append(
                f"evidence {evidence.path}:{evidence.first_line}-{evidence.last_line} is not in the reference"
            )
    if not clause.evidence:
        findings.append("it has no evidence")
    roots = scenario_roots(order.product.name, (symbol.name for symbol in ground.survey.symbols))
    findings += lint_scenarios(clause.probe.scenario, "probe", allowed_roots=roots)
    return findings


def scenario_roots(product: str, names: Iterable[str]) -> tuple[str, ...]:
    """What a scenario may import, where `names` are those of the interface."""
    return (product, *_LIBRARIES, *(("operator",) if compared(names) else ()))


def compared(names: Iterable[str]) -> tuple[str, ...]:
    """Functions of `operator` for the comparisons that an interface with these names defines, in a fixed order."""
    defined = {name.rpartition(".")[2] for name in names}
    return tuple(function for name, function in COMPARISONS.items() if name in defined)


def prose_findings(text: str) -> list[str]:
    findings = [f"talks of tests or grading: {match.group(0)!r}" for match in [_TEST_TALK.search(text)] if match]
    findings += [f"names a private thing: {name}" for name in re.findall(r"`(_[A-Za-z]\w*)`", text)]
    return findings
