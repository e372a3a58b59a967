"""Whether the documents say everything that the suite needs: names of the product, and values that are behaviour."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from authoring.overview import stated, stated_in
from environments.languages.python.literals import named_literals
from environments.languages.python.used_names import leaned_on, made_names
from judge.judging import suite_digest
from judge.subject import Subject
from taskpack.files import tree_digest
from taskpack.gate import GateResult, failed, passed
from taskpack.receipt import Input
from taskpack.spec import Spec
from taskpack.suite import TestManifest

_CODE = re.compile(r"```.*?```|`[^`\n]+`", re.DOTALL)


def check_stated(subject: Subject) -> GateResult:
    """Each name that a scenario leans on stands in the contract; each value of the reference that a test file holds
    stands in a document; each named value of a file that clauses rest on does, or is left open by name."""
    case = subject.case
    spec = Spec.from_bytes(case.spec.read_bytes(), where="provenance/spec.json")
    manifest = TestManifest.model_validate_json(case.test_manifest.read_bytes())
    contract, prd = (path.read_text("utf-8") for path in (case.contract, case.prd))
    sources = product_sources(subject.reference, manifest.product_paths)
    values = _values(sources)
    rested_on = _rested_on(spec)
    asked_for = _values({path: text for path, text in sources.items() if path in rested_on})
    evidence = [
        *_unsaid_names(case.tests, spec.product, sources, contract),
        *_unsaid_values(case.tests, _may_be_needed(spec, values, asked_for), f"{prd}\n{contract}"),
        *_unnamed(spec, asked_for),
    ]
    inputs = [
        Input(name="public", digest=tree_digest(case.public)),
        Input(name="reference", digest=tree_digest(subject.reference)),
        Input(name="spec", digest=spec.digest()),
        Input(name="suite", digest=suite_digest(case.suite)),
    ]
    if evidence:
        return failed(
            "the documents leave out what the suite or the product rests on", evidence=evidence, inputs=inputs
        )
    return passed(f"{len(asked_for)} named values and every name that a scenario uses are stated", inputs=inputs)


def _values(sources: Mapping[str, bytes]) -> Mapping[str, str]:
    """Named values, each with where it stands."""
    return {each.value: f"{path}:{each.line}" for path, text in sources.items() for each in named_literals(text)}


def _rested_on(spec: Spec) -> frozenset[str]:
    """Files that clauses give as evidence. The product may have more, which no feature point asks for."""
    clauses = spec.clauses()
    return frozenset(evidence.path for clause in clauses for evidence in clause.evidence)


def product_sources(reference: Path, paths: Sequence[str]) -> Mapping[str, bytes]:
    """Modules of the product: path relative to the reference -> text."""
    files = (file for path in paths for file in sorted((reference / path).rglob("*.py")))
    return {file.relative_to(reference).as_posix(): file.read_bytes() for file in files}


def _may_be_needed(spec: Spec, values: Mapping[str, str], asked_for: Mapping[str, str]) -> Mapping[str, str]:
    """All but values of other files that an author left open: that a test holds one is chance, and was looked at."""
    left_open = {each.value for each in spec.overview.left_open} - asked_for.keys()
    return {value: where for value, where in values.items() if value not in left_open}


def _unsaid_names(tests: Path, product: str, sources: Mapping[str, bytes], contract: str) -> Iterator[str]:
    """Modules and imports must stand in the contract; attributes and keywords must when the product makes them."""
    made = frozenset().union(*map(made_names, sources.values()))
    code = " ".join(_CODE.findall(contract))  # a word of its prose names nothing
    words = set(re.findall(r"\w+", code))
    for file in sorted((tests / "scenarios").glob("*.py")):
        for what, name in sorted(leaned_on(file.read_text("utf-8"), product=product)):
            is_said = name in code if what == "module" else name in words
            if not is_said and (what in {"module", "import"} or name in made):
                yield f"scenarios/{file.name}: the contract does not name the {what} `{name}`"


def _unsaid_values(tests: Path, values: Mapping[str, str], documents: str) -> Iterator[str]:
    for file in sorted([*tests.glob("F[0-9][0-9]_*.py"), *(tests / "scenarios").glob("*.py")]):
        for text in sorted(_texts(ast.parse(file.read_bytes())) & values.keys()):
            if text not in documents:
                yield f"{file.name}: `{text}` is a value of the reference ({values[text]}) that no document states"


def _texts(tree: ast.Module) -> set[str]:
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes):
            found.add(node.value if isinstance(node.value, str) else node.value.decode("latin-1"))
    return found


def _unnamed(spec: Spec, values: Mapping[str, str]) -> Iterator[str]:
    told = stated(spec.features, spec.forms, values) | stated_in(spec.overview, values)
    told |= {each.value for each in spec.overview.left_open}
    for value in sorted(values.keys() - told):
        yield f"`{value}` ({values[value]}) is behaviour: no document states it, and it is not left open"
