"""The reference: the pinned source in neutral names, accepted when the upstream's own renamed tests pass on it."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import Protocol

from environments.languages.python.belongs import belongs, product_paths
from neutralize.replace import Replacer
from neutralize.scan import scan
from neutralize.traverse import Item, items
from neutralize.tree import Renamed, rename_tree
from taskpack.files import tree_digest, write_bytes
from taskpack.order import Order
from taskpack.outcome import Fact, Reason, Rejected, Stage
from taskpack.rename import KEPT, Names, Reference

VERSION = 4
_LOG_LINES = 40
_SHOWN = 8


class Counted(Protocol):
    """What running the upstream's tests came to."""

    @property
    def passed(self) -> int: ...
    @property
    def failed(self) -> int: ...
    @property
    def errors(self) -> int: ...
    @property
    def causes(self) -> Sequence[str]: ...
    @property
    def log_tail(self) -> str: ...


class RunTests(Protocol):
    """Runs the order's test command on a tree, in a sandbox, with folders of the tree on the import path."""

    def __call__(self, tree: Path, /, *, product_paths: Sequence[str]) -> Counted: ...


def make_reference(
    tree: Path,
    names: Names,
    *,
    order: Order,
    dest: Path,
    run_tests: RunTests,
    note: Callable[[str], None] = lambda _: None,
) -> Reference | Rejected:
    """Build the reference in `dest`, which does not exist yet, and run its tests.

    `note` is told what was renamed, by kind, and how many places a person should look at; the record holds them.

    Rejected when the map cannot be taken back, when a name that identifies is left in it, or when not exactly
    `order.testing.expected` tests pass.
    """
    command = f"repowright author {order.case_id}"
    renamed = rename_tree(tree, dest, names.map, keep=belongs(tree), command=command)
    if isinstance(renamed, Rejected):
        return renamed
    for line in notes(renamed):
        note(line)
    _stand_ins(tree, dest, order)
    left = _left_over(dest, names)
    if left:
        return _rejected(Reason.IDENTITY_LEFT, "names of the upstream are left in the reference", left, command)
    paths = product_paths(dest)
    count = run_tests(dest, product_paths=paths)
    broken = count.failed + count.errors
    if count.passed != order.testing.expected or broken:
        said = f"{count.passed} passed and {broken} failed, {order.testing.expected} must pass"
        log = tuple(Fact(what=line) for line in count.log_tail.splitlines()[-_LOG_LINES:] if line.strip())
        causes = tuple(Fact(what=cause) for cause in count.causes)
        return _rejected(Reason.TESTS_FAIL, f"on the reference {said}", (Fact(what=said), *causes, *log), command)
    return Reference(
        tree=tree_digest(dest),
        product_paths=paths,
        tests_passed=count.passed,
        renamed=renamed.kinds,
        listed=renamed.listed,
    )


def notes(renamed: Renamed) -> Iterator[str]:
    """What a person reads of a rename: counts by kind, and the places to look at."""
    counts = ", ".join(f"{count} {kind}" for kind, count in renamed.kinds.items())
    yield f"    renamed {renamed.replaced} places in {len(renamed.files)} files: {counts or 'none'}"
    if renamed.listed:
        yield f"    {len(renamed.listed)} of them are for a person to look at; the reference's record lists them:"
    yield from (f"      {fact.where}: {fact.what}" for fact in renamed.listed[:_SHOWN])
    if len(renamed.listed) > _SHOWN:
        yield f"      and {len(renamed.listed) - _SHOWN} more"


def renamed_command(command: Sequence[str], names: Names) -> tuple[str, ...]:
    """The test command as the reference needs it: paths and node ids in it carry the names that the tree has there."""
    return tuple(Replacer(names.map).apply(word) for word in command)


def _stand_ins(tree: Path, dest: Path, order: Order) -> None:
    """Neutral texts in place of the README and the licence where the manifest names them, so that it still builds."""
    manifest = tree / "pyproject.toml"
    if not manifest.is_file():
        return
    try:
        project = tomllib.loads(manifest.read_text("utf-8")).get("project", {})
    except (tomllib.TOMLDecodeError, UnicodeDecodeError):
        return
    texts = {
        "readme": f"# {order.product.name}\n\n{order.product.summary}\n",
        "license": "The terms of this work are kept with its provenance record.\n",
    }
    for field, text in texts.items():
        value = project.get(field)
        name = value.get("file") if isinstance(value, dict) else value if field == "readme" else None
        inner = isinstance(name, str) and ".." not in PurePosixPath(name).parts and not name.startswith("/")
        if isinstance(name, str) and inner and (tree / name).is_file() and not (dest / name).exists():
            write_bytes(dest / name, text.encode())


def _left_over(dest: Path, names: Names) -> tuple[Fact, ...]:
    """Traces of identity that the map did not reach. Kept parts of public identifiers are the author's decision."""
    terms = [term for term in names.terms if term.kind != "api-identifier"]
    report = scan(_without_kept(items(dest), names), terms)
    return tuple(
        Fact(what=f"{finding.term!r}: {finding.snippet}", where=f"{finding.path}:{finding.line}")
        for finding in report.findings
        if finding.found == "hit"
    )


def _without_kept(found: Iterable[Item], names: Names) -> Iterator[Item]:
    """The files without the names of other projects that the order keeps."""
    kept = [rename.surface for rename in names.map.renames if rename.kind == KEPT]
    for item in found:
        path, data = item.path, item.data
        for name in kept:
            path = path.replace(name, "." * len(name))
            data = data.replace(name.encode(), b"." * len(name.encode())) if data is not None else None
        yield Item(path=path, data=data, problem=item.problem)


def _rejected(reason: Reason, message: str, evidence: tuple[Fact, ...], command: str) -> Rejected:
    return Rejected(stage=Stage.REFERENCE, reason=reason, message=message, evidence=evidence, command=command)
