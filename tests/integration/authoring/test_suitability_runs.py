"""The environment stage on tiny upstreams, for real: what fails offline is named for trimming, and trimming mends it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from authoring.environment import prepare, resolve
from environments import build as build_module
from environments.languages.python import fetch
from environments.languages.python.install import install_recipe
from environments.local import Local
from taskpack.layout import WorkFolder
from taskpack.order import Order
from taskpack.outcome import Reason, Rejected
from taskpack.recipe import Bench, Recipe
from taskpack.suitability import Suitability, Suitable
from tests.unit.authoring.sources import PROJECT, order

pytestmark = pytest.mark.sandbox

FLIT = b'[build-system]\nrequires = ["flit_core<4"]\nbuild-backend = "flit_core.buildapi"\n'
ABOUT = b'[project]\nname = "tallybook"\nversion = "1.0"\ndescription = "adds"\n'
NETWORK = b"import socket\ndef test_far(): socket.create_connection(('192.0.2.1', 80), 1)\n"


@pytest.fixture(scope="module")
def registry() -> None:
    if fetch.name_on_registry("pip") is None:
        pytest.skip("the package registry does not answer")


@pytest.fixture
def seen() -> list[Suitability]:
    return []


def source(root: Path, files: Mapping[str, bytes]) -> Path:
    for name, data in {**PROJECT, "pyproject.toml": FLIT + ABOUT, **files}.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(data)
    return root


def ordered(*extra: str) -> Order:
    command = ["python", "-m", "pytest", "-q", *extra]
    build = ["flit_core<4"]
    return order(testing={"requirements": ["pytest"], "build_requirements": build, "command": command, "expected": 1})


def prepared(wanted: Order, tree: Path, work: WorkFolder, local: Local, seen: list[Suitability]) -> Bench | Rejected:
    locks = resolve(wanted, python=local.python)
    return prepare(wanted, tree, locks=locks, work=work, sandbox=local, report=seen.append)


def test_a_test_that_needs_the_network_is_named_for_trimming_and_trimming_mends_it(
    registry: None, local: Local, work: WorkFolder, tmp_path: Path, seen: list[Suitability]
) -> None:
    tree = source(tmp_path / "up", {"tests/test_far.py": NETWORK})
    answer = prepared(ordered(), tree, work, local, seen)
    assert isinstance(answer, Rejected)
    assert answer.reason is Reason.TESTS_FAIL
    assert "tests/test_far.py" in [fact.where for fact in answer.evidence if fact.what.startswith("trim it")]
    (verdict,) = seen
    assert (verdict.verdict, verdict.recommended_trim) == (Suitable.NEEDS_TRIMMING, ("tests/test_far.py",))
    assert verdict.empirical_evidence.test_exit_code == 1
    assert verdict.empirical_evidence.test_summary == "1 passed, 1 failed, 0 errors, 0 skipped"
    again = prepared(ordered("--ignore", "tests/test_far.py"), tree, work, local, seen)
    assert isinstance(again, Bench)
    assert seen[-1].verdict is Suitable.USABLE
    assert [one.name for one in again.rebuilt] == ["bench", "build", "pip", "product", "upstream"]


def test_a_source_for_a_newer_python_is_unusable_before_anything_is_built(
    registry: None, local: Local, tmp_path: Path, seen: list[Suitability]
) -> None:
    tree = source(tmp_path / "up", {"pyproject.toml": FLIT + ABOUT + b'requires-python = ">=3.99"\n'})
    work = WorkFolder(root=tmp_path / "work")
    answer = prepared(ordered(), tree, work, local, seen)
    assert not work.environments.exists()
    assert isinstance(answer, Rejected)
    assert answer.reason is Reason.UNSUITABLE
    assert seen[0].verdict is Suitable.UNUSABLE
    assert "it needs Python >=3.99" in answer.message


def test_an_environment_that_does_not_come_out_the_same_twice_stops_the_stage_with_its_paths(
    registry: None, local: Local, tmp_path: Path, seen: list[Suitability], monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = 0

    def stamping(recipe: Recipe, dest: Path, **options: object) -> None:
        nonlocal calls
        calls += 1
        install_recipe(recipe, dest, **options)  # type: ignore[arg-type]
        (dest / "built.txt").write_text(str(calls))

    monkeypatch.setattr(build_module, "install_recipe", stamping)
    answer = prepared(ordered(), source(tmp_path / "up", {}), WorkFolder(root=tmp_path / "work"), local, seen)
    assert isinstance(answer, Rejected)
    assert answer.reason is Reason.ENVIRONMENT_DIFFERS
    assert answer.message == "two builds of the environment `bench` from its lock are not the same"
    assert answer.evidence[0].what.startswith("built.txt: file 0644 ")
