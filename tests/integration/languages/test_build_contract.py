"""Workspaces as an agent leaves them, built, by way of the archive to a verdict: the agent builds, the judge never does.

Each product says at its start what it needs of its workspace, so reward 1 shows that this survived; beside what was
built lie sources of a wrong product and everything that would build it, so a judge that builds gives 0.
"""

from __future__ import annotations

import py_compile
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from environments.interface import Sandbox
from judge.judging import judge
from judge.submission import hand_over
from taskpack.verdict import Judged, Verdict
from tests.integration.languages.jssuites import build_to_commonjs
from tests.integration.languages.suites import DATA, fallen, replaced, suite_of, write

pytestmark = pytest.mark.sandbox

JudgeHanded = Callable[[str, str, Path, Path | None], Verdict]

MAKEFILE = "all: build\nbuild:\n\tg++ -O1 -static -o build/wordcount src/wordcount.cpp\n.PHONY: all build\n"
CMAKE = "project(w)\nadd_executable(wordcount src/wordcount.cpp)\n"
NEEDS_OF_PYTHON = """
import ctypes, os, pathlib, subprocess
_root = pathlib.Path(__file__).resolve().parents[2]
assert ctypes.CDLL(str(_root / "src/tally/_add.so")).add(40, 2) == 42, "the compiled library"
assert subprocess.run([str(_root / "bin/say")], capture_output=True, check=True).stdout == b"said\\n", "a program"
assert os.listdir(_root / "var") == [], "an empty folder"
assert (_root / "src/tally/.hidden").read_text() == "h", "a hidden file"
assert (_root / "src/tally/rules.txt").is_symlink() and (_root / "src/tally/rules.txt").read_text() == "r", "a link inside"
assert (_root / "etc/it's one name.txt").exists(), "an odd name"
assert (_root / "dist/data.txt").exists() and (_root / "target/data.txt").exists(), "build outputs"
assert not (_root / ".venv").exists() and not (_root / ".git").exists(), "what stays behind"
"""
NEEDS_OF_NODE = """
const { left } = require("left");
if (left(2) !== 1) throw new Error("a dependency");
if (!require("node:fs").lstatSync(__dirname + "/../node_modules/.bin/left").isSymbolicLink()) throw new Error("its link");
"""
BUILDS_NODE = """{ "main": "dist/tally.js", "scripts": {
  "preinstall": "rm -r dist", "postinstall": "node build.js", "prepare": "node build.js", "build": "node build.js" } }"""


@pytest.fixture
def judge_handed(sandbox: Sandbox, bench_site: Path, tmp_path: Path) -> JudgeHanded:
    """Judge what comes out of the archive, with the suite of that name and language."""

    def judged(name: str, language: str, workspace: Path, site: Path | None) -> Verdict:
        suite = suite_of(name, language, tmp_path / "final")
        handed = hand_over(workspace, tmp_path / "handed")
        return judge(suite, handed.root, sandbox=sandbox, bench_site=bench_site, product_site=site, seed=name)

    return judged


@pytest.fixture
def app(tmp_path: Path) -> Path:
    return tmp_path / "app"


def assert_right(verdict: Verdict) -> None:
    assert (verdict.outcome, verdict.reward, verdict.causes) == (Judged.JUDGED, 1, ())


def compiled(app: Path, *command: str) -> None:
    if shutil.which(command[0]) is None:
        pytest.skip(f"there is no {command[0]} here")
    subprocess.run(command, cwd=app, check=True, capture_output=True)


def python_product(app: Path) -> None:
    """A package with a library in C, a program, data of many kinds, bytecode of a wrong source, and a `.venv`."""
    shutil.copytree(DATA / "tally" / "workspace", app)
    package = app / "src" / "tally"
    write(app, {"add.c": "int add(int a, int b) { return a + b; }\n", "bin/say": "#!/bin/sh\necho said\n"})
    write(app, {"etc/it's one name.txt": "", "dist/data.txt": "", "target/data.txt": "", "src/tally/.hidden": "h"})
    write(app, {"rules/one.txt": "r", ".git/HEAD": "ref: refs/heads/main\n", "setup.py": "raise SystemExit('built')\n"})
    write(app, {"Makefile": "all:\n\trm -r src\n", "pyproject.toml": '[build-system]\nrequires = ["nothing-there"]\n'})
    (app / "bin/say").chmod(0o500)
    (app / "var").mkdir()
    (package / "rules.txt").symlink_to("../../rules/one.txt")
    (package / "__init__.py").write_text((package / "__init__.py").read_text() + NEEDS_OF_PYTHON)
    write(app, {"wrong.py": (package / "ledger.py").read_text().replace("+ amount", "- amount")})
    stale = package / "__pycache__" / f"ledger.{sys.implementation.cache_tag}.pyc"
    py_compile.compile(
        str(app / "wrong.py"), cfile=str(stale), invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH
    )
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", app / ".venv"], check=True)
    write(app, {".venv/lib/left/__init__.py": ""})


def test_a_python_product_gets_1_as_its_agent_built_it(judge_handed: JudgeHanded, app: Path) -> None:
    python_product(app)
    compiled(app, "gcc", "-shared", "-fPIC", "-nostdlib", "-o", "src/tally/_add.so", "add.c")
    assert_right(judge_handed("tally", "python", app, None))


def test_a_library_that_was_not_built_is_not_built_by_the_judge(judge_handed: JudgeHanded, app: Path) -> None:
    python_product(app)
    write(app, {"Makefile": "all:\n\tgcc -shared -fPIC -nostdlib -o src/tally/_add.so add.c\n"})
    verdict = judge_handed("tally", "python", app, None)
    assert len(fallen(verdict)) == len(verdict.nodes)


def node_product(app: Path) -> None:
    """A package with a dependency in `node_modules`, and every script by which it would be built."""
    shutil.copytree(DATA / "tstally" / "workspace", app)
    write(app, {"package.json": BUILDS_NODE, "node_modules/left/package.json": '{"main": "index.js"}'})
    write(app, {"node_modules/left/index.js": "exports.left = (n) => n - 1;\n", "node_modules/left/cli.js": ""})
    (app / "node_modules/.bin").mkdir()
    (app / "node_modules/.bin/left").symlink_to("../left/cli.js")


def test_a_typescript_product_gets_1_as_its_agent_built_it(
    judge_handed: JudgeHanded, node_site: Path, app: Path
) -> None:
    node_product(app)
    build_to_commonjs(app, node_site)
    write(app, {"dist/tally.js": (app / "dist/tally.js").read_text() + NEEDS_OF_NODE})
    replaced(app, "src/ledger.ts", "?? 0n) + row.amount", "?? 0n) - row.amount")
    write(app, {"build.js": "require('node:fs').copyFileSync('src/ledger.ts', 'dist/tally.js');\n"})
    assert_right(judge_handed("tstally", "javascript", app, node_site))


def test_a_typescript_product_that_was_not_built_gets_0(judge_handed: JudgeHanded, node_site: Path, app: Path) -> None:
    node_product(app)
    build_to_commonjs(app, node_site)
    shutil.move(app / "dist/tally.js", app / "tally.js")
    write(app, {"build.js": "require('node:fs').cpSync('tally.js', 'dist/tally.js');\n"})
    verdict = judge_handed("tstally", "javascript", app, node_site)
    assert len(fallen(verdict)) == len(verdict.nodes)


@pytest.mark.parametrize("done", [True, False], ids=["as its agent left it", "not generated"])
def test_a_go_product_is_compiled_and_nothing_of_it_is_run_for_that(
    done: bool, judge_handed: JudgeHanded, go_site: Path, app: Path
) -> None:
    shutil.copytree(DATA / "gotally" / "workspace", app)
    ledger = (app / "ledger.go").read_text()
    write(app, {"generate.go": "package gotally\n\n//go:generate cp ledger.txt ledger.go\n", "ledger.txt": ledger})
    write(app, {"Makefile": "all:\n\tgo generate ./...\n", "vendor/modules.txt": "# gone v1.0.0\n"})
    if done:
        write(app, {"ledger.txt": "package wrong\n"})
        assert_right(judge_handed("gotally", "go", app, go_site))
    else:
        (app / "ledger.go").unlink()
        verdict = judge_handed("gotally", "go", app, go_site)
        assert len(fallen(verdict)) == len(verdict.nodes)


@pytest.mark.parametrize("done", [True, False], ids=["as its agent built it", "not built"])
def test_a_program_in_cpp_counts_as_it_was_built(done: bool, judge_handed: JudgeHanded, app: Path) -> None:
    shutil.copytree(DATA / "wordcount" / "workspace", app)
    write(app, {"Makefile": MAKEFILE, "CMakeLists.txt": CMAKE})
    (app / "build").mkdir()
    if done:
        compiled(app, "g++", "-O1", "-static", "-o", "build/wordcount", "src/wordcount.cpp")
        write(app, {"src/wordcount.cpp": "int main() { return 3; }\n"})
        assert_right(judge_handed("wordcount", "command", app, None))
    else:
        assert len(fallen(judge_handed("wordcount", "command", app, None))) == 7
