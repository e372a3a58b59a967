"""What manifests state is found with its line, and nothing of them is run."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from authoring.guesses.manifests import Manifests, read_manifests


def read(tmp_path: Path, files: Mapping[str, str]) -> Manifests:
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return read_manifests(tmp_path)


PYPROJECT = """\
[build-system]
requires = ["flit_core<4"]
build-backend = "flit_core.buildapi"
[project]
name = "tallybook"
dependencies = ["attrs>=20"]
[project.optional-dependencies]
yaml = ["pyyaml"]
[dependency-groups]
tests = ["pytest", {include-group = "more"}]
more = ["freezegun"]
[tool.pytest.ini_options]
addopts = ["-ra", "--strict-markers"]
testpaths = ["checks"]
"""


def test_pyproject_gives_build_runtime_lists_and_pytest_with_lines(tmp_path: Path) -> None:
    found = read(tmp_path, {"pyproject.toml": PYPROJECT})
    assert [(each.text, each.where) for each in found.build] == [("flit_core<4", "pyproject.toml:2")]
    assert [(each.text, each.where) for each in found.runtime] == [("attrs>=20", "pyproject.toml:6")]
    assert {name: [each.text for each in entries] for name, entries in found.lists.items()} == {
        "yaml": ["pyyaml"],
        "tests": ["pytest", "freezegun"],
        "more": ["freezegun"],
    }
    assert [each.text for each in found.options] == ["-ra", "--strict-markers"]
    assert [(each.text, each.where) for each in found.testpaths] == [("checks", "pyproject.toml:14")]


@pytest.mark.parametrize(
    ("name", "text", "key", "wanted"),
    [
        ("setup.cfg", "[options.extras_require]\ntest =\n    pytest  # runs\n    mock\n", "test", ["pytest", "mock"]),
        ("setup.cfg", "[options]\ntests_require =\n    nose2\n", "tests_require", ["nose2"]),
        ("setup.py", "from setuptools import setup\nsetup(tests_require=['mock'])\n", "tests_require", ["mock"]),
        (
            "setup.py",
            "import setuptools\nX = {'test': ['mock']}\nsetuptools.setup(extras_require=X)\n",
            "test",
            ["mock"],
        ),
        (
            "tox.ini",
            "[testenv]\ndeps =\n    pytest>=7\n    py311: mock\n    -r more.txt\n",
            "testenv",
            ["pytest>=7", "mock"],
        ),
        ("noxfile.py", "def tests(s):\n    s.install('pytest', '-e', '.', 'mock')\n", "tests", ["pytest", "mock"]),
        (
            "requirements-test.txt",
            "# tests\npytest\n-r other.txt\nmock==4  # pinned\n",
            "requirements-test.txt",
            ["pytest", "mock==4"],
        ),
        ("requirements/tests.txt", "pytest\n", "requirements/tests.txt", ["pytest"]),
        (
            "pyproject.toml",
            "[tool.poetry.group.test.dependencies]\npytest = '^8'\npython = '^3.9'\n",
            "test",
            ["pytest"],
        ),
        ("pyproject.toml", "[tool.hatch.envs.hatch-test]\ndependencies = ['mock']\n", "test", ["mock"]),
    ],
)
def test_lists_of_requirements_are_found_wherever_projects_keep_them(
    tmp_path: Path, name: str, text: str, key: str, wanted: list[str]
) -> None:
    assert [each.text for each in read(tmp_path, {name: text}).lists[key]] == wanted


def test_the_first_file_that_configures_pytest_counts_as_pytest_has_it(tmp_path: Path) -> None:
    files = {"pytest.ini": "[pytest]\ntestpaths = one\n", "setup.cfg": "[tool:pytest]\ntestpaths = two\n"}
    found = read(tmp_path, files)
    assert (found.configured, [each.text for each in found.testpaths]) == ("pytest.ini", ["one"])


def test_metadata_of_the_archive_fills_in_what_manifests_leave_out(tmp_path: Path) -> None:
    info = "Name: tallybook\nRequires-Dist: attrs>=20\nRequires-Dist: mock; extra == 'test'\n\nText\n"
    found = read(
        tmp_path, {"PKG-INFO": info, "setup.py": "from setuptools import setup\nsetup(install_requires=load())\n"}
    )
    assert [each.text for each in found.runtime] == ["attrs>=20", "mock; extra == 'test'"]


@pytest.mark.parametrize(
    "files",
    [
        {"pyproject.toml": "[[[", "setup.cfg": "no section", "setup.py": "def (", "tox.ini": "%", "noxfile.py": "x ="},
        {"pyproject.toml": "project = 3\nbuild-system = []\ntool = 'x'\ndependency-groups = 1\n"},
        {"pyproject.toml": "[dependency-groups]\na = [{include-group = 'b'}]\nb = [{include-group = 'a'}]\n"},
        {"setup.py": "(" * 5000},
    ],
)
def test_broken_manifests_say_nothing_and_break_nothing(tmp_path: Path, files: Mapping[str, str]) -> None:
    found = read(tmp_path, files)
    assert (found.build, found.runtime, dict(found.lists)) == ((), (), {})


def test_nothing_of_a_manifest_is_run_and_links_are_not_followed(tmp_path: Path) -> None:
    secret = tmp_path.with_name(f"{tmp_path.name}-secret")
    secret.write_text("secret\n")
    marker = tmp_path / "ran"
    (tmp_path / "requirements-test.txt").symlink_to(secret)
    code = f"open({str(marker)!r}, 'w')\nfrom setuptools import setup\nsetup(tests_require=[open({str(marker)!r}, 'w').name])\n"
    found = read(tmp_path, {"setup.py": code, "noxfile.py": code})
    assert not marker.exists()
    assert dict(found.lists) == {}
