"""DOC-AGREE and STR-MANIFEST on the tiny case: what each finds, and the seeded defects under `tests/gates/`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from authoring.documents import render_documents, render_hardware
from authoring.gates import GATES, documents_agree, load_spec, manifest_agrees
from judge.subject import Subject
from taskpack.errors import BadInput
from taskpack.gate import GateResult
from taskpack.layout import CaseFolder
from taskpack.order import Language, Order, read_order
from taskpack.receipt import GateVerdict
from taskpack.record import to_json
from taskpack.rendering import CHECKOUT
from taskpack.verdict import Verdict
from validation.selftest import lay_out

GATES_FOLDER = CHECKOUT / "tests" / "gates"
MANIFEST = Path("case/milestones/final/test_manifest.json")
PRD = Path("case/public/Full_PRD.md")


def never(workspace: Path, /, *, seed: str | None = None, only: tuple[str, ...] = ()) -> Verdict:
    raise AssertionError("a structure gate judged something")


@pytest.fixture
def subject(tmp_path: Path) -> Subject:
    case, reference = lay_out(GATES_FOLDER / "_base", None, tmp_path)
    return Subject(case=case, reference=reference, scratch=tmp_path / "scratch", judge=never)


def edit(path: Path, change: Callable[[dict[str, Any]], object]) -> None:
    value = json.loads(path.read_bytes())
    change(value)
    path.write_bytes(to_json(value))


def seeded(code: str) -> dict[Path, bytes]:
    """The files of both overlays, from the base as it is now: each defect is one wrong fact, its twin is right."""
    prd = (GATES_FOLDER / "_base" / PRD).read_text()
    manifest = json.loads((GATES_FOLDER / "_base" / MANIFEST).read_bytes())
    root = GATES_FOLDER / code
    if code == "DOC-AGREE":
        assert prd.count("a point and two decimals") == 1
        wrong = prd.replace("a point and two decimals", "a point and three decimals")
        return {root / "defect" / PRD: wrong.encode(), root / "twin" / PRD: prd.encode()}
    if code == "DOC-STATED":
        return _stated(root)
    more = {**manifest, "expected_test_count": manifest["expected_test_count"] + 1}
    return {root / "defect" / MANIFEST: to_json(more), root / "twin" / MANIFEST: to_json(manifest)}


def _stated(root: Path) -> dict[Path, bytes]:
    """A default that no document states; the twin leaves it open by name."""
    place, spec = Path("reference/src/tally/tags.py"), Path("case/provenance/spec.json")
    source = (GATES_FOLDER / "_base" / place).read_text()
    assert source.count('"sha256"') == 1
    source = source.replace('"sha256"', "digest").replace("(text, key)", '(text, key, digest="sha256")')
    open_ = {"value": "sha256", "reason": "no caller of the contract sees the name of the digest"}
    told = json.loads((GATES_FOLDER / "_base" / spec).read_bytes())
    told["overview"]["left_open"] = [open_]
    sides = {side: {root / side / place: source.encode()} for side in ("defect", "twin")}
    return {**sides["defect"], **sides["twin"], root / "twin" / spec: to_json(told)}


@pytest.mark.parametrize("code", [gate.code for gate in GATES])
def test_overlays_follow_the_base(code: str, update_golden: bool) -> None:
    for path, content in seeded(code).items():
        if update_golden:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        assert path.read_bytes() == content, path.name


@pytest.mark.parametrize("gate", GATES, ids=lambda gate: gate.code)
def test_the_base_passes(gate: Any, subject: Subject) -> None:
    result = gate.check(subject)
    assert result.verdict is GateVerdict.PASS, result.evidence


def break_prd(case: CaseFolder) -> None:
    case.prd.write_text(case.prd.read_text().replace("##", "###", 1))


def break_contract(case: CaseFolder) -> None:
    case.contract.write_text(case.contract.read_text() + "\nOne more sentence.\n")


def lose_prd(case: CaseFolder) -> None:
    case.prd.unlink()


@pytest.mark.parametrize(
    ("change", "word"), [(break_prd, "Full_PRD.md:"), (break_contract, "Interface_Contract.md:"), (lose_prd, "0 times")]
)
def test_documents_that_are_not_the_specification_fail(
    subject: Subject, change: Callable[[CaseFolder], None], word: str
) -> None:
    change(subject.case)
    assert_failed(documents_agree(subject), word)


def test_a_sentence_that_stands_twice_fails(subject: Subject) -> None:
    def repeat(spec: dict[str, Any]) -> None:
        clauses = spec["features"][0]["clauses"]
        clauses[1]["text"] = clauses[0]["text"]

    edit(subject.case.spec, repeat)
    documents = render_documents(load_spec(subject), language=Language.PYTHON)
    subject.case.prd.write_text(documents.prd)
    subject.case.contract.write_text(documents.contract)
    assert_failed(documents_agree(subject), "2 times")


MANIFEST_DEFECTS: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "count": (lambda m: m.update(expected_test_count=99), "expected_test_count is 99"),
    "unsorted": (lambda m: m["node_ids"].reverse(), "not sorted and unique"),
    "lost node": (lambda m: m["node_ids"].pop(), "name other nodes"),
    "unknown clause": (lambda m: m["clauses"][m["node_ids"][0]].append("FP-09.N9"), "FP-09.N9"),
    "missing file": (lambda m: m["execution_groups"]["F00"].append("tests/none.py"), "tests/none.py is listed and missing"),
    "unlisted file": (lambda m: m["execution_groups"].pop("F01"), "in no execution group"),
    "command": (lambda m: m.update(test_command="pytest"), "test_command is"),
    "key": (lambda m: m.update(surprise=1), "surprise"),
}  # fmt: skip


@pytest.mark.parametrize("name", MANIFEST_DEFECTS)
def test_a_manifest_that_disagrees_fails(subject: Subject, name: str) -> None:
    change, word = MANIFEST_DEFECTS[name]
    edit(subject.case.test_manifest, change)
    assert_failed(manifest_agrees(subject), word)


def test_a_changed_harness_fails(subject: Subject) -> None:
    path = next(subject.case.tests.rglob("same.py"))
    path.write_text(path.read_text() + "# changed\n")
    assert_failed(manifest_agrees(subject), "is not the engine's file")


@pytest.mark.parametrize(
    ("name", "change", "word"),
    [
        ("recipe.lock.json", lambda m: m["runner"].update(install_command="x"), "install_command"),
        ("manifest.json", lambda m: m.update(case_id="case999"), "case999"),
        ("denylist.json", lambda m: m.update(install_ban=[], import_ban=[]), "bans nothing"),
    ],
    ids=["lock", "id", "denylist"],
)
def test_source_files_that_disagree_fail(
    subject: Subject, name: str, change: Callable[[dict[str, Any]], object], word: str
) -> None:
    edit(subject.case.root / "source" / name, change)
    assert_failed(manifest_agrees(subject), word)


def assert_failed(result: GateResult, word: str) -> None:
    assert result.verdict is GateVerdict.FAIL
    assert any(word in line for line in result.evidence), result.evidence


ASKED = """
[hardware]
summary = "One small machine is enough."
memory_mb = 256

[external]
destination = "/opt/models"

[[external.resources]]
id = "rates"
url = "https://files.example/secret-name/rates.bin"
sha256 = "{}"
size = 40231
directory = "eu"
license = "CC0-1.0"
""".format("a" * 64)


def ask(case: CaseFolder, text: str = ASKED) -> Order:
    case.order.write_text(f"{case.order.read_text().rstrip()}\n{text}")
    return read_order(case.order)


def test_the_page_on_hardware_is_what_the_order_gives_or_is_not_there(subject: Subject) -> None:
    case = subject.case
    case.hardware.write_text("# Hardware requirements\n")
    assert_failed(documents_agree(subject), "Hardware_Requirements.md:1: reads '# Hardware requirements'")
    order = ask(case)
    case.hardware.write_text(render_hardware(order))
    assert documents_agree(subject).verdict is GateVerdict.PASS
    case.hardware.write_text(render_hardware(order).replace("256 MiB", "255 MiB", 1))
    assert_failed(documents_agree(subject), "Hardware_Requirements.md:")
    case.hardware.unlink()
    assert_failed(documents_agree(subject), "Hardware_Requirements.md:1:")


def test_the_page_tells_what_a_solver_has_and_not_where_it_is_from(subject: Subject) -> None:
    page = render_hardware(ask(subject.case))
    for word in (
        "One small machine is enough.",
        "| memory | 256 MiB |",
        "`/opt/models/eu/rates.bin` | 40231 | CC0-1.0",
    ):
        assert word in page
    assert "secret-name" not in page
    assert "://" not in page


def test_an_order_that_asks_for_neither_has_no_such_page(subject: Subject) -> None:
    assert not render_hardware(read_order(subject.case.order))


def test_resources_are_what_the_order_names_or_are_not_there(subject: Subject) -> None:
    case = subject.case
    case.resources.parent.mkdir()
    case.resources.write_text("{}")
    assert_failed(manifest_agrees(subject), "source/env/resources.json is not what order.toml names")
    external = ask(case).external
    assert external
    assert_failed(manifest_agrees(subject), "source/env/resources.json is not what order.toml names")
    case.resources.write_bytes(external.to_harness())
    assert manifest_agrees(subject).verdict is GateVerdict.PASS


@pytest.mark.parametrize(
    ("field", "word"), [("sha256", "external.resources.0.sha256"), ("license", "resources.0.license")]
)
def test_a_resource_that_lacks_something_is_named_with_the_field(subject: Subject, field: str, word: str) -> None:
    lines = [line for line in ASKED.splitlines() if not line.startswith(field)]
    with pytest.raises(BadInput) as caught:
        ask(subject.case, "\n".join(lines))
    assert any(place.endswith(word) for place in caught.value.details)


@pytest.mark.parametrize("side", ["defect", "twin"])
def test_the_page_of_the_seeded_leak_is_what_its_order_gives(side: str, tmp_path: Path) -> None:
    case, _ = lay_out(GATES_FOLDER / "_base", GATES_FOLDER / "NEU-SCAN" / side, tmp_path)
    assert case.order.read_text().startswith((GATES_FOLDER / "_base/case/order.toml").read_text())
    assert case.hardware.read_text() == render_hardware(read_order(case.order))
