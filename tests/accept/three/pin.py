"""Part 3, the pin: sources of every kind, hostile ones, the suitability verdict, environments built twice."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.accept.checklist import Checklist, need, repowright, run, tail

ORDER = """
schema_version = 1
case_id = "{case}"
language = "python"
[source]
kind = "pypi"
name = "{name}"
version = "{version}"
sha256 = "{sha256}"
[product]
name = "sumcord"
summary = "A library."
[testing]
requirements = ["pytest"]
build_requirements = ["setuptools"]
command = ["python", "-m", "pytest", "-q"]
expected = {tests}
[[features]]
id = "FP-01"
title = "All"
about = "All."
files = ["sumcord/__init__.py"]
"""


@dataclass(frozen=True, kw_only=True)
class Upstream:
    """A project on the registry and the tree id that its pin must have."""

    case: str
    name: str
    version: str
    sha256: str
    tree: str
    tests: int


URITEMPLATE = Upstream(
    case="case901",
    name="uritemplate",
    version="4.2.0",
    sha256="480c2ed180878955863323eea31b0ede668795de182617fef9c6ca09e6ec9d0e",
    tree="24b8b888eebd",
    tests=58,
)
H11 = Upstream(
    case="case902",
    name="h11",
    version="0.16.0",
    sha256="4e35b956cf45792e4caa5885e69fba00bdbc6ffafbfa020300e549b208ee5ff1",
    tree="1a1abf6e5ae4",
    tests=78,
)
TOON = Upstream(
    case="case903",
    name="python-toon",
    version="0.2.0",
    sha256="1b9fcb3fa225cb7973a2637834de08a26236013ab04da0cf80c4af73e141ccf2",
    tree="713ae0357794",
    tests=621,
)


def _result(work: Path, stage: str, tree: str) -> dict[str, object]:
    """The stored result of a stage that has `tree` in it."""
    found = [path.read_text() for path in (work / "stages" / stage).glob("*/*/result.json")]
    fitting = [text for text in found if tree in text]
    need(bool(fitting), f"no result of {stage} names {tree}")
    return dict(json.loads(fitting[0]))


def _authored(scratch: Path, upstream: Upstream, until: str) -> str:
    case = scratch / "cases" / upstream.case
    case.mkdir(parents=True, exist_ok=True)
    (case / "order.toml").write_text(ORDER.format(**vars(upstream)))
    places = ("--cases", scratch / "cases", "--work", scratch / "work")
    done = repowright("author", upstream.case, "--plain", "--until", until, *places, timeout=1800)
    need(done.code == 0, tail(done.out + done.err, 15))
    return done.out + done.err


def pinned(scratch: Path, upstream: Upstream) -> str:
    _authored(scratch, upstream, "pin")
    pin = _result(scratch / "work", "pin", upstream.tree)
    need(str(pin["tree"]).startswith(upstream.tree), f"{upstream.name} has the tree {pin['tree']}")
    return f"{upstream.name} {upstream.version}: tree {str(pin['tree'])[:12]}, commit {str(pin['commit'])[:12]}"


def judged_suitable(scratch: Path) -> str:
    _authored(scratch, URITEMPLATE, "environment")
    verdict = json.loads((scratch / "cases" / URITEMPLATE.case / "provenance/suitability.json").read_text())
    need(verdict["verdict"] == "usable", verdict["summary"])
    need(len(verdict["dimensions"]) == 3, "not three dimensions")
    evidence = verdict["empirical_evidence"]
    need(evidence["tests_passed"] and evidence["test_exit_code"] == 0, str(evidence))
    need(not list((scratch / "work").glob("inbox/*")), "a model was asked")
    return f"{verdict['verdict']}: {evidence['test_summary']}"


def built_twice(scratch: Path) -> str:
    _authored(scratch, URITEMPLATE, "environment")
    rebuilt = _result(scratch / "work", "environment", "rebuilt")["rebuilt"]
    need(isinstance(rebuilt, list) and len(rebuilt) == 5, f"built twice: {rebuilt}")
    notes = list((scratch / "work/environments/recipes").glob("*.again.json"))
    recipes = {one["recipe"] for one in rebuilt}
    need(len(notes) == len(recipes), f"{len(notes)} notes of second builds of {len(recipes)} recipes")
    return ", ".join(f"{one['name']} {one['inventory'][:12]} ({one['entries']} entries)" for one in rebuilt)  # type: ignore[union-attr]


def other_version(scratch: Path) -> str:
    """The right file under a wrong version is refused, whatever the hash says."""
    archive = next((scratch / "work/downloads" / URITEMPLATE.sha256).glob("*.tar.gz"))
    case = scratch / "cases" / "case904"
    case.mkdir(parents=True, exist_ok=True)
    order = ORDER.format(**{**vars(URITEMPLATE), "case": "case904", "version": "4.1.9"})
    (case / "order.toml").write_text(order)
    places = ("--cases", scratch / "cases", "--work", scratch / "work")
    done = repowright("author", "case904", "--plain", "--until", "pin", *places)
    need(done.code == 6 and "another project or version" in done.err, f"exit {done.code}: {tail(done.err)}")
    return f"{archive.name} as 4.1.9: exit code 6"


def tests(*files: str) -> str:
    """These tests pass, and none was skipped but for what the machine cannot make."""
    done = run([sys.executable, "-m", "pytest", "-q", *files], timeout=1800)
    need(done.code == 0, tail(done.out, 25))
    skipped = [line for line in done.out.splitlines() if line.startswith("SKIPPED") and "device" not in line]
    need(not skipped, "\n".join(skipped))
    return tail(done.out, 1)


def claims(book: Checklist, scratch: Path) -> None:
    unit, whole = "tests/unit/authoring", "tests/integration/authoring"
    for upstream in (URITEMPLATE, H11, TOON):
        book.claim(f"3 {upstream.name} from the registry has the tree id of the table",
                   lambda upstream=upstream: pinned(scratch, upstream))  # type: ignore[misc]  # fmt: skip
    book.claim("3 an archive of another version than the order's is refused", lambda: other_version(scratch))
    book.claim("3 branch, tag, full id, archive file, folder; resolved once, a move is said and not followed",
               lambda: tests(f"{unit}/test_sources.py", f"{unit}/test_pin.py", f"{whole}/test_pin_runs.py"))  # fmt: skip
    book.claim("3 the git store: same commit anywhere, nothing of the caller's environment",
               lambda: tests(f"{unit}/test_gitstore.py"))  # fmt: skip
    book.claim("3 hostile repositories are refused, each trap springs elsewhere and does nothing here",
               lambda: tests(f"{unit}/test_gitfetch.py", f"{unit}/test_hostile_repositories.py"))  # fmt: skip
    book.claim("3 hostile archives are refused with member and reason", lambda: tests(f"{unit}/test_archive.py"))
    book.claim("3 a suitability verdict with evidence before any model is asked", lambda: judged_suitable(scratch))
    book.claim("3 every rule of the verdict turns it alone; trimming mends what it says it mends",
               lambda: tests(f"{unit}/test_suitability.py", f"{whole}/test_suitability_runs.py"))  # fmt: skip
    book.claim("3 every environment was built twice from its lock with one inventory", lambda: built_twice(scratch))
    book.claim("3 a difference between two builds, of any kind, is named by its path",
               lambda: tests("tests/unit/environments/test_rebuild.py"))  # fmt: skip
