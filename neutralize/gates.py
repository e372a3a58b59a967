"""Gates on neutrality."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from collections.abc import Iterable, Iterator

from judge.subject import Subject
from neutralize.authored import read_authored
from neutralize.copies.gate import GATE as COPIES
from neutralize.scan import ScanReport, scan
from neutralize.traverse import Item, items
from neutralize.waivers import read_waivers, unwaived
from taskpack.files import file_digest
from taskpack.gate import Gate, GateResult, failed, passed
from taskpack.layout import CaseFolder
from taskpack.receipt import Input
from taskpack.record import to_json
from taskpack.rename import Names

_LEAVES = ("public", "milestones", "controls")
_HARNESS = ("recipe.lock.json", "env")
_MAX_LINES = 30


def released(case: CaseFolder) -> Iterator[Item]:
    """Everything that leaves the case for solvers, harness and judge.

    `denylist.json` and the manifest's `sensitive_terms` hold the terms by purpose and are left out; nothing else is.
    """
    yield from items(case.root, _LEAVES)
    yield from items(case.root, tuple(f"source/{name}" for name in _HARNESS))
    if case.manifest.is_file():
        yield _manifest(case)


def _manifest(case: CaseFolder) -> Item:
    path = case.manifest.relative_to(case.root).as_posix()
    data = case.manifest.read_bytes()
    try:
        manifest = json.loads(data)
    except ValueError:
        return Item(path=path, data=data)
    if isinstance(manifest, dict) and "sensitive_terms" in manifest:
        del manifest["sensitive_terms"]
        data = to_json(manifest)
    return Item(path=path, data=data)


def _check_scan(subject: Subject) -> GateResult:
    case = subject.case
    if not case.names.is_file():
        return failed("there is no term list", evidence=("provenance/names.json is missing",))
    names = Names.from_bytes(case.names.read_bytes(), where=str(case.names))
    waivers_path = case.provenance / "waivers.json"
    authored = read_authored(case.provenance / "terms.toml")
    seen: list[tuple[str, bytes]] = []
    report = scan(_noted(released(case), seen), authored.applied(names.terms) if authored else names.terms)
    inputs = tuple(_inputs(case, seen))
    today = dt.datetime.now(tz=dt.UTC).date()
    standing = unwaived(report.findings, read_waivers(waivers_path), today=today)
    evidence = [finding.render() for finding in standing]
    evidence += [f"{item.path}: not scanned: {item.problem}" for item in report.unscanned]
    evidence += _missing(case, report)
    if evidence:
        shown = (
            *evidence[:_MAX_LINES],
            *([f"and {len(evidence) - _MAX_LINES} more"] if len(evidence) > _MAX_LINES else []),
        )
        return failed(
            f"{len(standing)} places name the source, {len(report.unscanned)} files could not be read",
            evidence=shown,
            inputs=inputs,
        )
    waived = len(report.findings) - len(standing)
    return passed(
        f"{report.files} files hold none of {report.terms} names",
        evidence=((f"{waived} places held by waivers",) if waived else ()),
        inputs=inputs,
    )


def _missing(case: CaseFolder, report: ScanReport) -> Iterator[str]:
    """An empty scan is no clean scan."""
    if not report.terms:
        yield "provenance/names.json holds no term"
    for path in (case.prd, case.contract):
        if not path.is_file():
            yield f"{path.relative_to(case.root).as_posix()} is missing"


def _noted(found: Iterable[Item], seen: list[tuple[str, bytes]]) -> Iterator[Item]:
    """Items as they pass, with the path and the digest of each put down in `seen`."""
    for item in found:
        seen.append((item.path, hashlib.sha256(item.data or b"").digest()))
        yield item


def _inputs(case: CaseFolder, seen: list[tuple[str, bytes]]) -> Iterator[Input]:
    total = hashlib.sha256()
    for path, digest in sorted(seen, key=lambda one: one[0]):
        total.update(path.encode() + b"\0" + digest)
    yield Input(name="names", digest=file_digest(case.names))
    yield Input(name="released", digest=total.hexdigest())
    for name, file in (("waivers", "waivers.json"), ("terms", "terms.toml")):
        if (case.provenance / file).is_file():
            yield Input(name=name, digest=file_digest(case.provenance / file))


GATES: tuple[Gate[Subject], ...] = (
    COPIES,
    Gate(
        code="NEU-SCAN",
        holds="Nothing that leaves the case for solvers, harness or judge names its source.",
        version=1,
        cost=1,
        remedy="Reword the place, or record a decision on a REVIEW in provenance/waivers.json.",
        check=_check_scan,
        # The kill matrix leaves the case as well, and stands in it from then on.
        requires=("STR-MUTANTS",),
    ),
)
