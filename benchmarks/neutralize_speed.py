"""Throughput of the term scan in one run with other tools, on the same files and names."""

from __future__ import annotations

import os
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks.corpus import gather
from benchmarks.planting import Name, names, plant
from neutralize.encoded import codes
from neutralize.needles import needles
from neutralize.scan import Scanner
from neutralize.search import Search
from neutralize.traverse import decode
from taskpack.rename import Grade, Term

_ROUNDS = 3
_TRIGGERED = 5_000_000
_BUNDLE = 10_000_000
_SLOW = 2_000_000
"""Of text for what would take minutes on all of it."""
_START = """
import resource
import sys
from pathlib import Path
from neutralize.scan import scan
from neutralize.traverse import items
from taskpack.rename import Term
lines = Path(sys.argv[1]).read_text().split("\\n")
terms = [Term(surface=line, grade="I", kind="project", sources=("x",)) for line in lines]
report = scan(items(Path(sys.argv[2])), terms)
print(report.files, len(report.findings), len(report.unscanned), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def invented(rng: random.Random, count: int) -> list[Name]:
    found: list[Name] = []
    while len(found) < count:
        found += [name for name in names(rng, count) if name.kind == "project" and name.grade == "I"]
    return found[:count]


def terms_of(known: Sequence[Name]) -> list[Term]:
    return [Term(surface=n.surface, grade=Grade(n.grade), kind=n.kind, sources=("bench",)) for n in known]


def _row(what: str, size: int, run: Callable[[], object]) -> None:
    """The best of some rounds, in processor time of this process and its children."""
    best = min(_seconds(run) for _ in range(_ROUNDS))
    print(f"| {what} | {size / 1e6:.1f} | {best:.3f} | {size / 1e6 / best:.0f} |", flush=True)


def _seconds(run: Callable[[], object]) -> float:
    def spent() -> float:
        child = resource.getrusage(resource.RUSAGE_CHILDREN)
        return time.process_time() + child.ru_utime + child.ru_stime

    before = spent()
    run()
    return max(spent() - before, 1e-6)


def speed(megabytes: float, seed: int) -> None:
    rng = random.Random(seed)
    files = [data for _, data in gather(int(megabytes * 1e6))]
    size = sum(map(len, files))
    texts = [text for text in map(decode, files) if text is not None]
    few, many = invented(rng, 50), invented(rng, 2000)
    load = os.getloadavg()[0]
    print(f"\n## Throughput: {len(files)} files, load {load:.1f} on {os.cpu_count()} processors\n")
    print("| what | MB | s | MB/s |\n|---|--:|--:|--:|")
    _row("decode and check the bytes", size, lambda: [decode(data) for data in files])
    for known in (few, many):
        ready = needles(terms_of(known))
        started = time.process_time()
        search = Search(ready, codes(ready))
        print(f"| build, {len(known)} names | | {time.process_time() - started:.3f} | |")
        _row(f"raw and encoded, {len(known)} names", size, lambda: [list(_raw(search, data)) for data in files])  # noqa: B023
    whole = b"\n".join(files)
    search = Search(needles(terms_of(few)), codes(needles(terms_of(few))))
    _row("the same, 50 names, as one file", len(whole), lambda: list(_raw(search, whole)))
    scanner = Scanner(terms_of(few))
    _row("whole scan, all views, 50 names", size, lambda: [scanner.findings(text, "t") for text in texts])
    _triggered(rng, few, scanner, texts)
    _others(few, many, files)
    _linear(scanner, texts)
    _folders(few, files)
    _bundle(few, files)


def _raw(search: Search, data: bytes) -> object:
    return search.hits("", data, data.lower())


def _triggered(rng: random.Random, few: Sequence[Name], scanner: Scanner, texts: Sequence[str]) -> None:
    """Text with a cue of some kind in every two thousand characters or so."""
    some, size = [], 0
    for text in rng.sample(list(texts), len(texts)):
        some.append(text)
        size += len(text)
        if size > _TRIGGERED:
            break
    planted, cues = plant(some, few, rng, each=size // 2000 // 46)
    whole = sum(len(text.encode()) for text in planted)
    _row(f"whole scan, {len(cues)} cues of all families", whole, lambda: [scanner.findings(t, "t") for t in planted])


def _others(few: Sequence[Name], many: Sequence[Name], files: Sequence[bytes]) -> None:
    """Other tools look for the plain names alone: one spelling, no boundary, no encoding, no view."""
    size = sum(map(len, files))
    with tempfile.TemporaryDirectory(prefix="repowright-bench-") as folder:
        text = Path(folder, "text")
        text.write_bytes(b"\n".join(files))
        for known in (few, many):
            words = [name.glued for name in known]
            patterns = Path(folder, "patterns")
            patterns.write_text("\n".join(words))
            for tool, command in (
                ("ripgrep -F -i", ["rg", "-c", "-a", "-F", "-i", "-f"]),
                ("GNU grep -F -i", ["grep", "-c", "-a", "-F", "-i", "-f"]),
            ):
                if shutil.which(command[0]) is None:
                    print(f"| {tool}, {len(words)} names | | not installed | |")
                    continue
                line = [*command, str(patterns), str(text)]
                _row(f"{tool}, {len(words)} names", size, lambda: _call(line))  # noqa: B023
            part = b"\n".join(files)[: _SLOW if len(words) < 100 else _SLOW // 10]
            pattern = re.compile("|".join(words).encode(), re.IGNORECASE)
            _row(f"re, IGNORECASE, {len(words)} names", len(part), lambda: pattern.findall(part))  # noqa: B023


def _call(command: Sequence[str]) -> None:
    subprocess.run(command, env={"PATH": "/usr/bin:/bin", "LC_ALL": "C"}, stdout=subprocess.DEVNULL, check=False)


def _linear(scanner: Scanner, texts: Sequence[str]) -> None:
    print("\n| one file of MB | s | s per MB |\n|--:|--:|--:|")
    whole = "\n".join(texts)
    for size in (1, 2, 4, 8):
        part = whole[: size * 1_000_000]
        best = min(_seconds(lambda: scanner.findings(part, "t")) for _ in range(2))  # noqa: B023
        print(f"| {size} | {best:.3f} | {best / size:.4f} |", flush=True)


def _folders(few: Sequence[Name], files: Sequence[bytes]) -> None:
    """Folders of more and more files, each scanned by a process of its own: time by bytes, memory by files."""
    print("\n| files in a folder | MB | s | s per MB | peak of memory, MB |\n|--:|--:|--:|--:|--:|")
    some = sorted(files, key=len)[len(files) // 4 : 3 * len(files) // 4]
    for count in (250, 500, 1000, 2000, 4000):
        with tempfile.TemporaryDirectory(prefix="repowright-bench-") as folder:
            taken = [some[place * 7 % len(some)] for place in range(count)]
            command = _in_folder(Path(folder), few, taken)
            said: list[str] = []
            best = min(_seconds(lambda: said.append(_said(command))) for _ in range(2))  # noqa: B023
            size = sum(map(len, taken)) / 1e6
            peak = max(int(line.split()[-1]) for line in said) / 1000
            print(f"| {count} | {size:.1f} | {best:.2f} | {best / size:.3f} | {peak:.0f} |", flush=True)


def _bundle(few: Sequence[Name], files: Sequence[bytes]) -> None:
    """Ten megabytes in a folder, scanned by a process of its own; wall time and processor time."""
    taken, size = [], 0
    for data in files:
        if size > _BUNDLE:
            break
        taken.append(data)
        size += len(data)
    with tempfile.TemporaryDirectory(prefix="repowright-bench-") as folder:
        command = _in_folder(Path(folder), few, taken)
        wall = []
        spent = []
        for _ in range(_ROUNDS):
            started = time.monotonic()
            spent.append(_seconds(lambda: _said(command)))
            wall.append(time.monotonic() - started)
        empty = min(_seconds(lambda: _said([sys.executable, "-c", "import pydantic"])) for _ in range(_ROUNDS))
    print(
        f"\nA bundle of {size / 1e6:.1f} MB, with the start of the process: {min(wall):.2f} s,"
        f" {min(spent):.2f} s of processor time; a process that imports pydantic alone: {empty:.2f} s"
    )


def _in_folder(folder: Path, few: Sequence[Name], files: Sequence[bytes]) -> list[str]:
    """The command that scans these files, which are written below `folder`."""
    root = folder / "bundle"
    root.mkdir()
    for number, data in enumerate(files):
        (root / f"{number:05}.txt").write_bytes(data)
    names_file = folder / "names"
    names_file.write_text("\n".join(name.surface for name in few))
    return [sys.executable, "-c", _START, str(names_file), str(root)]


def _said(command: Sequence[str]) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout
