"""The spec stage: feature points, clauses and forms drafted by a model and shown on the reference."""

from __future__ import annotations

import builtins
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from pydantic import Field

from authoring.drafting import Desk, Feedback, draft
from environments.languages.python.literals import NamedLiteral, named_literals
from judge.probing import disagreement
from judge.scenario_lint import lint_scenarios
from taskpack.errors import BadInput
from taskpack.order import FeatureOrder, Order
from taskpack.outcome import Rejected, Stage, Waiting
from taskpack.record import Part
from taskpack.rendering import render
from taskpack.spec import Clause, ClauseKind, FeaturePoint, Form, FormKind, Overview, Probe, Spec
from taskpack.survey import Survey
from taskpack.verdict import Observation

VERSION = 1

SCENARIO_LIBRARIES = ("hashlib", "datetime", "decimal", "functools", "io")
"""What a scenario may import besides the product: vocabulary for arguments, nothing that reaches outside."""

Observe = Callable[[Sequence[tuple[str, Probe]]], Mapping[str, Observation]]
"""Runs probes, named by clause, on the reference."""

_LETTERS = {ClauseKind.NORMAL: "N", ClauseKind.BOUNDARY: "B", ClauseKind.ERROR: "E"}
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


def draft_spec(desk: Desk, ground: Ground) -> Spec | Rejected | Waiting:
    """The whole specification: each feature point of the order, then the overview over all of them."""
    drafts = _draft_features(desk, ground)
    if not isinstance(drafts, dict):
        return drafts
    features = [
        FeaturePoint(
            id=wanted.id,
            title=wanted.title,
            entry=drafts[wanted.id].entry,
            uses=wanted.uses,
            clauses=_ordered(drafts[wanted.id].clauses),
        )
        for wanted in desk.order.features
    ]
    forms: dict[str, Form] = {form.name: form for each in drafts.values() for form in each.forms}
    overview = draft(
        Overview,
        desk=desk,
        stage=Stage.SPEC,
        unit="overview",
        prompt=lambda feedback: render(
            "prompts/overview.md.j2",
            order=desk.order,
            features=features,
            forms=tuple(forms.values()),
            folders=tuple((Path(path) / desk.order.product.name).as_posix() for path in ground.product_paths),
            feedback=feedback,
        ),
        check=lambda draft: _prose_findings(" ".join(_texts(draft))),
    )
    if not isinstance(overview, Overview):
        return overview
    return Spec(
        product=desk.order.product.name,
        overview=overview,
        features=tuple(features),
        forms=tuple(forms.values()),
    )


def _draft_features(desk: Desk, ground: Ground) -> dict[str, FeatureDraft] | Rejected | Waiting:
    """A draft of each feature point. Those that build on no waiting one are asked for together."""
    drafts: dict[str, FeatureDraft] = {}
    waiting: list[str] = []
    for wanted in desk.order.features:
        if set(wanted.uses) - drafts.keys():
            continue
        answer = _draft_feature(desk, ground, wanted, drafts)
        match answer:
            case Rejected():
                return answer
            case Waiting():
                waiting += answer.requests
            case _:
                drafts[wanted.id] = answer
    return Waiting(stage=Stage.SPEC, requests=tuple(waiting)) if waiting else drafts


def _given(wanted: FeatureOrder, order: Order) -> frozenset[str]:
    """The feature points that `wanted` builds on, directly or through another."""
    uses = {feature.id: feature.uses for feature in order.features}
    found: set[str] = set()
    left = list(wanted.uses)
    while left:
        one = left.pop()
        found.add(one)
        left += uses[one]
    return frozenset(found)


def _draft_feature(
    desk: Desk, ground: Ground, wanted: FeatureOrder, drafts: Mapping[str, FeatureDraft]
) -> FeatureDraft | Rejected | Waiting:
    floor = -(-desk.order.floors.clauses // len(desk.order.features))
    given = _given(wanted, desk.order)
    known = tuple(form for id_, each in drafts.items() if id_ in given for form in each.forms)
    others = {form.name: id_ for id_, each in drafts.items() for form in each.forms}
    missing = [name for name in wanted.files if not (ground.reference / name).is_file()]
    if missing:
        raise BadInput(
            f"{wanted.id} names files that the reference does not have",
            details={"features.files": ", ".join(missing)},
            remedy="correct the paths in order.toml: they are in neutral names, relative to the reference",
        )
    sources = {name: _numbered(ground.reference / name) for name in wanted.files}

    def prompt(feedback: Feedback | None) -> str:
        return render(
            "prompts/feature.md.j2",
            order=desk.order,
            wanted=wanted,
            floor=floor,
            sources=sources,
            surface=[symbol for symbol in ground.survey.symbols if symbol.path in wanted.files],
            known=known,
            given=[(id_, clause) for id_ in sorted(given) for clause in drafts[id_].clauses],
            named=_named_values(ground.reference, wanted.files),
            feedback=feedback,
        )

    return draft(
        FeatureDraft,
        desk=desk,
        stage=Stage.SPEC,
        unit=wanted.id,
        prompt=prompt,
        check=lambda answer: feature_findings(
            answer, wanted=wanted, floor=floor, known=known, others=others, ground=ground, order=desk.order
        ),
    )


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
    counts = dict.fromkeys(_LETTERS.values(), 0)
    for clause in answer.clauses:
        letter = _LETTERS[clause.kind]
        counts[letter] += 1
        right = f"{wanted.id}.{letter}{counts[letter]}"
        if clause.id != right:
            findings.append(f"{clause.id}: the id of this {clause.kind} clause must be {right}")
    if len(answer.clauses) < floor:
        findings.append(f"{len(answer.clauses)} clauses, at least {floor} are wanted")
    findings += [f"no {kind} clause" for kind, letter in _LETTERS.items() if not counts[letter]]
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
    findings = _prose_findings(clause.text)
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
    findings += lint_scenarios(clause.probe.scenario, "probe", allowed_roots=(order.product.name, *SCENARIO_LIBRARIES))
    return findings


def _prose_findings(text: str) -> list[str]:
    findings = [f"talks of tests or grading: {match.group(0)!r}" for match in [_TEST_TALK.search(text)] if match]
    findings += [f"names a private thing: {name}" for name in re.findall(r"`(_[A-Za-z]\w*)`", text)]
    return findings


def _texts(overview: Overview) -> list[str]:
    return [
        overview.product,
        overview.substance,
        *overview.constraints,
        *overview.non_goals,
        *overview.layout,
        *overview.conventions,
        *(f"{entry.term} {entry.meaning}" for entry in overview.terminology),
    ]


def _ordered(clauses: Sequence[Clause]) -> tuple[Clause, ...]:
    order = list(_LETTERS)
    return tuple(sorted(clauses, key=lambda clause: order.index(clause.kind)))


def _named_values(reference: Path, files: Sequence[str]) -> tuple[tuple[str, NamedLiteral], ...]:
    return tuple((name, each) for name in files for each in named_literals((reference / name).read_bytes()))


def _numbered(path: Path) -> str:
    lines = path.read_text("utf-8").splitlines()
    width = len(str(len(lines)))
    return "\n".join(f"{number:>{width}}  {line}" for number, line in enumerate(lines, 1))
