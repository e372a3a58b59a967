"""What a run that was killed has left: halves, temporary things, processes, mounts, control groups."""

from __future__ import annotations

import json
import re
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from providers.ledger import Ledger
from taskpack.files import file_digest, tree_digest, walk
from taskpack.recipe import Environment, Rebuilt
from taskpack.verdict import Verdict
from tests.faults.ground import Ground, stage_folders
from tests.tiny import DATA, Tiny

_HEX = re.compile(r"[0-9a-f]{64}")
TEMPORARY = tuple(
    re.compile(text)
    for text in (
        r"work/stages/\.scratch-[^/]+",
        r"work/environments/\.building-[^/]+",
        r"work/downloads/\.fetch-[^/]+",
        r"work/git/\.[^/]+",
        r"work/releases/\.part-[^/]+",
        r"work/seeds/[^/]+/\.seed-[^/]+",
        r"(work|cases)/(.+/)?\.[^/]+\.[^/.]{8}\.part",
    )
)
"""Where `docs/work-directory.md` says that temporary things lie."""
_DYING_S = 20.0


def temporary(tiny: Tiny) -> list[str]:
    """Temporary things in the documented places, relative to the root."""
    found = []
    for top in (tiny.work.root, tiny.cases):
        for path in top.rglob(".*"):
            name = path.relative_to(tiny.root).as_posix()
            if any(pattern.fullmatch(name) for pattern in TEMPORARY):
                found.append(name)
    return found


def halves(tiny: Tiny, ground: Ground) -> list[str]:
    """What is there and not whole, or has no business there. Temporary things in their places are passed over."""
    return [*_stages(tiny, ground), *_work(tiny, ground), *_case(tiny, ground)]


def _stages(tiny: Tiny, ground: Ground) -> Iterator[str]:
    for name, folder in stage_folders(tiny).items():
        if ground.stored.get(name) != tree_digest(folder):
            yield f"stages/{name} is not what an undisturbed run stores"


def _work(tiny: Tiny, ground: Ground) -> Iterator[str]:
    known = {path.name for path in ground.tiny.work.root.iterdir()} | {"inbox", "intents", "prefect"}
    for path in _plain(tiny.work.root):
        if path.name not in known:
            yield f"{path.name} is not documented"
    yield from _fetched(tiny)
    _read_records(tiny)
    for path in tiny.work.releases.glob("[!.]*/[!.]*"):
        if path.name != ground.bundle.name or tree_digest(path) != ground.bundle_digest:
            yield f"releases/{path.name} is not the bundle of an undisturbed run"


def _fetched(tiny: Tiny) -> Iterator[str]:
    for path in _plain(tiny.work.environments):
        if _HEX.fullmatch(path.name) and tree_digest(path) != path.name:
            yield f"environments/{path.name} does not hold what its name says"
    for path in _plain(tiny.work.downloads):
        if path.name != "uv" and [file_digest(file) for file in _plain(path)] not in ([], [path.name]):
            yield f"downloads/{path.name} holds another file"
    for path in _plain(tiny.work.git):
        done = subprocess.run(["git", "-C", path, "fsck", "--strict"], capture_output=True, check=False)
        if done.returncode != 0:
            yield f"git/{path.name}: {done.stderr.decode()}"


def _read_records(tiny: Tiny) -> None:
    """Raises what reading a half record raises."""
    for path in _plain(tiny.work.environments / "recipes"):
        kind = Rebuilt if path.name.endswith(".again.json") else Environment
        kind.from_bytes(path.read_bytes(), where=str(path))
    for path in _plain(tiny.work.verdicts):
        Verdict.from_bytes(path.read_bytes(), where=str(path))
    for path in [*tiny.work.inbox.rglob("[!.]*.json"), *tiny.work.root.glob("intents/[!.]*.json")]:
        json.loads(path.read_bytes())


def _case(tiny: Tiny, ground: Ground) -> Iterator[str]:
    """Each file of the case is as it was written by hand, or as an undisturbed run leaves it."""
    for path in walk(tiny.case.root):
        relative = path.relative_to(tiny.case.root)
        if path == tiny.case.ledger:
            known = Ledger(ground.tiny.case.ledger).entries()
            if any(entry not in known for entry in Ledger(path).entries()):
                yield "the ledger has entries of its own"
            continue
        if any(pattern.fullmatch(path.relative_to(tiny.root).as_posix()) for pattern in TEMPORARY):
            continue
        wanted = [root / relative for root in (DATA / "case", ground.tiny.case.root)]
        if path.read_bytes() not in [place.read_bytes() for place in wanted if place.is_file()]:
            yield f"{relative} in the case is neither old nor new"


def _plain(folder: Path) -> list[Path]:
    return sorted(path for path in folder.glob("[!.]*")) if folder.is_dir() else []


@dataclass(frozen=True, kw_only=True)
class Groups:
    """Control groups of the owners in a runtime area, read while their record is still there."""

    owners: frozenset[str]
    places: frozenset[Path]

    def left(self) -> list[str]:
        return [
            str(path) for owner in self.owners for place in self.places for path in place.glob(f"repowright-{owner}-*")
        ]


def groups_of(tiny: Tiny) -> Groups:
    owners = list((tiny.runtime / "owners").glob("*"))
    records = [path / "groups" for path in owners if (path / "groups").is_file()]
    places = {Path(line) for record in records for line in record.read_text().splitlines()}
    return Groups(owners=frozenset(path.name for path in owners), places=frozenset(places))


def still_running(tiny: Tiny) -> list[str]:
    """Processes of the run that do not end by themselves within the time that a kill takes; empty when all have."""
    until = time.monotonic() + _DYING_S
    while (found := _processes(str(tiny.root))) and time.monotonic() < until:
        time.sleep(0.02)
    return found


def mounted(tiny: Tiny) -> list[str]:
    return [line for line in Path("/proc/self/mountinfo").read_text().splitlines() if str(tiny.root) in line]


def _processes(root: str) -> list[str]:
    """Whoever was started with the root in its words, in its environment, or sees a piece of it as a mount."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        try:
            seen = [(place / name).read_bytes() for name in ("cmdline", "environ", "mountinfo")]
        except OSError:
            continue
        inner = root.removeprefix("/var/tmp/").encode()
        if any(inner in text for text in seen) and seen[0]:
            found.append(f"{place.name} {seen[0].replace(bytes(1), b' ').decode(errors='replace')[:200]}")
    return found
