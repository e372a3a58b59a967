"""The first task at full size: its documents, its suite, its gates, and what `make demo` prints."""

from __future__ import annotations

import json
import re
from pathlib import Path

from authoring.counting import distinct_tests
from taskpack.layout import CaseFolder
from taskpack.mutant import Fate, KillMatrix
from taskpack.receipt import Receipt
from taskpack.spec import Spec
from taskpack.suite import TestManifest
from tests.accept.checklist import CHECKOUT, Checklist, Ran, need, repowright, run, tail

CASE = CaseFolder(root=CHECKOUT / "cases" / "case001")
FEATURES, CLAUSES, TESTS, MUTANTS = 4, 60, 150, 80
SECONDS = 10.0
"""What a finished run may take."""


class Task:
    """Claims on case001 as `make demo` leaves it."""

    def __init__(self, scratch: Path) -> None:
        self.scratch = scratch

    def demo(self) -> str:
        done = run(["make", "demo"], timeout=3600)
        need(done.code == 0, tail(done.out + done.err, 20))
        self._printed(done)
        return tail(done.out, 1)

    def again(self) -> str:
        done = run(["make", "demo"], timeout=600)
        need(done.code == 0, tail(done.out + done.err, 20))
        self._printed(done)
        need(done.seconds < SECONDS, f"it took {done.seconds:.1f} s")
        need(" made " not in done.out, tail(done.out, 40))
        return f"{done.seconds:.1f} s"

    def _printed(self, done: Ran) -> None:
        for title in ("stages", "gates", "ledger", "task ", "bundle "):
            need(re.search(rf"^{title}", done.out, re.MULTILINE) is not None, f"no `{title}` in\n{tail(done.out, 40)}")

    def size(self) -> str:
        spec, manifest = _spec(), _manifest()
        texts = {path.name: path.read_text("utf-8") for path in sorted(CASE.tests.glob("F[0-9][0-9]_acceptance.py"))}
        counts = (len(spec.features), len(spec.clauses()), distinct_tests(texts))
        said = f"{counts[0]} feature points, {counts[1]} clauses, {counts[2]} tests that differ, {len(manifest.node_ids)} nodes"
        need(counts >= (FEATURES, 0, 0) and counts[1] >= CLAUSES and counts[2] >= TESTS, said)
        return said

    def every_clause(self) -> str:
        cited = {clause for clauses in _manifest().clauses.values() for clause in clauses}
        bare = [clause.id for clause in _spec().clauses() if clause.id not in cited]
        need(not bare, f"without a node: {', '.join(bare)}")
        return f"{len(cited)} clauses are cited"

    def clock(self) -> str:
        timed = [path.name for path in CASE.tests.glob("F[0-9][0-9]_*.py") if ".at(" in path.read_text("utf-8")]
        need("clock" in _manifest().needs and bool(timed), f"needs {_manifest().needs}")
        return f"told in {', '.join(sorted(timed))}"

    def documents(self) -> str:
        prd, contract = CASE.prd.read_text("utf-8"), CASE.contract.read_text("utf-8")
        for heading in ("Product overview", "Terminology", "Public surface inventory", "Non-functional constraints",
                        "Required substance (global)", "Non-goals", "Feature points"):  # fmt: skip
            need(f"## {heading}\n" in prd, f"the PRD has no `{heading}`")
        for heading in ("Package and layout", "Common input conventions", "Data forms", "Failures"):
            need(f"## {heading}\n" in contract, f"the contract has no `{heading}`")
        sentences = [clause.id for clause in _spec().clauses() if clause.text in contract]
        need(not sentences, f"behaviour in the contract: {', '.join(sentences)}")
        return f"PRD {len(prd)} characters, contract {len(contract)}"

    def gates(self) -> str:
        receipts = [Receipt.from_bytes(path.read_bytes(), where=path.name) for path in CASE.receipts.glob("*.json")]
        verdicts = {one.code: str(one.verdict) for one in receipts}
        bad = {code: verdict for code, verdict in verdicts.items() if verdict == "fail"}
        need("DOC-STATED" in verdicts and not bad, f"{bad or verdicts}")
        skipped = sorted(code for code, verdict in verdicts.items() if verdict == "skip")
        return f"{len(verdicts) - len(skipped)} passed" + (f", skipped: {', '.join(skipped)}" if skipped else "")

    def mutants(self) -> str:
        matrix = KillMatrix.from_bytes(CASE.kill_matrix.read_bytes(), where="kill_matrix.json")
        run_ = [one for one in matrix.results if one.fate in {Fate.KILLED, Fate.SURVIVED}]
        nodes = set(_manifest().node_ids)
        unnamed = [one.mutant.id for one in run_ if one.fate is Fate.KILLED and not set(one.killers) & nodes]
        silent = [one.mutant.id for one in run_ if one.fate is Fate.SURVIVED and not (one.note and one.mutant.line)]
        killed = sum(one.fate is Fate.KILLED for one in run_)
        said = f"{len(run_)} ran, {killed} killed by a named node, {len(run_) - killed} open with place and reason"
        need(len(run_) >= MUTANTS and not unnamed and not silent, f"{said}; {unnamed} {silent}")
        return said

    def right(self) -> str:
        app = CASE.controls / "clean_room" / "app"
        done = repowright("judge", "case001", app, "--json", timeout=900)
        need(done.code == 0, tail(done.out + done.err, 12))
        verdict = json.loads(done.out)
        return f"reward {verdict['reward']}, {len(verdict['nodes'])} nodes"


def _spec() -> Spec:
    return Spec.from_bytes(CASE.spec.read_bytes(), where="spec.json")


def _manifest() -> TestManifest:
    return TestManifest.model_validate_json(CASE.test_manifest.read_bytes())


def claims(book: Checklist, scratch: Path) -> None:
    task = Task(scratch)
    book.claim("5 `make demo` prints stages, gates, ledger, and the paths of task and bundle", task.demo)
    book.claim("5 the second run ends in seconds and makes nothing", task.again)
    book.claim("5 4 feature points, 60 clauses, 150 tests that differ by more than names and constants", task.size)
    book.claim("5 documents in the newest style; the contract holds form only", task.documents)
    book.claim("5 time comes through the wire's clock", task.clock)
    book.claim("5 an implementation made from the documents alone scores 1", task.right)
    book.claim("6 no gate fails; nothing that a test needs is unsaid (DOC-STATED)", task.gates)
    book.claim("6 80 syntax mutants, each killed by a named node or open with place and reason", task.mutants)
    book.claim("6 no clause is without a node", task.every_clause)
