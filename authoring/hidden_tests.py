"""The tests stage: a hidden suite drafted from the documents, linted, collected, and run on the reference."""

from __future__ import annotations

import ast
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import Field

from authoring.counting import distinct_tests
from authoring.documents import Documents, render_documents
from authoring.drafting import Desk, Feedback, draft, draft_all
from authoring.spec_findings import compared, scenario_roots
from authoring.suite_lint import lint_tests
from authoring.twins import twin_findings
from judge.bundle_lib import copy_lib
from judge.harness.clauses import TWINS
from judge.scenario_lint import lint_scenarios
from taskpack.files import file_digest, walk, write_bytes
from taskpack.outcome import Fact, Reason, Rejected, Stage, Waiting
from taskpack.record import Part, to_json
from taskpack.rendering import render
from taskpack.spec import FeaturePoint, Spec
from taskpack.suite import Suite, SuiteFile, TestManifest, TestNode
from taskpack.verdict import NodeResult, Verdict

VERSION = 1

Collect = Callable[[Path], Mapping[str, tuple[str, ...]]]
"""Collects a suite folder on the bench: node id -> clause ids. Raises `SuiteBroken` when pytest cannot."""
Judge = Callable[[Path, Path], Verdict]
"""Judges (suite folder, workspace)."""


class TestsDraft(Part):
    """A model's draft of the suite of one feature point: the text of three files."""

    __test__ = False

    scenarios: str = Field(min_length=1)
    acceptance: str = Field(min_length=1)
    helpers: str = Field(min_length=1)


@dataclass(frozen=True, kw_only=True)
class Range:
    """Where a drafted suite is tried out."""

    reference: Path
    product_paths: tuple[str, ...]
    scratch: Path
    collect: Collect
    judge: Judge


def draft_suite(desk: Desk, spec: Spec, bench: Range, *, dest: Path) -> Suite | Rejected | Waiting:
    """Draft each feature point's files and record the whole suite below `dest` (a `milestones/final` folder)."""
    documents = render_documents(spec, language=desk.order.language)
    features = {feature.id: feature for feature in spec.features}
    drafts = draft_all(tuple(features), lambda id_, _: _draft_feature(desk, spec, features[id_], documents, bench))
    if not isinstance(drafts, dict):
        return drafts
    write_suite(dest, drafts)
    nodes = bench.collect(dest)
    found = distinct_tests({each.id: drafts[each.id].acceptance for each in spec.features})
    if found < desk.order.floors.nodes:
        return _too_few(desk, found)
    wanted = desk.order.floors.nodes
    desk.note(f"    {len(nodes)} nodes; {found} tests that differ by more than names and constants (at least {wanted})")
    return record(dest, spec, nodes=nodes, language=desk.order.language, product_paths=bench.product_paths)


def _too_few(desk: Desk, found: int) -> Rejected:
    wanted = desk.order.floors.nodes
    return Rejected(
        stage=Stage.TESTS,
        reason=Reason.DRAFT_REFUSED,
        message=f"{found} tests that differ by more than names and constants, at least {wanted} are wanted",
        evidence=(Fact(what="parameter tables and copies count once", where="floors.nodes"),),
        command=f"repowright author {desk.order.case_id} --until tests",
    )


def _draft_feature(
    desk: Desk, spec: Spec, feature: FeaturePoint, documents: Documents, bench: Range
) -> TestsDraft | Rejected | Waiting:
    floor = -(-desk.order.floors.nodes // len(spec.features))

    def prompt(feedback: Feedback | None) -> str:
        return render(
            "prompts/tests.md.j2",
            order=desk.order,
            feature=feature,
            number=number(feature.id),
            documents=documents,
            floor=floor,
            twins=sorted(TWINS),
            compared=compared(form.name for form in spec.forms),
            timed=any(clause.probe.now is not None for clause in feature.clauses),
            feedback=feedback,
        )

    return draft(
        TestsDraft,
        desk=desk,
        stage=Stage.TESTS,
        unit=feature.id,
        prompt=prompt,
        check=lambda answer: suite_findings(answer, feature=feature, spec=spec, floor=floor, bench=bench),
    )


def number(feature_id: str) -> str:
    """`FP-03` -> `F03`, the spelling of file names."""
    return feature_id.replace("P-", "")


def suite_findings(
    answer: TestsDraft, *, feature: FeaturePoint, spec: Spec, floor: int, bench: Range
) -> tuple[str, ...]:
    """Everything that is wrong with a draft; it is collected and run only when its text is in order."""
    name = number(feature.id)
    helpers = [f"{name}_helpers"]
    roots = scenario_roots(spec.product, (form.name for form in spec.forms))
    findings = [
        *lint_scenarios(answer.scenarios, f"scenarios/{name}.py", allowed_roots=roots),
        *lint_tests(answer.acceptance, path=f"{name}_acceptance.py", helpers=helpers, product=spec.product),
        *lint_tests(answer.helpers, path=f"{name}_helpers.py", helpers=(), product=spec.product),
    ]
    if not answer.acceptance.startswith(f"# feature: {name}\n"):
        findings.append(f"{name}_acceptance.py:1: the first line must be `# feature: {name}`")
    if not findings:
        ids = [clause.id for clause in feature.clauses]
        findings += twin_findings(answer.acceptance, path=f"{name}_acceptance.py", clauses=ids)
        distinct = distinct_tests({name: answer.acceptance})
        if distinct < floor:
            findings.append(
                f"{distinct} tests that differ by more than names and constants (a table of parameters counts once), at"
                f" least {floor} are wanted"
            )
    if findings:
        return tuple(findings)
    suite = bench.scratch / f"suite-{name}"
    shutil.rmtree(suite, ignore_errors=True)
    write_suite(suite, {feature.id: answer})
    try:
        nodes = bench.collect(suite)
    except SuiteBroken as error:
        return tuple(error.problems)
    findings += _coverage_findings(nodes, feature)
    if findings:
        return tuple(findings)
    record(suite, spec, nodes=nodes, language="python", product_paths=bench.product_paths)
    verdict = bench.judge(suite, bench.reference)
    return tuple(
        f"{node.id}: {node.result} on the reference: {node.cause}"
        for node in verdict.nodes
        if node.result is not NodeResult.PASSED
    )


class SuiteBroken(Exception):
    """pytest could not collect the suite."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("; ".join(problems))
        self.problems = tuple(problems)


def _coverage_findings(nodes: Mapping[str, tuple[str, ...]], feature: FeaturePoint) -> list[str]:
    known = {clause.id for clause in feature.clauses}
    cited = {clause for clauses in nodes.values() for clause in clauses}
    findings = [
        f"{node} cites {clause}, which is no clause here"
        for node, ids in sorted(nodes.items())
        for clause in ids
        if clause not in known
    ]
    findings += [f"{clause} is cited by no test" for clause in sorted(known - cited)]
    return findings


def write_suite(root: Path, drafts: Mapping[str, TestsDraft]) -> None:
    """The suite's files as they are collected: drafts, harness, driver and wire."""
    tests = root / "tests"
    copy_lib(tests)
    for feature_id, answer in drafts.items():
        name = number(feature_id)
        write_bytes(tests / f"{name}_acceptance.py", answer.acceptance.encode())
        write_bytes(tests / f"{name}_helpers.py", answer.helpers.encode())
        write_bytes(tests / "scenarios" / f"{name}.py", answer.scenarios.encode())


def record(
    root: Path,
    spec: Spec,
    *,
    nodes: Mapping[str, tuple[str, ...]],
    language: str,
    product_paths: tuple[str, ...] = ("src",),
) -> Suite:
    """Freeze the node ids and write `test_manifest.json` and `coverage_matrix.json` beside the files."""
    manifest = manifest_of(root, nodes=nodes, language=language, product_paths=product_paths)
    write_bytes(root / "test_manifest.json", to_json(manifest.model_dump(mode="json", exclude_none=True)))
    write_bytes(root / "coverage_matrix.json", to_json(coverage_matrix(spec, nodes)))
    files = tuple(
        SuiteFile(path=path.relative_to(root).as_posix(), sha256=file_digest(path)) for path in walk(root / "tests")
    )
    return Suite(
        files=files,
        nodes=tuple(TestNode(id=node, clauses=nodes[node]) for node in sorted(nodes)),
        product_paths=manifest.product_paths,
        language=language,
        needs=manifest.needs,
    )


def command_template(product_paths: Sequence[str]) -> str:
    """How the suite runs under plain pytest, with the product on its import path."""
    return f"PYTHONPATH={':'.join(product_paths)} python3 -m pytest {{test_files}}"


def manifest_of(
    root: Path, *, nodes: Mapping[str, tuple[str, ...]], language: str, product_paths: tuple[str, ...]
) -> TestManifest:
    """The manifest of `formats/zero2repo.md` section 6 over the files below `root`."""
    tests = root / "tests"
    shared = tuple(path.relative_to(root).as_posix() for path in walk(tests) if _is_shared(path.relative_to(tests)))
    own = tuple(sorted(path.relative_to(root).as_posix() for path in tests.glob("F[0-9][0-9]_*.py")))
    groups: dict[str, tuple[str, ...]] = {"F00": shared}
    for path in own:
        name = Path(path).name[:3]
        groups[name] = (*groups.get(name, ()), path)
    template = command_template(product_paths)
    return TestManifest(
        test_files=own,
        test_command=template.format(test_files=" ".join(own)),
        test_command_template=template,
        execution_groups=groups,
        expected_test_count=len(nodes),
        node_ids=tuple(sorted(nodes)),
        clauses={node: nodes[node] for node in sorted(nodes)},
        product_paths=product_paths,
        language=language,
        needs=tuple(
            sorted({need for path in tests.glob("F[0-9][0-9]_*.py") for need in needs_of(path.read_text("utf-8"))})
        ),
    )


def needs_of(source: str) -> Iterator[str]:
    """What a test file needs of the sandbox: a clock to tell the product the time, a terminal to run a program on."""
    for call in (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)):
        if isinstance(call.func, ast.Attribute) and call.func.attr == "at":
            yield "clock"
        if any(word.arg == "terminal" for word in call.keywords):
            yield "terminal"


def _is_shared(relative: Path) -> bool:
    return relative.name == "conftest.py" or relative.parts[0] in {"_lib", "scenarios"}


def coverage_matrix(spec: Spec, nodes: Mapping[str, tuple[str, ...]]) -> dict[str, object]:
    """`coverage_matrix.json`, schema version 1: a capability a clause, with node-level references."""
    features = {}
    capabilities = []
    for feature in spec.features:
        name = number(feature.id)
        features[name] = {
            "core_capabilities": [{"id": clause.id, "description": clause.text} for clause in feature.clauses],
            "test_files": [f"tests/{name}_acceptance.py"],
        }
        for clause in feature.clauses:
            refs = sorted(node for node, ids in nodes.items() if clause.id in ids)
            capabilities.append(
                {
                    "capability_id": clause.id,
                    "prd_refs": [feature.id],
                    "priority": "core",
                    "coverage_status": "core_covered" if refs else "gap_or_risk",
                    "test_refs": refs,
                    "strength": ["negative_type" if clause.kind == "error" else "value_oracle"],
                }
            )
    return {"schema_version": 1, "features": features, "capabilities": capabilities}
