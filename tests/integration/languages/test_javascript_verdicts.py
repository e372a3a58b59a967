"""Verdicts on TypeScript products: the reference scores 1, each wrong candidate 0 at its own node."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

from environments.interface import Sandbox
from judge.judging import judge
from taskpack.verdict import Judged, NodeResult, Verdict
from tests.integration.languages.jssuites import build_to_commonjs
from tests.integration.languages.suites import DATA, changed, fallen, suite_of, write

pytestmark = pytest.mark.sandbox

Judge = Callable[[Path], Verdict]
LEDGER = "src/ledger.ts"
START = "  const rows: Row[] = [];\n"

FORGED = """  const said = Buffer.from('{"outcome":"returned","value":{"m":[]}}');
  const size = Buffer.from([0, 0, 0, said.length, 0, 0, 0, 0]);
  process.getBuiltinModule("node:fs").writeSync(3, Buffer.concat([size, said]));
  process.exit(0);
"""

# What is wrong: the file, the text in it, its replacement, and the only nodes that fail.
WRONG = {
    "takes amounts off": (LEDGER, "?? 0n) + row.amount", "?? 0n) - row.amount", "each_name|beyond|refused|later"),
    "counts in numbers": (LEDGER, "?? 0n) + row.amount", "?? 0n) + BigInt(Number(row.amount))", "beyond"),
    "sums are numbers": (LEDGER, "?? 0n) + row.amount", "?? 0) + Number(row.amount)", "each_name|beyond|refused|later"),
    "turns the rows around": (LEDGER, "rows.push(", "rows.unshift(", "order|range|met"),
    "keeps amounts to itself": (LEDGER, "get amount()", "get sum()", "order|each_name|beyond|refused|later"),
    "names come twice": (LEDGER, "if (met.has(name)) continue;", "", "met"),
    "does not wait": (LEDGER, "parse(await text)", "parse(`${text}`)", "later"),
    "has nothing for no lines": (
        LEDGER,
        "  const rows: Row[] = [];\n",
        '  if (text === "") throw new Error();\n  const rows: Row[] = [];\n',
        "no_lines",
    ),
    "counts lines from 0": (LEDGER, "LineError(place + 1,", "LineError(place,", "refused"),
    "an error of another kind": ("src/errors.ts", "extends SyntaxError", "extends Error", "refused"),
    "an error that is not exported": ("src/index.ts", 'export { LineError } from "./errors.ts";\n', "", "refused"),
    "an error with the right name alone": (
        "src/index.ts",
        'export { LineError } from "./errors.ts";\n',
        "export class LineError extends SyntaxError {}\n",
        "refused",
    ),
    "gives back the error": (LEDGER, "throw new LineError(", "return new LineError(", "refused"),
    "takes the last row instead": (
        LEDGER,
        "throw new RangeError(`no row ${place}`)",
        "return rows[rows.length - 1]",
        "range",
    ),
    "throws text": (LEDGER, "throw new RangeError(`no row ${place}`)", "throw `no row ${place}`", "range"),
}
HOSTILE = {
    "does not parse": (LEDGER, START, "const ("),
    "has types that cannot be taken away": (LEDGER, "/** One line. */\n", "export enum Kind { One }\n"),
    "throws when it is loaded": (LEDGER, "/** One line. */\n", 'throw new Error("no");\n'),
    "leaves when it is loaded": (LEDGER, "/** One line. */\n", "process.exit(0);\n"),
    "never loads": (LEDGER, "/** One line. */\n", "await new Promise(() => {});\n"),
    "never ends": (LEDGER, START, f"  for (;;) {{}}\n{START}"),
    "leaves with 0": (LEDGER, START, f"  process.exit(0);\n{START}"),
    "forges its statement": (
        LEDGER,
        START,
        f"{FORGED}{START}",
    ),
    "has no entry": ("package.json", "./src/index.ts", "./src/nowhere.ts"),
    "has a broken manifest": ("package.json", '"name"', "name"),
}


def judge_with(name: str, folder: Path, sandbox: Sandbox, bench_site: Path, node_site: Path) -> Judge:
    """Judge workspaces with the suite of that name."""
    suite = suite_of(name, "javascript", folder / "final")

    def judged(workspace: Path) -> Verdict:
        return judge(suite, workspace, sandbox=sandbox, bench_site=bench_site, product_site=node_site, seed=name)

    return judged


@pytest.fixture
def judge_tally(sandbox: Sandbox, bench_site: Path, node_site: Path, tmp_path: Path) -> Judge:
    return judge_with("tstally", tmp_path, sandbox, bench_site, node_site)


def assert_right(verdict: Verdict) -> None:
    assert (verdict.outcome, verdict.reward, verdict.causes) == (Judged.JUDGED, 1, ())
    assert {node.result for node in verdict.nodes} == {NodeResult.PASSED}


def test_the_typescript_reference_gets_1(judge_tally: Judge) -> None:
    assert_right(judge_tally(DATA / "tstally" / "workspace"))


@pytest.mark.full
def test_the_same_product_built_to_commonjs_gets_1(judge_tally: Judge, node_site: Path, tmp_path: Path) -> None:
    """Nothing of a contract says how a product is written: here, as one file that `require` would load."""
    app = tmp_path / "app"
    shutil.copytree(DATA / "tstally" / "workspace", app)
    build_to_commonjs(app, node_site)
    shutil.rmtree(app / "src")
    write(app, {"package.json": '{"main": "dist/tally.js"}'})
    assert_right(judge_tally(app))


@pytest.mark.full
@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_product_falls_at_the_node_that_is_about_it(judge_tally: Judge, name: str, tmp_path: Path) -> None:
    file, text, other, words = WRONG[name]
    verdict = judge_tally(changed("tstally", tmp_path / "app", file, text, other))
    assert fallen(verdict)
    assert all(any(word in node for word in words.split("|")) for node in fallen(verdict)), verdict.causes


@pytest.mark.full
@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_product_gets_0_and_never_infra(judge_tally: Judge, name: str, tmp_path: Path) -> None:
    file, text, other = HOSTILE[name]
    verdict = judge_tally(changed("tstally", tmp_path / "app", file, text, other))
    assert len(fallen(verdict)) >= len(verdict.nodes) - 1


def test_an_empty_workspace_gets_0(judge_tally: Judge, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert len(fallen(judge_tally(tmp_path / "empty"))) == 8


PACKAGE = "css-what@8.0.0"
SHA256 = "1eccce8f4d523832253a082815495f823b8621d0aab6a2eea5853d0d37eb4417"
# The file, a text that is there, its replacement, and the node that fails.
MUTANTS = {
    "keeps the case of names": ("dist/parse.js", "toLowerCase()", "toString()", "lower_case"),
    "writes a combinator without spaces": ("dist/stringify.js", '" ~ "', '"~"', "with_spaces"),
}


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A real package as it was built by its authors."""
    folder = tmp_path_factory.mktemp("npm")
    if shutil.which("npm") is None:
        pytest.skip("there is no npm here")
    done = subprocess.run(["npm", "pack", PACKAGE, "--silent"], cwd=folder, capture_output=True, check=False)
    archives = list(folder.glob("*.tgz"))
    if done.returncode != 0 or not archives:
        pytest.skip("the package registry does not answer")
    assert hashlib.sha256(archives[0].read_bytes()).hexdigest() == SHA256
    with tarfile.open(archives[0]) as archive:
        archive.extractall(folder, filter="data")
    return folder / "package"


@pytest.fixture
def judge_selectors(sandbox: Sandbox, bench_site: Path, node_site: Path, tmp_path: Path) -> Judge:
    return judge_with("selectors", tmp_path, sandbox, bench_site, node_site)


@pytest.mark.full
def test_a_published_package_gets_1(judge_selectors: Judge, published: Path) -> None:
    assert_right(judge_selectors(published))


@pytest.mark.full
@pytest.mark.parametrize("name", MUTANTS)
def test_a_mutant_of_a_published_package_gets_0(
    judge_selectors: Judge, published: Path, tmp_path: Path, name: str
) -> None:
    file, text, other, word = MUTANTS[name]
    workspace = shutil.copytree(published, tmp_path / "app")
    source = (workspace / file).read_text()
    assert text in source
    (workspace / file).write_text(source.replace(text, other))
    assert [word in node for node in fallen(judge_selectors(workspace))] == [True]
