"""Requirements, the test command and the language are guessed from what the source shows, each with its evidence."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from authoring.guesses.command import guess_command
from authoring.guesses.imports import TestUses, read_test_uses
from authoring.guesses.language import guess_language
from authoring.guesses.manifests import read_manifests
from authoring.guesses.requirements import Needs, build_needs, needs_of_tests


def plant(tmp_path: Path, files: Mapping[str, str]) -> Path:
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def needs(tree: Path) -> Needs:
    return needs_of_tests(read_manifests(tree), read_test_uses(tree), python="3.11")


def taken(tree: Path) -> list[str]:
    return [guess.value for guess in needs(tree).taken]


PRODUCT = {"src/tallybook/__init__.py": "", "tests/helper.py": ""}


def test_imports_of_tests_are_needed_and_say_their_line(tmp_path: Path) -> None:
    text = "import os\nimport helper\nimport tallybook.total\nimport yaml\nfrom freezegun import freeze_time\n"
    found = needs(plant(tmp_path, PRODUCT | {"tests/test_a.py": text}))
    assert [(guess.value, guess.evidence[0].where) for guess in found.taken] == [
        ("pyyaml", "tests/test_a.py:4"),
        ("freezegun", "tests/test_a.py:5"),
        ("pytest", ""),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "try:\n    import numpy\nexcept ImportError:\n    numpy = None\n",
        "import pytest\nnumpy = pytest.importorskip('numpy')\n",
        "def test_a():\n    import numpy\n",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import numpy\n",
    ],
)
def test_modules_that_tests_do_without_are_left_out_and_named(tmp_path: Path, text: str) -> None:
    found = needs(plant(tmp_path, PRODUCT | {"tests/test_a.py": text}))
    assert [guess.value for guess in found.taken] == ["pytest"]
    assert [guess.value for guess in found.left_out] == ["numpy"]


def test_lists_for_tests_are_taken_whole_but_for_tools_that_nothing_uses(tmp_path: Path) -> None:
    extras = "[project.optional-dependencies]\ntest = ['pytest>=8', 'hypothesis', 'coverage', 'pytest-cov', 'ruff']\n"
    tree = plant(tmp_path, PRODUCT | {"pyproject.toml": extras, "tests/test_a.py": ""})
    assert taken(tree) == ["pytest>=8", "hypothesis"]
    (tree / "tests/test_a.py").write_text("import coverage\n")
    (tree / "pytest.ini").write_text("[pytest]\naddopts = --cov=tallybook\n")
    assert taken(tree) == ["pytest>=8", "hypothesis", "coverage", "pytest-cov"]


def test_other_lists_give_only_what_the_tests_use_with_its_bounds(tmp_path: Path) -> None:
    groups = "[dependency-groups]\ndev = ['sphinx', 'freezegun>=1.2', 'pytest-mock', 'rich']\n"
    tree = plant(
        tmp_path, PRODUCT | {"pyproject.toml": groups, "tests/test_a.py": "import freezegun\ndef test_a(mocker): ...\n"}
    )
    assert taken(tree) == ["freezegun>=1.2", "pytest-mock", "pytest"]


def test_needs_of_the_product_come_first_and_markers_are_settled_for_the_base(tmp_path: Path) -> None:
    project = (
        "[project]\ndependencies = ['attrs>=20', \"tomli; python_version < '3.11'\", \"typing-extensions; python_version >= '3.8'\"]\n"
        "[project.optional-dependencies]\ntests = ['attrs', 'here @ https://host.example/here.tar.gz', '???']\n"
    )
    found = needs(plant(tmp_path, PRODUCT | {"pyproject.toml": project, "tests/test_a.py": ""}))
    assert [guess.value for guess in found.taken] == ["attrs>=20", "typing-extensions", "pytest"]
    assert [guess.value for guess in found.left_out] == ["here @ https://host.example/here.tar.gz"]


def test_building_needs_what_is_stated_else_setuptools(tmp_path: Path) -> None:
    assert [guess.value for guess in build_needs(read_manifests(tmp_path), python="3.11").taken] == ["setuptools"]
    tree = plant(
        tmp_path, {"pyproject.toml": "[build-system]\nrequires = ['hatchling', \"x; python_version < '3'\"]\n"}
    )
    assert [guess.value for guess in build_needs(read_manifests(tree), python="3.11").taken] == ["hatchling"]


@pytest.mark.parametrize(
    ("files", "ending"),
    [
        ({"tests/test_a.py": "", "tests/deep/test_b.py": ""}, ("tests",)),
        ({"tallybook/tests/test_a.py": "", "tallybook/__init__.py": ""}, ("tallybook/tests",)),
        ({"test.py": "", "src/tallybook/__init__.py": ""}, ("test.py",)),
        ({"tests/test_a.py": "", "pytest.ini": "[pytest]\ntestpaths = tests\n"}, ()),
        ({f"test_{number}.py": "" for number in range(20)}, ()),
    ],
)
def test_the_command_runs_pytest_where_the_tests_are(
    tmp_path: Path, files: Mapping[str, str], ending: tuple[str, ...]
) -> None:
    tree = plant(tmp_path, files)
    found = guess_command(read_manifests(tree), read_test_uses(tree))
    assert found.value == ("python", "-m", "pytest", "-q", *ending)
    assert found.evidence


@pytest.mark.parametrize(
    ("paths", "language"),
    [
        (["pyproject.toml", "tallybook/__init__.py", "docs/x.js"], "Python"),
        (["go.mod", "main.go", "scripts/make.py"], "Go"),
        (["package.json", "index.js", "tools/a.py"], "JavaScript"),
        (["package.json", "tsconfig.json", "src/a.ts", "src/b.ts", "x.js"], "TypeScript"),
        (["Cargo.toml", "src/lib.rs"], "Rust"),
        (["CMakeLists.txt", "src/a.cpp", "src/b.cpp", "setup.py", "a.py"], "C++"),
        (["setup.py", "CMakeLists.txt", "pkg/a.py", "pkg/b.py", "pkg/_fast.c"], "Python"),
        (["README", "data.csv"], ""),
    ],
)
def test_the_language_is_told_by_manifest_then_by_number_of_files(paths: list[str], language: str) -> None:
    found = guess_language(paths)
    assert found.value == language
    assert bool(found.evidence) == bool(language)


def test_a_test_file_that_does_not_parse_hides_nothing_of_the_others(tmp_path: Path) -> None:
    found = read_test_uses(plant(tmp_path, {"tests/test_a.py": "def (", "tests/test_b.py": "import mock\n"}))
    assert found == TestUses(modules=found.modules, optional=(), fixtures=(), files=("tests/test_b.py",))
    assert [each.text for each in found.modules] == ["import mock"]
