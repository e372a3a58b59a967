"""Verdicts on products that are not Python: the reference scores 1, each wrong candidate 0 at its own node."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from environments.interface import Sandbox
from judge.judging import judge
from taskpack.verdict import Judged, NodeResult, Verdict
from tests.integration.languages.suites import DATA, changed, fallen, suite_of

pytestmark = pytest.mark.sandbox

Judge = Callable[[Path], Verdict]

# What is wrong, the text in ledger.go, its replacement, and the only node that fails.
GO_WRONG = {
    "takes amounts off": ("sums[row.Name], row.Amount)", "sums[row.Name], new(big.Int).Abs(row.Amount))", "each_name"),
    "counts in machine words": (
        "sums[row.Name].Add(sums[row.Name], row.Amount)",
        "sums[row.Name].SetInt64(sums[row.Name].Int64() + row.Amount.Int64())",
        "beyond_machine_size",
    ),
    "turns the rows around": (
        "append(rows, Row{name, amount})",
        "append([]Row{{name, amount}}, rows...)",
        "order|panic",
    ),
    "has no map for no rows": (
        "	sums := map[string]*big.Int{}\n",
        "	if len(rows) == 0 {\n		return nil\n	}\n	sums := map[string]*big.Int{}\n",
        "no_lines",
    ),
    "counts lines from 0": ("LineError{place + 1,", "LineError{place,", "refused"),
    "wraps nothing": ("line, ErrNoAmount}", 'line, errors.New("no amount")}', "refused"),
    "gives the error as a value": ("return nil, &LineError{", "return nil, wrong{&LineError{", "refused"),
    "takes the last row instead": ('panic(fmt.Sprintf("no row %d", place))', "return rows[len(rows)-1]", "panic"),
    "panics with other words": ('"no row %d"', '"row %d is not there"', "panic"),
}
FORGED = """	said := `{"outcome":"returned","value":{"m":[]}}`
	os.NewFile(3, "").WriteString("\\x00\\x00\\x00" + string(rune(len(said))) + "\\x00\\x00\\x00\\x00" + said)
	os.Exit(0)
	rows := []Row{}
"""
GO_HOSTILE = {
    "does not build": ("package gotally", "package gotally\n\nfunc broken( {"),
    "panics at the start": ("// Row is", 'func init() { panic("init") }\n\n// Row is'),
    "leaves at the start": ("// Row is", "func init() { os.Exit(0) }\n\n// Row is"),
    "never ends": ("	rows := []Row{}\n", "	for {\n	}\n	rows := []Row{}\n"),
    "leaves with 0": ("	rows := []Row{}\n", "	os.Exit(0)\n	rows := []Row{}\n"),
    "forges its statement": (
        "	rows := []Row{}\n",
        FORGED,
    ),
    "does nothing": ("	sums := map[string]*big.Int{}\n", "	sums := map[string]*big.Int{}\n	return sums\n"),
}
COMMAND_WRONG = {
    "counts letters": (
        "found.bytes++;",
        "found.bytes += (letter & 0xc0) != 0x80;",
        "input|order|report|separator|last|named",
    ),
    "counts a last line": ("    return found;", "    found.lines += inside;\n    return found;", "last_line"),
    "counts spaces": ("word && !inside", "!word && inside", "last_line|input"),
    "sorts the files": (
        "    std::ostringstream out;",
        "    std::sort(names.begin(), names.end());\n    std::ostringstream out;",
        "order",
    ),
    "prints the report": ("if (report.empty())", "if (true)", "report"),
    "writes into what it reads": (
        "    return status;",
        '    if (!report.empty()) std::ofstream("text") << "";\n    return status;',
        "report",
    ),
    "knows no separator": ('std::getenv("WORDCOUNT_SEPARATOR")', "nullptr", "separator"),
    "leaves with 0": ("status = 1;", "status = 0;", "not_there"),
    "stops at the first": ("status = 1;\n            continue;", "return 1;", "not_there"),
    "complains aloud": ("std::cerr <<", "std::cout <<", "not_there"),
}


@pytest.fixture
def judge_go(sandbox: Sandbox, bench_site: Path, go_site: Path, tmp_path: Path) -> Judge:
    suite = suite_of("gotally", "go", tmp_path / "final")

    def judged(workspace: Path) -> Verdict:
        return judge(suite, workspace, sandbox=sandbox, bench_site=bench_site, product_site=go_site, seed="gotally")

    return judged


@pytest.fixture
def judge_command(sandbox: Sandbox, bench_site: Path, tmp_path: Path) -> Judge:
    suite = suite_of("wordcount", "command", tmp_path / "final")

    def judged(workspace: Path) -> Verdict:
        return judge(suite, workspace, sandbox=sandbox, bench_site=bench_site, product_site=None, seed="wordcount")

    return judged


def built(workspace: Path) -> Path:
    """As the one who wrote it builds it."""
    if shutil.which("g++") is None:
        pytest.skip("there is no g++ here")
    (workspace / "build").mkdir()
    command = ["g++", "-O1", "-static", "-include", "algorithm", "-o", "build/wordcount", "src/wordcount.cpp"]
    subprocess.run(command, cwd=workspace, check=True, capture_output=True)
    return workspace


def test_the_go_reference_gets_1(judge_go: Judge) -> None:
    verdict = judge_go(DATA / "gotally" / "workspace")
    assert (verdict.outcome, verdict.reward, verdict.causes) == (Judged.JUDGED, 1, ())
    assert {node.result for node in verdict.nodes} == {NodeResult.PASSED}


@pytest.mark.full
@pytest.mark.parametrize("name", GO_WRONG)
def test_a_wrong_go_product_falls_at_the_node_that_is_about_it(judge_go: Judge, name: str, tmp_path: Path) -> None:
    text, other, words = GO_WRONG[name]
    workspace = changed("gotally", tmp_path / "app", "ledger.go", text, other)
    if "wrong{" in other:
        source = workspace / "ledger.go"
        by_value = "type wrong struct{ *LineError }\n"
        source.write_text(source.read_text().replace("line, ErrNoAmount}", "line, ErrNoAmount}}") + by_value)
    verdict = judge_go(workspace)
    assert fallen(verdict)
    assert all(any(word in node for word in words.split("|")) for node in fallen(verdict)), verdict.causes


@pytest.mark.full
@pytest.mark.parametrize("name", GO_HOSTILE)
def test_a_hostile_go_product_gets_0_and_never_infra(judge_go: Judge, name: str, tmp_path: Path) -> None:
    text, other = GO_HOSTILE[name]
    workspace = changed("gotally", tmp_path / "app", "ledger.go", text, other)
    if "os." in other:
        source = workspace / "ledger.go"
        source.write_text(source.read_text().replace('"math/big"\n', '"math/big"\n	"os"\n'))
    verdict = judge_go(workspace)
    assert len(fallen(verdict)) >= (3 if name == "does nothing" else len(verdict.nodes) - 1)
    if name == "does not build":
        assert "syntax error" in verdict.causes[0]


def test_an_empty_workspace_gets_0(judge_go: Judge, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert len(fallen(judge_go(tmp_path / "empty"))) == 6


def test_the_program_that_was_built_gets_1(judge_command: Judge, tmp_path: Path) -> None:
    shutil.copytree(DATA / "wordcount" / "workspace", tmp_path / "app")
    verdict = judge_command(built(tmp_path / "app"))
    assert (verdict.outcome, verdict.reward, verdict.causes) == (Judged.JUDGED, 1, ())


@pytest.mark.parametrize("name", COMMAND_WRONG)
def test_a_wrong_program_falls_at_the_node_that_is_about_it(judge_command: Judge, name: str, tmp_path: Path) -> None:
    text, other, words = COMMAND_WRONG[name]
    verdict = judge_command(built(changed("wordcount", tmp_path / "app", "src/wordcount.cpp", text, other)))
    assert fallen(verdict)
    assert all(any(word in node for word in words.split("|")) for node in fallen(verdict)), verdict.causes


def test_a_program_that_was_not_built_gets_0(judge_command: Judge, tmp_path: Path) -> None:
    shutil.copytree(DATA / "wordcount" / "workspace", tmp_path / "app")
    assert len(fallen(judge_command(tmp_path / "app"))) == 7
