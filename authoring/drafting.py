"""One way to get a draft from a model: ask, validate, check by execution, and send it back with the findings."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from pydantic import ValidationError

from providers.interface import Provider, Reply, Request
from providers.ledger import entry_of
from taskpack.ledger import LedgerEntry
from taskpack.order import Order
from taskpack.outcome import Fact, Reason, Rejected, Stage, Waiting
from taskpack.record import Part

log = logging.getLogger(__name__)
D = TypeVar("D", bound=Part)

FINDINGS_SHOWN = 40
"""A model is helped by the first findings, not by hundreds."""
_SHOWN = 160
"""Characters of the first finding that people see while the stage runs."""


@dataclass(frozen=True, kw_only=True)
class Feedback:
    """What was wrong with the attempt before."""

    reply: str
    findings: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Desk:
    """Who drafts, and where it is written down."""

    order: Order
    provider: Provider
    record: Callable[[LedgerEntry], None]
    note: Callable[[str], None] = log.info
    """Tells people what they would not see otherwise."""


def draft_all(
    units: Sequence[str], draft_one: Callable[[str, Mapping[str, D]], D | Rejected | Waiting | None]
) -> dict[str, D] | Rejected | Waiting:
    """The draft of each of `units`, names in an order where no unit needs a later one.

    `draft_one` gets a name and the drafts so far; it gives None for a unit whose own needs have no draft yet. Every
    unit that can be asked for is, before this gives up on any, so that several people can answer at once: `Waiting`
    names the open request of each unit that has one. `Rejected`, which goes before a wait, holds the findings of
    every unit that was refused.
    """
    drafts: dict[str, D] = {}
    refused: list[Rejected] = []
    waiting: list[Waiting] = []
    for name in units:
        answer = draft_one(name, drafts)
        if isinstance(answer, Rejected):
            refused.append(answer)
        elif isinstance(answer, Waiting):
            waiting.append(answer)
        elif answer is not None:
            drafts[name] = answer
    if refused:
        return _together(refused)
    if waiting:
        requests = tuple(request for answer in waiting for request in answer.requests)
        return Waiting(stage=waiting[0].stage, requests=requests)
    return drafts


def _together(refused: Sequence[Rejected]) -> Rejected:
    return refused[0].model_copy(
        update={
            "message": "; ".join(each.message for each in refused),
            "evidence": tuple(fact for each in refused for fact in each.evidence),
        }
    )


def draft(
    kind: type[D],
    *,
    desk: Desk,
    stage: Stage,
    unit: str,
    prompt: Callable[[Feedback | None], str],
    check: Callable[[D], Sequence[str]],
) -> D | Rejected | Waiting:
    """A draft of `kind` that `check` has nothing against.

    `check` runs the draft where it can be run; what it returns goes back to the model word for word. After
    `order.attempts` attempts the unit stays a draft: `Rejected` with the last findings.
    """
    feedback: Feedback | None = None
    stable = _stable(prompt)
    for attempt in range(1, desk.order.attempts + 1):
        request = Request(
            case_id=desk.order.case_id,
            stage=stage,
            unit=unit,
            attempt=attempt,
            prompt=prompt(feedback),
            schema=kind.model_json_schema(),
            stable=stable,
        )
        reply = desk.provider.ask(request)
        if reply is None:
            return Waiting(stage=stage, requests=(request.id,))
        desk.record(entry_of(request, reply, provider=desk.provider.name))
        if reply.drift:
            desk.note(f"    {request.id}: the stored reply answers an earlier wording (drift)")
        answer = _judged(kind, reply, check)
        if not isinstance(answer, tuple):
            desk.note(f"    {request.id} is taken")
            return answer
        findings = answer
        more = f", and {len(findings) - 1} more" if len(findings) > 1 else ""
        desk.note(f"    {request.id} goes back: {_shortened(findings[0])}{more}")
        shown = reply.refusal.shown if reply.refusal else reply.text
        feedback = Feedback(reply=shown, findings=findings[:FINDINGS_SHOWN])
    assert feedback is not None  # noqa: S101 (attempts >= 1)
    return Rejected(
        stage=stage,
        reason=Reason.DRAFT_REFUSED,
        message=f"{unit} is still refused after {desk.order.attempts} attempts",
        evidence=tuple(Fact(what=finding, where=unit) for finding in feedback.findings),
        command=f"repowright author {desk.order.case_id} --until {stage}",
    )


def _judged(kind: type[D], reply: Reply, check: Callable[[D], Sequence[str]]) -> D | tuple[str, ...]:
    """The draft that a reply is, or what is wrong with it. One that may not be used is not read either."""
    if reply.refusal is not None:
        return reply.refusal.told
    found = _read(kind, reply.text)
    findings = found if isinstance(found, tuple) else tuple(check(found))
    return findings or found


def _shortened(finding: str) -> str:
    line = " ".join(finding.split())
    return line if len(line) <= _SHOWN else f"{line[:_SHOWN]} ..."


def _stable(prompt: Callable[[Feedback | None], str]) -> int:
    """How much of the prompt comes before anything that an attempt changes, in whole lines."""
    first, later = prompt(None), prompt(Feedback(reply="", findings=("",)))
    same = next((at for at, (one, other) in enumerate(zip(first, later, strict=False)) if one != other), len(first))
    return first.rfind("\n", 0, same) + 1


def _read(kind: type[D], text: str) -> D | tuple[str, ...]:
    try:
        return kind.model_validate_json(text)
    except ValidationError as error:
        return tuple(
            f"{'.'.join(map(str, item['loc'])) or 'reply'}: {item['msg']}"
            for item in error.errors(include_url=False, include_input=False)
        )
