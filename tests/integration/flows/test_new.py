"""`repowright new` on real sources: the order it writes passes the stages that need no model, and bad sources are said."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from environments.languages.python.fetch import name_on_registry
from taskpack.order import read_order
from tests.unit.authoring.sources import MIT

pytestmark = [pytest.mark.sandbox, pytest.mark.timeout(1800)]  # the registry and a busy machine take their time

UPSTREAM: Mapping[str, str] = {
    "LICENSE": MIT.decode(),
    "pyproject.toml": (
        '[build-system]\nrequires = ["flit_core<4"]\nbuild-backend = "flit_core.buildapi"\n'
        '[project]\nname = "tallybook"\nversion = "1.0"\ndescription = "Adds."\nlicense = {file = "LICENSE"}\n'
        'classifiers = ["License :: OSI Approved :: MIT License"]\n'
    ),
    "tallybook/__init__.py": "from .total import CarryOver, add\n",
    "tallybook/total.py": "class CarryOver(Exception):\n    pass\n\n\ndef add(a, b):\n    if b < 0:\n        raise CarryOver\n    return a + b\n",
    "tallybook/tests/__init__.py": "",
    "tallybook/tests/test_total.py": (
        "import iniconfig\nimport socket\nimport pytest\nfrom tallybook import add\n\n\n"
        "@pytest.mark.parametrize('b', range(9))\ndef test_add(b):\n    assert add(1, b) == 1 + b\n\n\n"
        "def test_network():\n    socket.create_connection(('192.0.2.1', 80), 1)\n"
    ),
}


@pytest.fixture(scope="module")
def registry() -> None:
    if name_on_registry("pip") is None:
        pytest.skip("the package registry does not answer")


@pytest.fixture
def places(tmp_path: Path) -> list[str]:
    (tmp_path / "cases").mkdir()
    return ["--cases", str(tmp_path / "cases"), "--work", str(tmp_path / "work")]


def repowright(*arguments: str | Path, env: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "flows.main", *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        timeout=1700,
        env=env,
    )


def answer(done: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(done.stdout)
    return document


def repository(folder: Path, files: Mapping[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@a.example", "-C", str(folder)]
    for words in (["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-qm", "one"], ["tag", "v1"]):
        subprocess.run([*git, *words], check=True, capture_output=True)
    return folder


def test_an_order_from_a_repository_waits_for_its_first_draft_untouched(
    registry: None, tmp_path: Path, places: list[str]
) -> None:
    """Tests inside the package, a module that no list names, a test that needs the network."""
    source = repository(tmp_path / "tallybook", UPSTREAM)
    made = repowright("new", f"{source}@v1", *places, "--json")
    assert made.returncode == 0, made.stderr
    order = read_order(Path(answer(made)["order"]))
    assert (order.case_id, order.testing.expected) == ("case001", 9)
    assert order.testing.requirements == ("iniconfig", "pytest")
    assert order.testing.build_requirements == ("flit_core<4",)
    assert order.testing.command[-1] == "--deselect=tallybook/tests/test_total.py::test_network"
    assert "tallybook" not in order.product.name
    run = repowright("author", "case001", "--plain", "--until", "spec", *places, "--json")
    assert run.returncode == 3, run.stdout + run.stderr
    assert [stage["state"] for stage in answer(run)["stages"]] == ["done"] * 5 + ["waiting"]


@pytest.mark.full
def test_nothing_is_overwritten_and_the_next_free_case_is_taken(
    registry: None, tmp_path: Path, places: list[str]
) -> None:
    source = repository(tmp_path / "tallybook", UPSTREAM)
    (tmp_path / "cases/case004").mkdir()
    (tmp_path / "cases/case004/order.toml").write_text("mine")
    refused = repowright("new", source, "--case-id", "case004", *places)
    assert refused.returncode == 2
    assert "case004" in refused.stderr
    made = repowright("new", source, *places, "--json")
    assert answer(made)["case"] == "case005"
    assert (tmp_path / "cases/case004/order.toml").read_text() == "mine"


@pytest.mark.parametrize(
    ("files", "code", "words"),
    [
        (
            {"go.mod": "module x\n", "main.go": "package main\n", "LICENSE": MIT.decode()},
            1,
            ("Go", "no authoring pack", "go.mod"),
        ),
        ({name: text for name, text in UPSTREAM.items() if "test" not in name}, 1, ("no tests", "try")),
        ({name: text for name, text in UPSTREAM.items() if name != "LICENSE"}, 1, ("licence", "--licence")),
    ],
    ids=["another language", "no tests", "no licence"],
)
def test_a_source_that_cannot_become_a_task_is_said_and_nothing_is_written(
    tmp_path: Path, places: list[str], files: Mapping[str, str], code: int, words: tuple[str, ...]
) -> None:
    done = repowright("new", repository(tmp_path / "tallybook", files), *places)
    assert done.returncode == code, done.stdout + done.stderr
    for word in words:
        assert word in done.stdout
    assert not list((tmp_path / "cases").iterdir())


@pytest.mark.parametrize(
    "source", ["tally book", "./absent", "https://user:secret@host.example/a", "ftp://host.example/a"]
)
def test_a_source_that_is_none_is_bad_input_with_a_way_on(places: list[str], tmp_path: Path, source: str) -> None:
    done = repowright("new", source, *places)
    assert done.returncode == 2, done.stderr
    assert done.stderr.strip().splitlines()[-1].lstrip().startswith("try")
    assert "Traceback" not in done.stderr
    assert "secret" not in done.stderr.replace(source, "")
    assert not list((tmp_path / "cases").iterdir())


@pytest.mark.full
@pytest.mark.parametrize(
    ("source", "word"),
    [("uritemplate==99.0", "newest with one"), ("this-name-is-nobodys-0f3a", "no project")],
)
def test_a_name_or_version_that_the_registry_lacks_is_bad_input(
    registry: None, places: list[str], source: str, word: str
) -> None:
    done = repowright("new", source, *places)
    assert done.returncode == 2, done.stderr
    assert word in done.stderr


def test_a_silent_registry_is_said_to_be_silent(registry: None, places: list[str], tmp_path: Path) -> None:
    dead = {
        "PIP_INDEX_URL": "http://127.0.0.1:9/simple",
        "UV_DEFAULT_INDEX": "http://127.0.0.1:9/simple",
        "PIP_RETRIES": "0",
    }
    done = repowright("new", "uritemplate==4.2.0", *places, env={**os.environ, **dead})
    assert done.returncode == 5, done.stderr
    assert not list((tmp_path / "cases").iterdir())


@pytest.mark.full
def test_the_tutorial_shows_the_order_that_new_writes(
    registry: None, places: list[str], checkout: Path, update_golden: bool
) -> None:
    page = checkout / "docs/tutorial.md"
    before, mark, rest = page.read_text().partition("```toml\n# A task from")
    made = repowright("new", "uritemplate==4.2.0", *places, "--json")
    assert made.returncode == 0, made.stderr
    wrote = Path(answer(made)["order"]).read_text()
    shown, after = f"{mark}{rest}".removeprefix("```toml\n").split("```", 1)
    if update_golden:
        page.write_text(f"{before}```toml\n{wrote}```{after}")
        shown = wrote
    assert shown == wrote
