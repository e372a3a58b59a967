"""A program of its own that judges the corpus of a language, so that what it leaves on the machine can be looked for.

`python -m tests.integration.validation.hostile_run LANGUAGE BENCH_SITE PRODUCT_SITE OUT [NAME...]` writes each verdict
with its seconds. PRODUCT_SITE is empty for a language that needs none.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from environments.choose import choose_sandbox
from environments.interface import Sandbox
from judge.judging import judge
from taskpack.layout import WorkFolder
from taskpack.verdict import Verdict
from tests.integration.languages.suites import DATA, suite_of
from validation.hostile.apply import make_attack, make_twin
from validation.hostile.candidate import HostileCandidate, Language, Side, candidates
from validation.hostile.overlay import make_candidate
from validation.selftest import lay_out

BASE = Path(__file__).parents[2] / "gates" / "_base"
ATTACKED_S = {Language.PYTHON: 2, Language.COMMAND: 2, Language.GO: 2}
"""The limit of each call of an attack: some never end."""
SLOWER_S = 12
"""The same where each call is a new process of an interpreter that takes its time."""
PRODUCTS = {Language.JAVASCRIPT: "tstally", Language.COMMAND: "shelf", Language.GO: "gotally"}
"""Whose product in the test data is attacked; Python's is the tiny case of the gates."""
_WORKERS = 2


@dataclass(frozen=True, kw_only=True)
class Judgement:
    """A verdict, and how long it took."""

    name: str
    side: Side
    seconds: float
    verdict: Verdict


def read_run(path: Path) -> tuple[Judgement, ...]:
    """What a run wrote."""
    return tuple(
        Judgement(
            name=row["name"],
            side=Side(row["side"]),
            seconds=row["seconds"],
            verdict=Verdict.model_validate(row["verdict"]),
        )
        for row in json.loads(path.read_text("utf-8"))
    )


def main(argv: Sequence[str]) -> None:
    """Judge the candidates that are named, else all, a few at a time."""
    word, site, product_site, out, *names = argv
    language = Language(word)
    chosen = [each for each in candidates(language) if not names or each.name in names]
    with tempfile.TemporaryDirectory() as folder:
        room = Path(folder)
        sandbox = choose_sandbox(WorkFolder(root=room / "work"))
        court = new_court(
            language, sandbox, Path(site), product_site=Path(product_site) if product_site else None, room=room
        )
        with ThreadPoolExecutor(max_workers=_WORKERS) as pool:
            jobs = [pool.submit(court.judge, each, side) for each in chosen for side in Side]
            rows = [job.result() for job in jobs]
    Path(out).write_text(json.dumps(rows), "utf-8")


def shorten(tests: Path, limit_s: int) -> None:
    for path in tests.glob("F??_acceptance.py"):
        text = re.sub(r"product\.call\(", f"product.call(limit_s={limit_s}, name=", path.read_text("utf-8"))
        path.write_text(re.sub(r"\.run\(\[", f".run(limit_s={limit_s}, argv=[", text), "utf-8")


@dataclass(frozen=True, kw_only=True)
class Court:
    """Judges one candidate after the other."""

    sandbox: Sandbox
    site: Path
    product_site: Path | None
    room: Path
    suites: Mapping[Side, Path]
    products: Mapping[Side, Path]
    """What a side's files are laid over."""

    def judge(self, candidate: HostileCandidate, side: Side) -> dict[str, object]:
        """One row of the run."""
        workspace = self.room / f"{candidate.name}-{side}"
        make_side(candidate, side, self.products, workspace)
        started = time.monotonic()
        verdict = judge(
            self.suites[side],
            workspace,
            sandbox=self.sandbox,
            bench_site=self.site,
            product_site=self.product_site,
            seed="hostile",
        )
        seconds = round(time.monotonic() - started, 2)
        return {"name": candidate.name, "side": side, "seconds": seconds, "verdict": verdict.model_dump(mode="json")}


def make_side(candidate: HostileCandidate, side: Side, products: Mapping[Side, Path], dest: Path) -> None:
    """Write the workspace of a side."""
    if candidate.language is Language.PYTHON:
        make = make_attack if side is Side.ATTACK else make_twin
        make(candidate, products[side], ("src",), dest)
    else:
        make_candidate(candidate, side, products[side], dest, right=products[Side.TWIN])


def products_of(language: Language) -> dict[Side, Path]:
    """The wrong product and the right one, in the test data."""
    data = DATA / PRODUCTS[language]
    return {Side.ATTACK: data / "wrong", Side.TWIN: data / "workspace"}


def new_court(language: Language, sandbox: Sandbox, site: Path, *, product_site: Path | None, room: Path) -> Court:
    """A court with a suite for each side in `room`."""
    if language is Language.PYTHON:
        cases = {side: lay_out(BASE, None, room / side) for side in Side}
        suites = {side: case.suite for side, (case, _) in cases.items()}
        products = {side: reference for side, (_, reference) in cases.items()}
    else:
        suites = {side: suite_of(PRODUCTS[language], language, room / f"suite-{side}") for side in Side}
        products = products_of(language)
    shorten(suites[Side.ATTACK] / "tests", ATTACKED_S.get(language, SLOWER_S))
    return Court(sandbox=sandbox, site=site, product_site=product_site, room=room, suites=suites, products=products)


if __name__ == "__main__":
    main(sys.argv[1:])
