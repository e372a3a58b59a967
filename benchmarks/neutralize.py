"""How well and how fast the term scan works here: `python -m benchmarks.neutralize [--quick] [--seed N] [PART ...]`.

Parts: recall (invented names planted in copies of real text, by family), alarms (what it finds in unrelated text),
residue (installed packages renamed, then scanned), speed (beside other tools). Text is found on this machine at run
time and nothing is kept. Prints tables. `--quick` takes little text and leaves out speed.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from benchmarks.corpus import gather
from benchmarks.neutralize_speed import speed
from benchmarks.packages import related
from benchmarks.planting import Cue, Name, names, plant
from benchmarks.residue import residue
from neutralize.decide import Found
from neutralize.scan import Scanner
from taskpack.rename import Grade, Term

PARTS = ("recall", "alarms", "residue", "speed")
_SHORT = {"ada": "ada", "h11": "h11", "tomli": "tomli", "lfs": "git-lfs"}
"""Short names, and the project of each."""


@dataclass(frozen=True, kw_only=True)
class Recall:
    """Of one family: how many were planted, and those not found."""

    planted: int
    missed: tuple[Cue, ...]

    @property
    def share(self) -> float:
        return 1 - len(self.missed) / self.planted


def terms_of(known: Iterable[Name]) -> list[Term]:
    return [Term(surface=n.surface, grade=Grade(n.grade), kind=n.kind, sources=("planted",)) for n in known]


def recall(texts: Sequence[str], *, seed: int, each: int) -> dict[str, Recall]:
    """Names planted `each` times in every way, and what the scan finds of them, by family.

    A cue counts as found when its own term is reported where it was planted.
    """
    rng = random.Random(seed)
    known = names(rng, 8)
    planted, cues = plant(texts, known, rng, each=each)
    scanner = Scanner(terms_of(known))
    places = {
        number: [(finding.term, (finding.line, finding.column)) for finding in scanner.findings(planted[number], "t")]
        for number in {cue.text for cue in cues}
    }
    total = Counter(cue.family for cue in cues)
    missed = [cue for cue in cues if not any(_at(cue, term, place) for term, place in places[cue.text])]
    return {
        family: Recall(planted=count, missed=tuple(cue for cue in missed if cue.family == family))
        for family, count in sorted(total.items())
    }


def _at(cue: Cue, term: str, place: tuple[int, int]) -> bool:
    first, last = (cue.first_line, cue.first_column), (cue.last_line, cue.last_column)
    return term == cue.name.surface and first <= place < last


def alarms(files: Sequence[tuple[str, bytes]], terms: Sequence[Term]) -> dict[str, list[str]]:
    """By term, every hit in the files."""
    scanner = Scanner(terms)
    found: dict[str, list[str]] = {term.surface: [] for term in terms}
    for path, data in files:
        for finding in scanner.findings(data.decode(), path):
            if finding.found is Found.HIT:
                found[finding.term].append(f"{finding.view}: {finding.snippet}")
    return found


def _print_recall(megabytes: float, seed: int, each: int) -> None:
    files = gather(int(megabytes * 1e6))
    result = recall([data.decode() for _, data in files], seed=seed, each=each)
    print(f"\n## Recall: {each} of each family in {len(files)} files, seed {seed}\n")
    print("| family | planted | found | share |\n|---|--:|--:|--:|")
    for family, row in result.items():
        print(f"| {family} | {row.planted} | {row.planted - len(row.missed)} | {row.share:.1%} |")
    planted = sum(row.planted for row in result.values())
    missed = [cue for row in result.values() for cue in row.missed]
    print(f"| all | {planted} | {planted - len(missed)} | {1 - len(missed) / planted:.2%} |")
    for cue in missed:
        print(f"missed: {cue.family}: {cue.name.surface} as {cue.planted!r}")


def _print_alarms(megabytes: float, seed: int) -> None:
    files = gather(int(megabytes * 1e6))
    size = sum(len(data) for _, data in files) / 1e6
    invented = [name for name in names(random.Random(seed), 60) if name.grade == "I"]
    found = alarms(files, terms_of(invented))
    hits = [line for lines in found.values() for line in lines]
    print(f"\n## False alarms in {size:.1f} MB, {len(files)} files\n")
    print("| terms | hits | per MB |\n|---|--:|--:|")
    print(f"| {len(invented)} invented names of grade I | {len(hits)} | {len(hits) / size:.3f} |")
    for name, project in _SHORT.items():
        unrelated = gather(int(megabytes * 1e6), left_out=related([name, project]))
        size = sum(len(data) for _, data in unrelated) / 1e6
        term = Term(surface=name, grade=Grade.DISTINCTIVE, kind="project", sources=("short",))
        lines = alarms(unrelated, [term])[term.surface]
        print(
            f"| {name} (D), in {size:.1f} MB of packages that do not name it | {len(lines)} | {len(lines) / size:.3f} |"
        )
        hits += random.Random(seed).sample(lines, min(5, len(lines)))
    for line in hits[:40]:
        print(f"found: {line}")


def _print_residue(limit: int) -> None:
    print("\n## Residue: installed packages renamed, then scanned for their own names\n")
    print("| package | files | spans renamed | hits before | left |\n|---|--:|--:|--:|--:|")
    for row in residue(limit):
        print(f"| {row.package} | {row.files} | {row.replaced} | {row.before} | {row.left} |")
        for line in row.lines:
            print(f"left: {line}", file=sys.stderr)


def _run(options: argparse.Namespace) -> Iterator[str]:
    parts = options.parts or PARTS
    if "recall" in parts:
        yield "recall"
        _print_recall(0.5 if options.quick else 10, options.seed, 4 if options.quick else 100)
    if "alarms" in parts:
        yield "alarms"
        _print_alarms(1 if options.quick else options.megabytes, options.seed)
    if "residue" in parts:
        yield "residue"
        _print_residue(2 if options.quick else 8)
    if "speed" in parts and not options.quick:
        yield "speed"
        speed(options.megabytes, options.seed)


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.neutralize")
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--megabytes", type=float, default=50, help="of unrelated text")
    for part in _run(parser.parse_args(argv)):
        print(f"... {part}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
