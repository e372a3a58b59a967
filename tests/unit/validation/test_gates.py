"""What each gate of validation says, with a judge that answers by rule."""

from __future__ import annotations

import dataclasses
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from judge.subject import Subject
from taskpack.gate import GateResult
from taskpack.receipt import GateVerdict
from taskpack.verdict import Verdict
from validation import strength
from validation.gates import GATES
from validation.inputs import helper_digests
from validation.matrix import build_matrix
from validation.reading import manifest_of

MakeSubject = Callable[[Callable[[Path, str | None], set[str]]], Subject]
ONE = {"test_a_sum_is_exact"}


def check(code: str, subject: Subject) -> GateResult:
    return next(gate for gate in GATES if gate.code == code).check(subject)


def nobody(workspace: Path, seed: str | None) -> set[str]:
    return set()


def somebody(workspace: Path, seed: str | None) -> set[str]:
    return ONE


def named(*names: str) -> Callable[[Path, str | None], set[str]]:
    return lambda workspace, seed: ONE if workspace.name in names else set()


@pytest.mark.parametrize("seed", ["reference-1", "reference-2", "reference-3"])
def test_a_reference_that_fails_with_one_seed_is_refused_and_the_seed_named(make_subject: MakeSubject, seed) -> None:
    result = check("REF-PASS", make_subject(lambda workspace, given: ONE if given == seed else set()))
    assert result.verdict is GateVerdict.FAIL
    assert [line.split(":")[0] for line in result.evidence] == [f"seed {seed}"]
    assert "test_a_sum_is_exact" in result.evidence[0]


def test_a_reference_that_always_passes_is_accepted(make_subject: MakeSubject) -> None:
    assert check("REF-PASS", make_subject(nobody)).verdict is GateVerdict.PASS


HOLLOW = ["empty-folder", "empty-files", "stubs-return-none", "stubs-not-implemented"]


@pytest.mark.parametrize("name", [*HOLLOW, "exits-at-import", "dies-at-import"])
def test_one_accepted_vacuous_workspace_is_enough_to_fail(make_subject: MakeSubject, name: str) -> None:
    result = check("STR-VACUOUS", make_subject(lambda workspace, _: set() if workspace.name == name else ONE))
    assert result.verdict is GateVerdict.FAIL
    assert [line.split(":")[0] for line in result.evidence] == [name]


def test_refusing_every_vacuous_workspace_passes(make_subject: MakeSubject) -> None:
    result = check("STR-VACUOUS", make_subject(somebody))
    assert (result.verdict, len(result.evidence)) == (GateVerdict.PASS, 6)


@pytest.mark.parametrize(("place", "asked"), [(0, [1]), (1, [1, 0])], ids=["in the sample", "beyond it"])
def test_what_must_score_0_meets_a_sample_and_then_the_whole_suite(
    make_subject: MakeSubject, monkeypatch: pytest.MonkeyPatch, place: int, asked: list[int]
) -> None:
    monkeypatch.setattr(strength, "SAMPLE", 1)
    failing = manifest_of(make_subject(nobody).case).node_ids[place].rpartition("::")[2]
    subject = make_subject(lambda _workspace, _seed: {failing})
    plain, seen = subject.judge, list[int]()

    def noting(workspace: Path, /, *, seed: str | None = None, only: tuple[str, ...] = ()) -> Verdict:
        seen.append(len(only))
        return plain(workspace, seed=seed, only=only)

    result = check("STR-VACUOUS", dataclasses.replace(subject, judge=noting))
    assert (result.verdict, sorted(seen)) == (GateVerdict.PASS, sorted(asked * 6))


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        (named("always-raising"), GateVerdict.PASS),
        (named("always-raising", "comment-only"), GateVerdict.FAIL),
        (nobody, GateVerdict.FAIL),
    ],
)
def test_both_controls_must_come_out_right(make_subject: MakeSubject, rule, expected: GateVerdict) -> None:
    assert check("STR-CONTROLS", make_subject(rule)).verdict is expected


@pytest.mark.parametrize("name", ["renamed-privates", "reordered-definitions", "other-layout"])
def test_a_rejected_variant_fails_its_gate(make_subject: MakeSubject, name: str) -> None:
    assert check("STR-VARIANTS", make_subject(nobody)).verdict is GateVerdict.PASS
    result = check("STR-VARIANTS", make_subject(named(name)))
    assert (result.verdict, len(result.evidence)) == (GateVerdict.FAIL, 1)


@pytest.mark.parametrize(
    ("code", "attacks"),
    [
        ("SEC-RUNNER", ["always_equal", "conftest_and_ini", "exit_zero", "patch_pytest"]),
        ("SEC-SHADOW", ["shadow_hmac"]),
    ],
)
def test_attacks_must_score_0_and_twins_1(make_subject: MakeSubject, code: str, attacks: list[str]) -> None:
    assert check(code, make_subject(named(*attacks))).verdict is GateVerdict.PASS
    for attack in attacks:
        others = [name for name in attacks if name != attack]
        assert check(code, make_subject(named(*others))).verdict is GateVerdict.FAIL
        assert check(code, make_subject(named(*attacks, f"{attack}-twin"))).verdict is GateVerdict.FAIL


def alternating(subject: list[Subject]) -> Callable[[Path, str | None], set[str]]:
    """Every mutant fails all nodes but one, another one for every second mutant."""

    def rule(workspace: Path, seed: str | None) -> set[str]:
        nodes = [node.rpartition("::")[2] for node in manifest_of(subject[0].case).node_ids]
        return set(nodes) - {nodes[ord(workspace.name[-1]) % 2]}

    return rule


def test_killed_mutants_pass_and_are_named_with_place_and_node(make_subject: MakeSubject) -> None:
    box: list[Subject] = []
    box.append(make_subject(alternating(box)))
    result = check("STR-MUTANTS", box[0])
    assert result.verdict is GateVerdict.PASS
    assert all("src/tally/" in line and "tests/F01_acceptance.py::" in line for line in result.evidence)
    assert check("STR-CLAUSE", box[0]).verdict is GateVerdict.PASS


def test_open_mutants_are_listed_and_their_clauses_are_not_protected(make_subject: MakeSubject) -> None:
    subject = make_subject(nobody)
    result = check("STR-MUTANTS", subject)
    assert result.verdict is GateVerdict.PASS
    assert all(line.startswith("open: ") and "every node passes" in line for line in result.evidence)
    unprotected = check("STR-CLAUSE", subject)
    assert unprotected.verdict is GateVerdict.FAIL
    assert len(unprotected.evidence) == 6
    assert "src/tally/amounts.py:" in unprotected.evidence[0]


def test_too_few_mutants_fail(make_subject: MakeSubject) -> None:
    subject = make_subject(nobody)
    order = subject.case.order
    order.write_text(order.read_text().replace("mutants = 8", "mutants = 10000"))
    result = check("STR-MUTANTS", subject)
    assert result.verdict is GateVerdict.FAIL
    assert "the floor is 10000" in result.evidence[0]


@pytest.mark.parametrize(
    ("change", "fact"),
    [
        ({"fate": "killed", "killers": []}, "by no frozen node"),
        ({"fate": "killed", "killers": ["tests/F01_acceptance.py::gone"]}, "by no frozen node"),
        ({"fate": "survived", "killers": [], "note": ""}, "without place or reason"),
    ],
)
def test_a_stored_matrix_with_an_unaccounted_mutant_fails(make_subject: MakeSubject, change, fact: str) -> None:
    subject = make_subject(nobody)
    stored = json.loads(build_matrix(subject).to_bytes())
    stored["results"][0] |= change
    subject.case.kill_matrix.write_text(json.dumps(stored))
    result = check("STR-MUTANTS", subject)
    assert result.verdict is GateVerdict.FAIL
    assert len(result.evidence) == 1
    assert fact in result.evidence[0]


def test_a_clause_without_a_node_is_named(make_subject: MakeSubject) -> None:
    box: list[Subject] = []
    box.append(make_subject(alternating(box)))
    path = box[0].case.test_manifest
    manifest = json.loads(path.read_text())
    manifest["clauses"] = {
        node: [c for c in ids if c != "FP-01.B1"] or ["FP-01.N1"] for node, ids in manifest["clauses"].items()
    }
    path.write_text(json.dumps(manifest))
    result = check("STR-CLAUSE", box[0])
    assert result.evidence == ("FP-01.B1 has no node",)


def test_every_answer_names_suite_and_reference_among_its_inputs(make_subject: MakeSubject) -> None:
    box: list[Subject] = []
    box.append(make_subject(alternating(box)))
    for gate in GATES:
        assert {"suite", "reference"} <= {each.name for each in gate.check(box[0]).inputs}


def store_control(subject: Subject, *, reward: int) -> None:
    folder = subject.case.controls / "clean_room"
    shutil.copytree(subject.reference, folder / "app")
    (folder / "expect.json").write_text(json.dumps({"reward": reward}))


def test_without_a_stored_control_nothing_is_claimed_and_it_is_said_what_to_store(make_subject: MakeSubject) -> None:
    result = check("FAIR-STORED", make_subject(nobody))
    assert result.verdict is GateVerdict.SKIP
    assert "controls/clean_room/app" in result.message
    assert next(gate for gate in GATES if gate.code == "FAIR-STORED").optional


@pytest.mark.parametrize("reward", [0, 1])
def test_a_stored_control_must_score_what_it_says(make_subject: MakeSubject, reward: int) -> None:
    subject = make_subject(nobody)
    store_control(subject, reward=reward)
    assert check("FAIR-STORED", subject).verdict is (GateVerdict.PASS if reward else GateVerdict.FAIL)


def without_settings(workspace: Path, seed: str | None) -> set[str]:
    return set() if (workspace / "settings/one.cfg").is_file() else ONE


@pytest.mark.parametrize(("mark", "expected"), [("pyvenv.cfg", GateVerdict.FAIL), ("two.cfg", GateVerdict.PASS)])
def test_a_reference_that_needs_what_stays_behind_fails_and_it_is_named(
    make_subject: MakeSubject, mark: str, expected: GateVerdict
) -> None:
    subject = make_subject(without_settings)
    (subject.reference / "settings").mkdir()
    for name in ("one.cfg", mark):
        (subject.reference / "settings" / name).write_text("")
    result = check("PKG-ROUNDTRIP", subject)
    assert result.verdict is expected
    if expected is GateVerdict.FAIL:
        assert result.evidence[0].startswith("reference: left behind: settings: a virtual environment")
        assert "test_a_sum_is_exact passed as it lies and failed as it arrives" in result.evidence[1]


def test_what_is_left_behind_and_not_missed_is_only_counted(make_subject: MakeSubject) -> None:
    subject = make_subject(nobody)
    (subject.reference / ".git").mkdir()
    store_control(subject, reward=1)
    result = check("PKG-ROUNDTRIP", subject)
    assert (result.verdict, len(result.evidence)) == (GateVerdict.PASS, 2)
    assert all(line.endswith("nodes alike, 1 things left behind") for line in result.evidence)


def test_a_reference_too_large_to_be_sent_fails(make_subject: MakeSubject, monkeypatch: pytest.MonkeyPatch) -> None:
    subject = make_subject(lambda workspace, _seed: set() if any(workspace.iterdir()) else ONE)
    monkeypatch.setattr("judge.workspace._FILES_CAP", 2)
    result = check("PKG-ROUNDTRIP", subject)
    assert result.verdict is GateVerdict.FAIL
    assert result.evidence[0] == "reference: left behind: the workspace has more than 2 entries"


def test_no_other_gate_may_have_nothing_to_ask() -> None:
    assert [gate.code for gate in GATES if gate.optional] == ["REF-FORK", "REF-PARITY", "ENV-ORACLE", "FAIR-STORED"]


def test_a_kill_far_from_the_evidence_protects_no_clause(make_subject: MakeSubject) -> None:
    box: list[Subject] = []
    box.append(make_subject(alternating(box)))
    spec = json.loads(box[0].case.spec.read_bytes())
    for clause in spec["features"][0]["clauses"]:
        if clause["id"] != "FP-01.N3":
            clause["evidence"] = [{"path": "src/tally/tags.py", "first_line": 3, "last_line": 3}]
    box[0].case.spec.write_text(json.dumps(spec))
    result = check("STR-CLAUSE", box[0])
    assert result.verdict is GateVerdict.FAIL
    assert {line.split()[0] for line in result.evidence} == {f"FP-01.{name}" for name in ("N1", "N2", "B1", "E1", "E2")}
    assert all("yields no viable mutant" in line for line in result.evidence)


def test_it_is_said_when_a_clause_is_protected_by_its_function_only(make_subject: MakeSubject) -> None:
    box: list[Subject] = []
    box.append(make_subject(alternating(box)))
    spec = json.loads(box[0].case.spec.read_bytes())
    for clause in spec["features"][0]["clauses"]:
        if clause["id"] == "FP-01.E2":
            clause["evidence"] = [{"path": "src/tally/amounts.py", "first_line": 17, "last_line": 18}]
    box[0].case.spec.write_text(json.dumps(spec))
    result = check("STR-CLAUSE", box[0])
    assert result.verdict is GateVerdict.PASS
    assert "1 of them by their functions" in result.message
    assert [line.split(":")[0] for line in result.evidence if "in the same function" in line] == ["FP-01.E2"]


MAKERS = {
    "REF-PASS": {"validation.workspaces"},
    "REF-FORK": {"validation.parity", "validation.workspaces"},
    "REF-PARITY": {"validation.parity", "validation.workspaces"},
    "PKG-ROUNDTRIP": {"validation.roundtrip", "validation.parity", "judge.submission", "judge.workspace"},
    "NEU-DENYLIST": {"validation.denylist", "neutralize.submitted.python_code", "judge.masking", "environments.denied"},
    "ENV-ORACLE": {"validation.probe", "validation.forwarding", "environments.offered", "environments.offered_inside"},
    "STR-VACUOUS": {"validation.variants", "environments.languages.python.hollow"},
    "STR-CONTROLS": {"validation.variants", "environments.languages.python.rewrite"},
    "STR-VARIANTS": {"validation.variants", "environments.languages.python.rewrite"},
    "FAIR-STORED": {"validation.stored"},
    "STR-MUTANTS": {"validation.matrix", "validation.mutants", "environments.languages.python.mutate"},
    "STR-CLAUSE": {"validation.ground", "validation.mutants", "environments.languages.python.syntax"},
    "SEC-RUNNER": {"validation.hostile.apply", "validation.variants", "environments.languages.python.rewrite"},
    "SEC-SHADOW": {"validation.hostile.apply", "validation.variants", "environments.languages.python.syntax"},
}


@pytest.mark.parametrize("code", MAKERS)
def test_every_answer_names_the_code_that_made_its_candidates(make_subject: MakeSubject, code: str) -> None:
    box: list[Subject] = []
    box.append(make_subject(alternating(box)))
    found = {
        each.name: each.digest for each in check(code, box[0]).inputs if each.name.startswith(("helper", "hostile"))
    }
    assert {f"helper {module}" for module in MAKERS[code]} <= set(found)
    assert found.items() <= helper_digests().items()


def test_the_helpers_are_all_of_the_room_and_the_pack_that_gates_reach(checkout: Path) -> None:
    assert set(MAKERS) == {gate.code for gate in GATES}
    hostile = {
        f"hostile {path.parent.name}" for path in (checkout / "validation/hostile/python").glob("*/candidate.toml")
    }
    assert {name for name in helper_digests() if name.startswith("hostile ")} == hostile
    rooms = {f"helper validation.{path.stem}" for path in (checkout / "validation").glob("*.py")}
    unnamed = {name.rpartition(".")[2] for name in rooms - set(helper_digests())}
    plumbing = {"inputs", "reading", "trials"}
    checks = {"gates", "protection", "strength"}
    about = {"__init__", "gates_page", "selftest"}
    assert unnamed == plumbing | checks | about


def test_requirements_are_gates_of_the_table() -> None:
    codes = {gate.code for gate in GATES}
    assert all(set(gate.requires) <= codes for gate in GATES)
    assert GATES[0].code == "REF-PASS"
