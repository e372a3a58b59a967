"""Installed packages renamed by a map of our own, then scanned for the names that they had."""

from __future__ import annotations

import random
import sysconfig
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from neutralize.rename import build_map
from neutralize.scan import scan
from neutralize.traverse import Item, items
from neutralize.tree import Renamed, rename_tree
from neutralize.words import is_word
from taskpack.order import Order
from taskpack.rename import Grade, RenameMap, Term

_LARGEST = 3_000_000


@dataclass(frozen=True, kw_only=True)
class Residue:
    package: str
    files: int
    replaced: int
    before: int
    """Places that named it."""
    left: int
    lines: tuple[str, ...] = ()


def residue(limit: int) -> Iterator[Residue]:
    """So many packages of this environment whose name is no English word."""
    roots = sorted(Path(sysconfig.get_paths()["purelib"]).iterdir())
    packages = [root for root in roots if (root / "__init__.py").is_file() and _fits(root)]
    done = 0
    for root in random.Random(1).sample(packages, len(packages)):
        row = _one(root)
        if row is not None:
            yield row
            done += 1
        if done == limit:
            return


def _fits(root: Path) -> bool:
    name = root.name
    sources = list(root.rglob("*.py"))
    return (
        len(name.replace("_", "")) >= 6
        and not name.startswith("_")
        and not all(is_word(word) for word in name.split("_"))
        and len(sources) >= 3
        and sum(path.stat().st_size for path in sources) <= _LARGEST
    )


def _text(root: Path) -> list[Item]:
    return [item for item in items(root) if item.path.endswith((".py", ".pyi", ".md", ".txt", ".toml"))]


def _one(root: Path) -> Residue | None:
    """None where the map cannot be made or the tree refuses it, as for a package whose name is in a hash."""
    name = root.name
    terms = tuple(
        Term(surface=name, grade=Grade.IDENTIFYING, kind=kind, sources=("order",)) for kind in ("dist", "import-root")
    )
    map_ = build_map(_order(name), terms)
    if not isinstance(map_, RenameMap):
        return None
    with tempfile.TemporaryDirectory(prefix="repowright-bench-") as folder:
        done = rename_tree(root, Path(folder, "neutral"), map_, keep=lambda path: "__pycache__" not in path)
        if not isinstance(done, Renamed):
            return None
        before = scan(_text(root), terms)
        after = scan(_text(Path(folder, "neutral")), terms)
    return Residue(
        package=name,
        files=len(done.files),
        replaced=done.replaced,
        before=len(before.findings),
        left=len(after.findings),
        lines=tuple(finding.render() for finding in after.findings[:5]),
    )


def _order(name: str) -> Order:
    return Order.model_validate(
        {
            "case_id": "case901",
            "language": "python",
            "source": {"kind": "pypi", "name": name, "version": "1.0.0", "sha256": "0" * 64},
            "product": {"name": "wexqual", "summary": "A stand-in for what the package does."},
            "testing": {"requirements": ["pytest"], "command": ["python", "-m", "pytest"], "expected": 1},
            "features": [{"id": "FP-01", "title": "All", "about": "All of it.", "files": ["src/wexqual/a.py"]}],
        }
    )
