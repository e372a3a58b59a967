"""Real packages renamed, and what that did to them: `python -m benchmarks.renaming [--mutants N] [PACKAGE ...]`.

Each is fetched by its pin, renamed, and its own tests run before and after in an environment of their runner alone, in
which neither name is installed; then with seeded defects. Prints what was renamed by kind, what is left, whether every
byte comes back, and whether tests and defects behave alike. Nothing of the packages is kept.
"""

from __future__ import annotations

import argparse
import random
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.renaming_runs import Fetched, NotAnswered, Outcomes, Runner, npm_runner, python_runner
from environments.languages.python.mutate import changes, no_mutant, splice
from environments.languages.writings import writing_of
from neutralize.classify import Kind, Reading
from neutralize.rename import build_map, invert
from neutralize.replace import Replacer
from neutralize.scan import scan
from neutralize.traverse import Item, items
from neutralize.tree import Renamed, reach, rename_tree
from taskpack.files import tree_digest
from taskpack.order import Order
from taskpack.outcome import Fact
from taskpack.rename import Grade, RenameMap, Term

NEUTRAL = "wexqual"


@dataclass(frozen=True, kw_only=True)
class Package:
    """A pinned package, and what its author would decide."""

    name: str
    version: str
    sha256: str
    """Of the archive as the registry serves it."""
    fetch: Callable[[Package, Path], Fetched]
    surfaces: tuple[str, ...]
    """How it calls itself."""
    product: tuple[str, ...]
    """Beginnings of the paths that hold the product, where defects are seeded."""
    identifiers: Mapping[str, str] = field(default_factory=dict)
    kept: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    """Beginnings of paths that are left out: built files, what no workspace would hold."""


def _python(package: Package, folder: Path) -> Fetched:
    needs = {"itsdangerous": ("pytest", "freezegun"), "uritemplate": ("pytest",)}[package.name]
    return python_runner(package.name, package.version, package.sha256, needs, folder)


def _npm(package: Package, folder: Path) -> Fetched:
    return npm_runner(package.name, package.version, package.sha256, folder)


PACKAGES = (
    Package(
        name="itsdangerous",
        version="2.2.0",
        sha256="e0050c0b7da1eea53ffaf149c0cfbb5c6e2e2b69c4bef22c81fa6eb73e5f6173",
        fetch=_python,
        surfaces=("itsdangerous", "ItsDangerous"),
        product=("src/",),
        identifiers={"want_bytes": "as_bytes", "BadHeader": "BrokenHeader"},
        unread=("docs/", "requirements/", "CHANGES", "README", "LICENSE", "PKG-INFO"),
    ),
    Package(
        name="uritemplate",
        version="4.2.0",
        sha256="480c2ed180878955863323eea31b0ede668795de182617fef9c6ca09e6ec9d0e",
        fetch=_python,
        surfaces=("uritemplate", "URITemplate"),
        product=("uritemplate/",),
        identifiers={"OrderedSet": "RankedSet"},
    ),
    Package(
        name="qs",
        version="6.17.1",
        sha256="b7405805e2055f9900dd48c42d226ed4ab51f5f43459ba4781c3f6f6763ed3de",
        fetch=_npm,
        surfaces=("qs",),
        product=("lib/",),
        identifiers={"arrayFormat": "listShape", "allowDots": "dotsAllowed"},
        kept=("qs-iconv",),
        unread=("dist/",),
    ),
    Package(
        name="css-what",
        version="8.0.0",
        sha256="1eccce8f4d523832253a082815495f823b8621d0aab6a2eea5853d0d37eb4417",
        fetch=_npm,
        surfaces=("css-what", "CSSwhat"),
        product=("src/",),
        identifiers={"SelectorType": "PickerKind", "AttributeAction": "TraitDeed", "isTraversal": "isWalk"},
        unread=("dist/",),
    ),
)


@dataclass(frozen=True, kw_only=True)
class Proof:
    """What one package came to."""

    package: str
    renamed: Renamed
    left: tuple[str, ...]
    comes_back: bool
    """Taking the map back over the renamed tree gives every byte of the tree."""
    settled: bool
    """A second application changes nothing."""
    before: Outcomes
    after: Outcomes
    alike: bool
    """Same tests, by their renamed ids, with the same outcomes."""
    mutants: int
    killed: int
    unlike: tuple[str, ...]
    """Defects that other tests show after the rename than before."""


def prove(package: Package, *, mutants: int, seed: int = 1) -> Proof:
    """Fetch, rename, run. Raises `NotAnswered` when a registry gives nothing."""
    with tempfile.TemporaryDirectory(prefix="repowright-bench-") as place:
        folder = Path(place)
        fetched = package.fetch(package, folder)
        tree = _without(fetched.tree, folder / "before", package)
        map_ = map_of(package)
        done = _renamed(tree, folder / "after", map_)
        back = _renamed(folder / "after", folder / "back", invert(map_))
        comes_back = tree_digest(folder / "back") == tree_digest(tree) and back.replaced == done.replaced
        settled = reach(folder / "after", map_) == 0
        runner = fetched.runner
        runner.free_of(*package.surfaces, NEUTRAL)
        before, after = runner.run(tree), runner.run(folder / "after")
        defects = seeded(package, tree, mutants, seed)
        unlike, killed = _tried(_Bed(tree=tree, map_=map_, runner=runner, clean=before), defects)
        return Proof(
            package=f"{package.name} {package.version}",
            renamed=done,
            left=tuple(_left(folder / "after", package)),
            comes_back=comes_back,
            settled=settled,
            before=before,
            after=after,
            alike=mapped(before, map_) == after,
            mutants=len(defects),
            killed=killed,
            unlike=tuple(unlike),
        )


def map_of(package: Package) -> RenameMap:
    """The map that an author's order for this package gives, of its names alone."""
    terms = [
        Term(surface=surface, grade=_grade(surface), kind=kind, sources=("order",))
        for surface in package.surfaces
        for kind in ("dist", "import-root")
    ]
    made = build_map(_order(package), terms)
    if not isinstance(made, RenameMap):
        raise TypeError(f"no map for {package.name}: {made.evidence}")
    return made


def mapped(outcomes: Outcomes, map_: RenameMap) -> Outcomes:
    """The same outcomes under the ids that the renamed tests have."""
    forth = Replacer(map_)
    return {forth.apply(test): outcome for test, outcome in outcomes.items()}


def _grade(surface: str) -> Grade:
    return Grade.DISTINCTIVE if len(surface) <= 4 else Grade.IDENTIFYING


def _order(package: Package) -> Order:
    return Order.model_validate(
        {
            "case_id": "case902",
            "language": "python",
            "source": {"kind": "pypi", "name": package.name, "version": package.version, "sha256": package.sha256},
            "product": {"name": NEUTRAL, "summary": "A stand-in for what the package does."},
            "rename": {"identifiers": dict(package.identifiers), "kept": list(package.kept)},
            "testing": {"requirements": ["pytest"], "command": ["python", "-m", "pytest"], "expected": 1},
            "features": [{"id": "FP-01", "title": "All", "about": "All of it.", "files": ["src/wexqual/a.py"]}],
        }
    )


def _renamed(source: Path, dest: Path, map_: RenameMap) -> Renamed:
    done = rename_tree(source, dest, map_)
    if not isinstance(done, Renamed):
        raise TypeError("\n".join([done.message, *(f"{fact.where}: {fact.what}" for fact in done.evidence)]))
    return done


def _without(tree: Path, dest: Path, package: Package) -> Path:
    shutil.copytree(tree, dest, symlinks=True)
    for path in sorted(dest.rglob("*"), reverse=True):
        if path.is_file() and path.relative_to(dest).as_posix().startswith(package.unread or ("\0",)):
            path.unlink()
        elif path.is_dir() and not any(path.iterdir()):
            path.rmdir()
    return dest


def _left(tree: Path, package: Package) -> Iterator[str]:
    """Names that the scan still finds; those of other projects that the order keeps are a decision."""
    terms = [Term(surface=s, grade=_grade(s), kind="dist", sources=("order",)) for s in package.surfaces]
    for finding in scan(_blanked(items(tree), package.kept), terms).findings:
        yield finding.render()


def _blanked(found: Iterator[Item], kept: Sequence[str]) -> Iterator[Item]:
    for item in found:
        data = item.data
        for name in kept:
            data = data.replace(name.encode(), b"." * len(name)) if data is not None else None
        yield Item(path=item.path, data=data, problem=item.problem)


Defect = tuple[str, bytes, bytes, str]
"""Path, the file, the file with the defect, and where it is."""


@dataclass(frozen=True, kw_only=True)
class _Bed:
    """Where defects are tried."""

    tree: Path
    map_: RenameMap
    runner: Runner
    clean: Outcomes
    """Of the tree without a defect."""


def _tried(bed: _Bed, defects: Sequence[Defect]) -> tuple[list[str], int]:
    """Defects made in the upstream's files, before the rename and by way of it: those that differ; how many tell."""
    unlike: list[str] = []
    killed = 0
    for number, (path, old, new, told) in enumerate(defects):
        (bed.tree / path).write_bytes(new)
        renamed = bed.tree.with_name(f"defect-{number}")
        _renamed(bed.tree, renamed, bed.map_)
        first, second = bed.runner.run(bed.tree), bed.runner.run(renamed)
        (bed.tree / path).write_bytes(old)
        shutil.rmtree(renamed)
        killed += first != bed.clean
        if mapped(first, bed.map_) != second:
            unlike.append(told)
    return unlike, killed


def seeded(package: Package, tree: Path, count: int, seed: int) -> list[Defect]:
    """So many defects, drawn from all that the language's operators make of the product's files."""
    found: list[Defect] = []
    for path in sorted(tree.rglob("*")):
        name = path.relative_to(tree).as_posix()
        tests = any(path.match(form) for form in writing_of(name).tests)
        if path.is_file() and name.startswith(package.product) and writing_of(name).mutants and not tests:
            found += _defects(name, path.read_bytes())
    return random.Random(seed).sample(found, min(count, len(found)))


def _defects(name: str, data: bytes) -> Iterator[Defect]:
    if name.endswith(".py"):
        for change in changes(name, data):
            new = splice(data, change)
            if no_mutant(name, data, new) is None:
                yield name, data, new, f"{name}:{change.line}: {change.operator}"
        return
    writing, text = writing_of(name), data.decode()
    reading = Reading(text, writing)
    for form, replacement in writing.mutants:
        for match in re.finditer(form, text):
            if reading.kind(match.start()) is Kind.NAME:
                new_text = text[: match.start()] + replacement + text[match.end() :]
                line = text.count("\n", 0, match.start()) + 1
                yield name, data, new_text.encode(), f"{name}:{line}: {match[0]} -> {replacement}"


def render(proofs: Sequence[Proof]) -> Iterator[str]:
    """The tables."""
    yield "## What was renamed\n"
    yield f"| package | files | {' | '.join(Kind)} | listed | left |"
    yield f"|---|--:|{'--:|' * len(Kind)}--:|--:|"
    for proof in proofs:
        counts = " | ".join(str(proof.renamed.kinds.get(kind, 0)) for kind in Kind)
        yield (
            f"| {proof.package} | {len(proof.renamed.files)} | {counts} | {len(proof.renamed.listed)} |"
            f" {len(proof.left)} |"
        )
    yield "\n## Before and after\n"
    yield "| package | every byte back | twice is once | tests before | after | alike | defects | killed | alike |"
    yield "|---|---|---|--:|--:|---|--:|--:|---|"
    for proof in proofs:
        yield (
            f"| {proof.package} | {_yes(proof.comes_back)} | {_yes(proof.settled)} | {_passed(proof.before)} |"
            f" {_passed(proof.after)} | {_yes(proof.alike)} | {proof.mutants} | {proof.killed} |"
            f" {_yes(not proof.unlike)} |"
        )


def _yes(holds: bool) -> str:
    return "yes" if holds else "NO"


def _passed(outcomes: Outcomes) -> str:
    good = sum(outcome == "passed" for outcome in outcomes.values())
    return f"{good} of {len(outcomes)}"


def _told(facts: Sequence[Fact]) -> Iterator[str]:
    yield from (f"listed: {fact.where}: {fact.what}" for fact in facts)


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.renaming")
    parser.add_argument("packages", nargs="*", metavar="PACKAGE", help=", ".join(each.name for each in PACKAGES))
    parser.add_argument("--mutants", type=int, default=12, help="defects a package")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--listed", action="store_true", help="print every place that is listed for a person")
    options = parser.parse_args(argv)
    proofs: list[Proof] = []
    for package in PACKAGES:
        if options.packages and package.name not in options.packages:
            continue
        print(f"... {package.name}", file=sys.stderr)
        try:
            proofs.append(prove(package, mutants=options.mutants, seed=options.seed))
        except NotAnswered as reason:
            print(f"not tried: {package.name}: {reason}", file=sys.stderr)
    print("\n".join(render(proofs)))
    for proof in proofs:
        for line in (*(f"left: {left}" for left in proof.left), *(f"unlike: {one}" for one in proof.unlike)):
            print(line)
        if options.listed:
            print("\n".join(_told(proof.renamed.listed)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
