"""Structure gates: documents, specification, manifests and files on disk say the same thing."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

from pydantic import ValidationError

from authoring.documents import render_documents, render_hardware
from authoring.hidden_tests import coverage_matrix
from authoring.stated import check_stated
from judge.bundle_lib import lib_files
from judge.judging import suite_digest
from judge.subject import Subject
from taskpack.casefiles import CaseManifest, RecipeLock
from taskpack.denylist import Denylist
from taskpack.files import file_digest, tree_digest, walk
from taskpack.gate import Gate, GateResult, failed, passed
from taskpack.layout import CaseFolder
from taskpack.order import read_order
from taskpack.receipt import Input
from taskpack.spec import Spec
from taskpack.suite import TestManifest

_BACKTICKED = re.compile(r"`([A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*)`")


def load_spec(subject: Subject) -> Spec:
    """`provenance/spec.json` of the case."""
    return Spec.from_bytes(subject.case.spec.read_bytes(), where="provenance/spec.json")


def load_test_manifest(subject: Subject) -> TestManifest:
    """`milestones/final/test_manifest.json` of the case; raises `ValidationError` when it is not one."""
    return TestManifest.model_validate_json(subject.case.test_manifest.read_bytes())


def documents_agree(subject: Subject) -> GateResult:
    """The public documents are what the specification renders to, and name no form that it does not define."""
    case = subject.case
    spec = load_spec(subject)
    order = read_order(case.order)
    documents = render_documents(spec, language=order.language)
    hardware = render_hardware(order)
    inputs = [Input(name="public", digest=tree_digest(case.public)), Input(name="spec", digest=spec.digest())]
    inputs.append(Input(name="hardware", digest=hashlib.sha256(hardware.encode()).hexdigest()))
    evidence: list[str] = []
    pages = ((case.prd, documents.prd), (case.contract, documents.contract), (case.hardware, hardware))
    for path, wanted in pages:
        found = path.read_text("utf-8") if path.is_file() else ""
        evidence += [f"public/{path.name}:{line}" for line in _first_difference(found, wanted)]
    prd = case.prd.read_text("utf-8") if case.prd.is_file() else ""
    evidence += [
        f"{clause.id}: its sentence stands {prd.count(clause.text)} times in the PRD"
        for clause in spec.clauses()
        if prd.count(clause.text) != 1
    ]
    evidence += _ungrounded(spec)
    if evidence:
        return failed(
            "the documents and the specification disagree",
            evidence=evidence,
            remedy="edit provenance/spec.json's source, the draft, and render again; documents are never edited",
            inputs=inputs,
        )
    return passed(
        f"{len(spec.clauses())} clauses and {len(spec.forms)} forms stand in the documents as specified",
        inputs=inputs,
    )


def _first_difference(found: str, wanted: str) -> list[str]:
    if found == wanted:
        return []
    lines = zip([*found.splitlines(), None], [*wanted.splitlines(), None], strict=False)
    for number, (seen, right) in enumerate(lines, 1):
        if seen != right:
            return [f"{number}: reads {seen!r}, the specification gives {right!r}"]
    return ["1: differs in line ends only"]


def _ungrounded(spec: Spec) -> list[str]:
    """Dotted names in back-ticks in a clause must be forms."""
    roots = {form.name.partition(".")[0] for form in spec.forms}
    names = {form.name for form in spec.forms}
    return [
        f"{clause.id}: `{name}` is no form of the contract"
        for clause in spec.clauses()
        for name in _BACKTICKED.findall(clause.text)
        if "." in name and name.partition(".")[0] in roots and name not in names
    ]


def manifest_agrees(subject: Subject) -> GateResult:
    """Manifests, files on disk, node ids, clauses and the engine's harness agree."""
    case = subject.case
    inputs = [
        Input(name="order", digest=file_digest(case.order)),
        Input(name="source", digest=tree_digest(case.root / "source")),
        Input(name="spec", digest=load_spec(subject).digest()),
        Input(name="suite", digest=suite_digest(case.suite)),
    ]
    try:
        tests = load_test_manifest(subject)
        manifest = CaseManifest.model_validate_json(case.manifest.read_bytes())
        lock = RecipeLock.model_validate_json(case.recipe_lock.read_bytes())
        denylist = Denylist.model_validate_json(case.denylist.read_bytes())
    except (ValidationError, OSError, ValueError) as error:
        return failed("a manifest cannot be read", evidence=[str(error)], inputs=inputs)
    evidence = [
        *_file_findings(case.suite, tests),
        *_node_findings(subject, tests),
        *_harness_findings(case.tests, tests.language),
        *_source_findings(case.id, manifest, lock, denylist, tests),
        *_resource_findings(case),
    ]
    if evidence:
        return failed("manifests and files disagree", evidence=evidence, remedy="record the suite again", inputs=inputs)
    return passed(f"{len(tests.node_ids)} nodes in {len(tests.test_files)} files, as recorded", inputs=inputs)


def _file_findings(suite: Path, tests: TestManifest) -> list[str]:
    listed = {path for paths in tests.execution_groups.values() for path in paths}
    on_disk = {path.relative_to(suite).as_posix() for path in walk(suite / "tests") if "__pycache__" not in path.parts}
    findings = [f"{path} is listed and missing" for path in sorted((listed | set(tests.test_files)) - on_disk)]
    findings += [f"{path} is on disk and in no execution group" for path in sorted(on_disk - listed)]
    command = tests.test_command_template.format(test_files=" ".join(tests.test_files))
    if command != tests.test_command:
        findings.append(f"test_command is {tests.test_command!r}, the template gives {command!r}")
    return findings


def _node_findings(subject: Subject, tests: TestManifest) -> list[str]:
    known = {clause.id for clause in load_spec(subject).clauses()}
    findings = []
    if list(tests.node_ids) != sorted(set(tests.node_ids)):
        findings.append("node_ids are not sorted and unique")
    if set(tests.clauses) != set(tests.node_ids):
        odd = sorted(set(tests.clauses) ^ set(tests.node_ids))
        findings.append(f"clauses and node_ids name other nodes: {', '.join(odd)}")
    if tests.expected_test_count != len(tests.node_ids):
        findings.append(f"expected_test_count is {tests.expected_test_count}, there are {len(tests.node_ids)} node ids")
    files = set(tests.test_files)
    findings += [
        f"{node} lies in a file that is not listed" for node in tests.node_ids if node.partition("::")[0] not in files
    ]
    findings += [
        f"{node} cites {clause}, which the specification does not have"
        for node, clauses in sorted(tests.clauses.items())
        for clause in clauses
        if clause not in known
    ]
    matrix = json.loads(subject.case.coverage_matrix.read_bytes())
    if matrix != json.loads(json.dumps(coverage_matrix(load_spec(subject), tests.clauses))):
        findings.append("coverage_matrix.json is not what specification and nodes give")
    return findings


def _harness_findings(tests: Path, language: str) -> list[str]:
    findings = []
    for name, data in sorted(lib_files(language).items()):
        path = tests / name
        if not path.is_file():
            findings.append(f"tests/{name} is missing: it is the engine's harness")
        elif path.read_bytes() != data:
            findings.append(f"tests/{name} ({file_digest(path)[:12]}) is not the engine's file")
    return findings


def _source_findings(
    case_id: str, manifest: CaseManifest, lock: RecipeLock, denylist: Denylist, tests: TestManifest
) -> list[str]:
    facts = [
        ("manifest.case_id", manifest.case_id, case_id),
        ("recipe.lock.case_id", lock.case_id, case_id),
        ("denylist.case_id", denylist.case_id, case_id),
        ("manifest and lock install_command", lock.runner.install_command, manifest.runner.install_command),
        ("manifest and lock build_command", lock.runner.build_command, manifest.runner.build_command),
        ("test_command_template", tests.test_command_template, manifest.runner.test_command_template),
    ]
    findings = [f"{what}: {found!r} is not {wanted!r}" for what, found, wanted in facts if found != wanted]
    if not denylist.install_ban and not denylist.import_ban:
        findings.append("denylist.json bans nothing")
    return findings


def _resource_findings(case: CaseFolder) -> list[str]:
    """`source/env/resources.json` is what the order names, and is not there when it names nothing."""
    external = read_order(case.order).external
    wanted = external.to_harness() if external else b""
    found = case.resources.read_bytes() if case.resources.is_file() else b""
    return [] if found == wanted else ["source/env/resources.json is not what order.toml names in [external]"]


GATES: tuple[Gate[Subject], ...] = (
    Gate(
        code="DOC-AGREE",
        holds="The public documents are what specification and order render to; each clause stands in them once.",
        version=2,
        cost=0,
        remedy="Render the documents again; change the draft, never the document.",
        check=documents_agree,
    ),
    Gate(
        code="DOC-STATED",
        holds="All names and values that a suite rests on are stated, and named values of files that clauses rest on.",
        version=2,
        cost=0,
        remedy="State it in a clause or form, in a feature point's reply at `spec`; leave open by name, in that of the"
        " overview, only what no caller can see.",
        check=check_stated,
    ),
    Gate(
        code="STR-MANIFEST",
        holds="Manifests, resources, files, node ids, clauses and the engine's harness agree.",
        version=2,
        cost=0,
        remedy="Record the suite again with `repowright author CASE`.",
        check=manifest_agrees,
    ),
)
