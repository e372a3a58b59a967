"""Verdicts: one workspace, one suite, one answer. The asserting process never loads candidate code."""

from __future__ import annotations

import contextlib
import errno
import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from environments.interface import Mount, Sandbox
from environments.runtime import scratch
from judge.bench import Bench, BenchReport, BenchSpec
from judge.comparing import compare
from judge.evidence import Evidence
from judge.printable import printable
from judge.seeds import draw_seed
from judge.trial import Trial
from judge.workspace import Workspace, copy_folder, copy_workspace
from taskpack.errors import BadInput, SandboxFailed
from taskpack.files import file_digest, tree_digest
from taskpack.record import unreadable
from taskpack.suite import TestManifest
from taskpack.verdict import Judged, NodeReport, NodeResult, Verdict

_CAUSES_CAP = 200
_MANIFEST = "test_manifest.json"
_DRIVER = "environments/driver/main.py"
"""What a product sandbox is started with."""
_SUITE_S = 600.0
_NODE_S = 3.0


@dataclass(frozen=True, kw_only=True)
class CollectedNode:
    """A node of a suite, as the bench found it."""

    id: str
    clauses: tuple[str, ...]


def judge(
    suite: Path,
    workspace: Path,
    *,
    sandbox: Sandbox,
    bench_site: Path,
    product_site: Path | None,
    seed: str | None = None,
    seeds: Path | None = None,
    clock: Callable[[], Path] | None = None,
    resources: Mount | None = None,
    reference: Path | None = None,
    always_fresh: bool = False,
    only: tuple[str, ...] = (),
    wall_s: float | None = None,
    denied: Callable[[Path], Sequence[str]] = lambda _: (),
    masked: tuple[str, ...] = (),
    logs: Path | None = None,
    expected: str | None = None,
) -> Verdict:
    """Judge `workspace` with the suite in `suite` (`milestones/final`).

    Reward 1 if and only if every frozen node was collected once and passed, and no other was there. What breaks
    outside the product sandbox is tried three times and then is outcome `infra` without a reward, or `unjudgeable` when
    `reference`, a workspace that is right, passes beside it; what breaks with this workspace alone, or is beyond the
    bounds of a workspace, is reward 0. The seed is kept under `seeds`; `seed` replays one. `clock` gives the folder of
    `environments.clock` where the suite needs one; `resources` are mounted for the product; `always_fresh` gives each
    call a new interpreter. With `only`, the other nodes are not run: they are missing, so the reward is 0. The whole
    suite may take `wall_s` seconds, `suite_limit` by default. `denied` looks through the copy that is judged and gives
    causes: with any of them no node is run, the reward is 0, and the causes are those alone. `masked` are paths that
    the product finds covered. What broke is told in full in a log under `logs`, or in the system's temporary folder,
    and the causes name it. `expected` is the digest that the suite must have. Raises `BadInput` or `RecordUnreadable`
    when suite or workspace cannot be read, or the suite is another; `NoSpace` on a full disk and `SandboxFailed`, with
    the log's path, when what comes before the first try is not possible.
    """
    about = {"suite": str(suite), "workspace": str(workspace), "sandbox": f"{sandbox.name}, {sandbox.base}"}
    evidence = Evidence(folder=logs, about={**about, "bounds held by": sandbox.limits_by})
    with evidence.kept(), scratch() as folder:
        manifest, frozen = _read_manifest(suite)
        with _suite_errors(suite):
            _check_whole(suite, manifest)
            staged = _stage(suite, folder)
            digest = _digest(staged / "tests", frozen)
        if expected is not None and digest != expected:
            raise another_suite(suite, seen=digest, expected=expected)
        candidate = copy_workspace(workspace, folder / "app")
        seed = seed or draw_seed(seeds, suite=digest, candidate=candidate.digest)
        limit = wall_s if wall_s is not None else suite_limit(len(manifest.node_ids))
        spec = BenchSpec(sandbox=sandbox, suite=staged, site=bench_site, seed=seed, wall_s=limit, only=only)
        trial = Trial(
            spec=spec,
            manifest=manifest,
            product_site=product_site,
            clock=clock() if clock and "clock" in manifest.needs else None,
            resources=resources,
            always_fresh=always_fresh,
            masked=masked,
            reference=reference,
            evidence=evidence,
            scratch=folder,
        )
        bans = () if candidate.refusal else tuple(map(printable, denied(candidate.root)))
        refusal = (candidate.refusal,) if candidate.refusal else bans
        answer: BenchReport | SandboxFailed
        answer = BenchReport(nodes=(), problems=refusal) if refusal else trial.decide(candidate.root)
        broke = isinstance(answer, SandboxFailed)
        outcome = Judged.INFRA if broke else Judged.JUDGED
        if broke and trial.reference_passes:
            outcome = Judged.UNJUDGEABLE
        if isinstance(answer, SandboxFailed):
            answer.details["log"] = evidence.keep()
    nodes = () if isinstance(answer, SandboxFailed) else compare(manifest.node_ids, answer)
    passed = not broke and all(node.result is NodeResult.PASSED for node in nodes) and bool(nodes)
    return Verdict(
        outcome=outcome,
        reward=None if broke else int(passed),
        candidate=candidate.digest,
        suite=digest,
        seed=seed,
        backend=sandbox.name,
        base=sandbox.base,
        limits_by=sandbox.limits_by,
        nodes=nodes,
        causes=() if passed else bans[:_CAUSES_CAP] or _causes(answer, nodes, manifest.clauses, candidate),
    )


def suite_limit(nodes: int) -> float:
    """Seconds that a suite of so many nodes may take: many times what a right workspace takes (`benchmarks/judge.py`
    prints that), since a machine that is busy with other work must not be held against it."""
    return _SUITE_S + nodes * _NODE_S


def collect(
    suite: Path, *, sandbox: Sandbox, bench_site: Path, seed: str = "collect", wall_s: float = 120
) -> tuple[CollectedNode, ...]:
    """The node ids of a suite and the clauses that each cites, sorted; no product is started and no manifest is needed.

    Raises `BadInput` when a file cannot be collected, a node is there twice, or none is there.
    """
    with scratch() as folder:
        staged = _stage(suite, folder)
        spec = BenchSpec(sandbox=sandbox, suite=staged, site=bench_site, seed=seed, wall_s=wall_s)
        report = Bench(spec).collect()
    problems = [*report.problems, *(f"{node.id} is there twice" for node in report.nodes if node.collected != 1)]
    if problems or not report.nodes:
        raise BadInput(
            "the suite cannot be collected",
            details={str(number): fact for number, fact in enumerate(problems[:5] or ["no node was found"], 1)},
            remedy="correct the test files that are named; each test stands once, at the top of an acceptance file",
        )
    nodes = (CollectedNode(id=node.id, clauses=node.clauses) for node in report.nodes)
    return tuple(sorted(nodes, key=lambda node: node.id))


def read_manifest(suite: Path) -> TestManifest:
    """The suite's `test_manifest.json`."""
    return _read_manifest(suite)[0]


def _read_manifest(suite: Path) -> tuple[TestManifest, str]:
    """The manifest, and the SHA-256 of the file it was read from."""
    path = suite / _MANIFEST
    try:
        with _suite_errors(suite):
            data = path.read_bytes()
        return TestManifest.model_validate_json(data), hashlib.sha256(data).hexdigest()
    except FileNotFoundError:
        raise BadInput(
            f"{suite} is no suite",
            details={"missing": path.name},
            remedy="name a folder with tests/ and test_manifest.json, such as milestones/final of a case",
        ) from None
    except ValidationError as error:
        raise unreadable(TestManifest, str(path), error) from error


def suite_digest(suite: Path) -> str:
    """Digest of what decides a verdict: the tests with their library, and the manifest."""
    return _digest(suite / "tests", file_digest(suite / _MANIFEST))


def _digest(tests: Path, manifest: str) -> str:
    return hashlib.sha256(f"{tree_digest(tests)}\n{manifest}\n".encode()).hexdigest()


@contextlib.contextmanager
def _suite_errors(suite: Path) -> Iterator[None]:
    """Name a suite that is there and cannot be read. What is this machine's trouble passes."""
    try:
        yield
    except (PermissionError, NotADirectoryError, IsADirectoryError) as error:
        raise BadInput(
            f"the suite {suite} cannot be read",
            details={"file": str(error.filename), "fact": error.strerror or errno.errorcode.get(error.errno or 0, "")},
            remedy="make it readable, or author the case again",
        ) from error


def _check_whole(suite: Path, manifest: TestManifest) -> None:
    """What a suite has lost would look as if a candidate had failed it."""
    frozen = {name.partition("::")[0] for name in manifest.node_ids}
    lost = sorted(name for name in frozen if not (suite / name).is_file())
    if lost:
        raise BadInput(
            "the suite is not whole",
            details={"suite": str(suite), "missing": ", ".join(lost[:5])},
            remedy="take it from the release again, or author the case again",
        )


def another_suite(suite: Path, *, seen: str, expected: str) -> BadInput:
    """A suite is not the one whose gates have passed: what it has lost would look as if a candidate had failed it."""
    return BadInput(
        "the suite is not the one whose gates have passed",
        details={"folder": str(suite), "gates saw": expected, "it is": seen},
        remedy="take it from the release again, or run repowright author for its case",
    )


def _stage(suite: Path, folder: Path) -> Path:
    """The suite's folder as the bench sees it: `tests/` alone."""
    driver = suite / "tests" / "_lib" / _DRIVER
    if not driver.is_file():
        raise BadInput(
            "the suite carries another library than this version of the judge starts",
            details={"missing": str(driver)},
            remedy="author the case again, or judge it with the version that recorded it",
        )
    staged = folder / "suite"
    staged.mkdir(mode=0o755)
    copy_folder(suite / "tests", staged / "tests", what="the suite's tests folder")
    return staged


def _causes(
    answer: BenchReport | SandboxFailed,
    nodes: Sequence[NodeReport],
    clauses: Mapping[str, Sequence[str]],
    candidate: Workspace,
) -> tuple[str, ...]:
    if isinstance(answer, SandboxFailed):
        return tuple(printable(line.strip()) for line in answer.render().splitlines() if line.strip())
    causes = list(answer.problems)
    for node in nodes:
        if node.result is not NodeResult.PASSED:
            cited = ", ".join(clauses.get(node.id, ())) or "no clause"
            causes.append(f"{cited}: {node.id} {node.result}: {node.cause}")
    causes += [f"left out of the workspace: {fact}" for fact in candidate.absent]
    return tuple(map(printable, causes[:_CAUSES_CAP])) or ("the suite has no nodes",)
