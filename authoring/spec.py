"""The spec stage: feature points, clauses and forms drafted by a model and shown on the reference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from authoring.drafting import Desk, Feedback, draft, draft_all
from authoring.overview import overview_findings, stated
from authoring.spec_findings import LETTERS, FeatureDraft, Ground, compared, feature_findings
from authoring.stated import product_sources
from environments.languages.python.literals import NamedLiteral, named_literals
from taskpack.errors import BadInput
from taskpack.order import FeatureOrder, Order
from taskpack.outcome import Rejected, Stage, Waiting
from taskpack.rendering import render
from taskpack.spec import Clause, FeaturePoint, Form, Overview, Spec

VERSION = 2


def draft_spec(desk: Desk, ground: Ground) -> Spec | Rejected | Waiting:
    """The whole specification: each feature point of the order, then the overview over all of them."""
    wanted_by_id = {wanted.id: wanted for wanted in desk.order.features}
    drafts = draft_all(tuple(wanted_by_id), lambda id_, known: _draft_feature(desk, ground, wanted_by_id[id_], known))
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
    named = {
        value.value for wanted in desk.order.features for _, value in _named_values(ground.reference, wanted.files)
    }
    unstated = sorted(named - stated(features, tuple(forms.values()), named))
    modules = product_sources(ground.reference, ground.product_paths)
    elsewhere = {value.value for text in modules.values() for value in named_literals(text)} - named
    elsewhere -= stated(features, tuple(forms.values()), elsewhere)
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
            unstated=unstated,
            feedback=feedback,
        ),
        check=lambda draft: overview_findings(draft, forms=forms, unstated=unstated, elsewhere=elsewhere),
    )
    if not isinstance(overview, Overview):
        return overview
    clauses = sum(len(feature.clauses) for feature in features)
    floor = desk.order.floors.clauses
    desk.note(f"    {len(features)} feature points, {clauses} clauses (at least {floor}), {len(forms)} forms")
    return Spec(
        product=desk.order.product.name,
        overview=overview,
        features=tuple(features),
        forms=tuple(forms.values()),
    )


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
) -> FeatureDraft | Rejected | Waiting | None:
    """None while a feature point that this one builds on has no draft."""
    if set(wanted.uses) - drafts.keys():
        return None
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
            compared=compared(symbol.name for symbol in ground.survey.symbols),
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


def _ordered(clauses: Sequence[Clause]) -> tuple[Clause, ...]:
    order = list(LETTERS)
    return tuple(sorted(clauses, key=lambda clause: order.index(clause.kind)))


def _named_values(reference: Path, files: Sequence[str]) -> tuple[tuple[str, NamedLiteral], ...]:
    return tuple((name, each) for name in files for each in named_literals((reference / name).read_bytes()))


def _numbered(path: Path) -> str:
    lines = path.read_text("utf-8").splitlines()
    width = len(str(len(lines)))
    return "\n".join(f"{number:>{width}}  {line}" for number, line in enumerate(lines, 1))
