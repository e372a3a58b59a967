"""The public documents, rendered from the specification; nothing in them is written by hand."""

from __future__ import annotations

from dataclasses import dataclass

from taskpack.external import Hardware
from taskpack.order import Language, Order
from taskpack.rendering import render
from taskpack.spec import Clause, ClauseKind, FeaturePoint, Form, FormKind, Spec

_FENCES = {Language.PYTHON: "python"}


@dataclass(frozen=True, kw_only=True)
class Documents:
    """Markdown, as it stands in `public/`."""

    prd: str
    contract: str


@dataclass(frozen=True, kw_only=True)
class _Group:
    title: str
    forms: tuple[Form, ...]


@dataclass(frozen=True, kw_only=True)
class _Clauses:
    normal: tuple[Clause, ...]
    other: tuple[Clause, ...]


def render_documents(spec: Spec, *, language: Language) -> Documents:
    """PRD and Interface Contract of `spec`, in the layout of `formats/zero2repo.md` sections 9 and 10."""
    shared = {
        "spec": spec,
        "forms_of": {feature.id: forms_of(spec, feature) for feature in spec.features},
        "top_level": {form.name for form in spec.forms if owner_of(form, spec) is None},
        "clauses_of": {feature.id: _split(feature) for feature in spec.features},
    }
    failures = [form for form in spec.forms if form.kind is FormKind.EXCEPTION]
    return Documents(
        prd=render("documents/Full_PRD.md.j2", **shared),
        contract=render(
            "documents/Interface_Contract.md.j2",
            **shared,
            groups=_groups(spec),
            failures=failures,
            fence=_FENCES[language],
        ),
    )


def render_hardware(order: Order) -> str:
    """`Hardware_Requirements.md`; empty when the order declares neither hardware nor resources: there is none then."""
    if order.hardware is None and order.external is None:
        return ""
    return render(
        "documents/Hardware_Requirements.md.j2", hardware=order.hardware or Hardware(), external=order.external
    )


def forms_of(spec: Spec, feature: FeaturePoint) -> tuple[Form, ...]:
    """The forms that `feature` uses and no earlier feature point used."""
    seen: set[str] = set()
    for other in spec.features:
        used = {name for clause in other.clauses for name in clause.forms}
        if other.id == feature.id:
            return tuple(form for form in spec.forms if form.name in used - seen)
        seen |= used
    return ()


def _split(feature: FeaturePoint) -> _Clauses:
    normal = tuple(clause for clause in feature.clauses if clause.kind is ClauseKind.NORMAL)
    return _Clauses(normal=normal, other=tuple(clause for clause in feature.clauses if clause not in normal))


def _groups(spec: Spec) -> tuple[_Group, ...]:
    """Functions together, then each class with its members; exceptions stand in the table of failures."""
    shown = [form for form in spec.forms if form.kind is not FormKind.EXCEPTION]
    functions = tuple(form for form in shown if form.kind is not FormKind.CLASS and owner_of(form, spec) is None)
    groups = [_Group(title="Functions", forms=functions)] if functions else []
    for owner in [form for form in shown if form.kind is FormKind.CLASS]:
        members = tuple(form for form in shown if owner_of(form, spec) is owner)
        groups.append(_Group(title=f"`{owner.name}`", forms=(owner, *members)))
    return tuple(groups)


def owner_of(form: Form, spec: Spec) -> Form | None:
    """The class or exception that `form` is a member of; None for what stands on its own."""
    name = form.name.rpartition(".")[0]
    kinds = (FormKind.CLASS, FormKind.EXCEPTION)
    return next((other for other in spec.forms if other.name == name and other.kind in kinds), None)
