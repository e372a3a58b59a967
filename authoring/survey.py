"""The survey stage: what the pinned source shows to its users, read without importing it."""

from __future__ import annotations

import logging
import re
from pathlib import Path

from environments.languages.python.surface import Root, import_roots, read_surface
from taskpack.files import walk
from taskpack.order import Order
from taskpack.outcome import Fact, Reason, Rejected, Stage
from taskpack.survey import Survey

VERSION = 1
log = logging.getLogger(__name__)


def survey(tree: Path, *, order: Order) -> Survey | Rejected:
    """The public surface of the source in `tree`.

    `Rejected` when nothing can be imported from it, when its root does not parse, or when it shows no public
    name.
    """
    paths = [path.relative_to(tree).as_posix() for path in walk(tree) if not path.is_symlink()]
    roots = import_roots(paths)
    if not roots:
        return _rejected(
            order, "the source has no public package or module", (Fact(what="looked in", where="src/, ."),)
        )
    root = _main_root(roots, order, paths)
    surface = read_surface(tree, root)
    unread = tuple(Fact(what="does not parse as Python", where=path) for path in surface.unread)
    if any(path in {root.path, f"{root.path}/__init__.py"} for path in surface.unread):
        return _rejected(order, f"`{root.name}` cannot be read", unread)
    if not surface.symbols:
        return _rejected(
            order,
            f"`{root.name}` shows no public name",
            (Fact(what="nothing public", where=root.path), *unread),
        )
    for path in surface.unread:
        log.warning("survey: %s does not parse and was left out", path)
    return Survey(import_root=root.name, symbols=surface.symbols)


def _main_root(roots: tuple[Root, ...], order: Order, paths: list[str]) -> Root:
    """The root that is called like the project, else the one with the most source files, else the first by name."""
    wanted = {re.sub(r"[-_.]+", "_", order.source.name).lower(), order.product.name}
    named = [root for root in roots if root.name.lower() in wanted]
    return max(named or list(roots), key=lambda root: sum(path.startswith(f"{root.path}/") for path in paths))


def _rejected(order: Order, message: str, evidence: tuple[Fact, ...]) -> Rejected:
    return Rejected(
        stage=Stage.SURVEY,
        reason=Reason.UNSUITABLE,
        message=message,
        evidence=evidence,
        command=f"repowright author {order.case_id}",
    )
