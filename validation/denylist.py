"""The case's denylist, held against workspaces whose answer is known: right ones, and one that uses the source."""

from __future__ import annotations

import keyword
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from judge.subject import JudgeWorkspace, Subject
from taskpack.denylist import Denylist, read_denylist
from taskpack.errors import BadInput, EnvironmentFailed, RecordUnreadable
from taskpack.files import file_digest
from taskpack.gate import GateResult, failed, passed, skipped
from taskpack.layout import CaseFolder
from taskpack.order import GitSource
from taskpack.receipt import Input
from taskpack.rename import Names
from taskpack.requested import folded
from taskpack.verdict import Verdict
from validation.inputs import helper_inputs, judged_inputs, stored_inputs
from validation.parity import differences, workspaces_of
from validation.reading import order_of
from validation.roundtrip import arrived
from validation.stored import stored_controls
from validation.trials import Maker, judge_made, side_by_side
from validation.workspaces import copy_reference

_CODE = "NEU-DENYLIST"
_REFERENCE = "reference"
_PLACE = "uses_the_source"
"""Folder of the workspace that must be stopped, where it does what is banned."""
_ASKED = 20
"""So many names of each kind are tried: a verdict tells no more than 200 hits."""
_SHOWN = 20


@dataclass(frozen=True, kw_only=True)
class SourceNames:
    """By what names a solver could install or import what the case was made from."""

    dists: tuple[str, ...]
    """Distributions, folded as the list compares them."""
    roots: tuple[str, ...]
    """Import roots; those that the distributions' names give where none is known."""


@dataclass(frozen=True, kw_only=True)
class _Compared:
    """A right workspace, judged without the list and behind it."""

    name: str
    without: Verdict
    behind: Verdict

    def lines(self) -> list[str]:
        """What is not the same, with the causes behind the list. The reference must also score 1."""
        found = differences(self.without, self.behind, here="without the list", there="behind it")
        if not found and self.name == _REFERENCE and self.behind.reward != 1:
            found = (f"reward {self.behind.reward} behind the list and without it",)
        causes = self.behind.causes[:_SHOWN] if found else ()
        return [f"{self.name}: {line}" for line in (*causes, *found[:_SHOWN])]


def check_denylist(subject: Subject) -> GateResult:
    """The list names the source; behind it, right workspaces come out as without it, and one that uses the source does
    not. Workspaces take the way of a submission first, as with `repowright judge`."""
    case, inputs = subject.case, _inputs(subject)
    if subject.behind_bans is None:
        return skipped("workspaces cannot be judged behind a denylist here", inputs=inputs)
    gone = [path for path in (case.denylist, case.names) if not path.is_file()]
    if gone:
        lines = [f"{path.relative_to(case.root).as_posix()} is missing" for path in gone]
        return failed("there is no denylist, or nothing to hold it against", evidence=lines, inputs=inputs)
    try:
        listed, source, makers = read_denylist(case.denylist), source_names(case), _right(subject)
    except RecordUnreadable as error:
        return failed("a record of the case cannot be read", evidence=[error.render()], inputs=inputs)
    if unnamed := list(_unnamed(listed, source)):
        return failed("the denylist does not name the source", evidence=unnamed, inputs=inputs)
    try:
        behind = subject.behind_bans(listed)
    except (BadInput, EnvironmentFailed) as error:
        return failed("nothing can be judged behind the denylist", evidence=_told(error), inputs=inputs)
    return replace(_judged(subject, behind, source, makers), inputs=inputs)


def _judged(subject: Subject, behind: JudgeWorkspace, source: SourceNames, makers: Mapping[str, Maker]) -> GateResult:
    compared = list(side_by_side(lambda name: _compare(subject, behind, name, makers[name]), makers))
    lost = [line for one in compared for line in one.lines()]
    causes, passes = _stop_source(subject, behind, source)
    if lost or passes:
        faults = (("stops a right workspace", lost), ("does not stop what uses the source", passes))
        said = " and ".join(fault for fault, lines in faults if lines)
        return failed(f"the denylist {said}", evidence=[*lost, *passes])
    same = [f"{one.name}: {len(one.behind.nodes)} nodes alike, reward {one.behind.reward}" for one in compared]
    return passed(
        f"{len(same)} right workspaces come out alike behind the denylist; it stops {len(causes)} uses of the source",
        evidence=[*same, *(f"stopped: {cause}" for cause in causes[:_SHOWN])],
    )


def source_names(case: CaseFolder) -> SourceNames:
    """From what the names stage found and the order. Raises `RecordUnreadable`."""
    terms = Names.from_bytes(case.names.read_bytes(), where=str(case.names)).terms
    source = order_of(case).source
    dists = {folded(term.surface) for term in terms if term.kind == "dist"}
    if not isinstance(source, GitSource):
        dists.add(folded(source.name))
    roots = {term.surface for term in terms if term.kind == "import-root"}
    return SourceNames(
        dists=tuple(sorted(dists)), roots=tuple(sorted(roots or {dist.replace("-", "_") for dist in dists}))
    )


def uses(source: SourceNames) -> Mapping[str, tuple[str, ...]]:
    """Path -> lines of files that import, need and hold the source; a copy of it has no line."""
    roots = source.roots[:_ASKED]
    return {
        f"{_PLACE}/imports.py": tuple(f"import {root}" for root in roots if _importable(root)),
        f"{_PLACE}/requirements.txt": source.dists[:_ASKED],
        **{f"{_PLACE}/_vendor/{root}/__init__.py": () for root in roots},
    }


def _right(subject: Subject) -> dict[str, Maker]:
    """The reference, and the stored controls that must score 1."""
    right = {f"control {name}" for name, expected in stored_controls(subject.case).items() if expected.reward == 1}
    return {name: make for name, make in workspaces_of(subject).items() if name in {_REFERENCE, *right}}


def _unnamed(listed: Denylist, source: SourceNames) -> Iterator[str]:
    """An empty list is no clean list, and one of other names is none for this source."""
    if not source.dists and not source.roots:
        yield "provenance/names.json names no distribution and no import root, so nothing says what must be banned"
    if not listed.install_ban and not listed.import_ban:
        yield "source/denylist.json bans nothing"
    yield from (f"distribution {name} is not in install_ban" for name in source.dists if name not in listed.installs)
    yield from (f"import root {root} is not in import_ban" for root in source.roots if root not in listed.roots)


def _told(error: BadInput | EnvironmentFailed) -> tuple[str, ...]:
    return (error.message, *(f"{label}: {fact}" for label, fact in error.details.items()))


def _compare(subject: Subject, behind: JudgeWorkspace, name: str, make: Maker) -> _Compared:
    place, sent = f"{_CODE}-{name}".replace(" ", "-"), partial(arrived, make, [])
    return _Compared(
        name=name,
        without=judge_made(subject, f"{place}-without", sent),
        behind=judge_made(subject, f"{place}-behind", sent, judge=behind),
    )


def _stop_source(subject: Subject, behind: JudgeWorkspace, source: SourceNames) -> tuple[list[str], list[str]]:
    """The reference with uses of the source added: the causes that stop it, and what is not stopped, as evidence."""
    files = uses(source)
    contents = {path: "".join(f"{line}\n" for line in lines).encode() for path, lines in files.items()}
    make = partial(copy_reference, subject.reference, replaced=contents)
    verdict = judge_made(subject, f"{_CODE}-source", partial(arrived, make, []), judge=behind)
    causes: list[str] = []
    passes = [] if verdict.reward == 0 else [f"the reference with {_PLACE}/: reward {verdict.reward}, expected 0"]
    for place, use in _places(files):
        cause = next((cause for cause in verdict.causes if f" {place}: " in cause), "")
        causes += [cause] if cause else []
        passes += [] if cause else [f"not stopped: {place}: {use}"]
    return causes, passes


def _places(files: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, str]]:
    """Where a hit must be told (`PATH:LINE`), and of what. A copy is told of its folder, as line 0."""
    for path, lines in files.items():
        if not lines and path.endswith("/__init__.py"):
            yield f"{path.removesuffix('/__init__.py')}:0", "a copy under its own name"
        yield from ((f"{path}:{number}", line) for number, line in enumerate(lines, 1))


def _importable(root: str) -> bool:
    return all(part.isidentifier() and not keyword.iskeyword(part) for part in root.split("."))


def _inputs(subject: Subject) -> tuple[Input, ...]:
    case = subject.case
    records = (("denylist", case.denylist), ("names", case.names), ("order", case.order))
    return (
        *(Input(name=name, digest=file_digest(path)) for name, path in records if path.is_file()),
        *judged_inputs(subject),
        *stored_inputs(subject),
        *helper_inputs(_CODE),
    )
