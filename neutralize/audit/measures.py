"""Rows of the scorecard that come from what the names stage decided: the map, and the public names that stay."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from environments.languages.python.belongs import belongs
from neutralize.audit.report import Measured, Metric
from neutralize.traverse import decode, items
from neutralize.tree import Renamed, rename_tree
from taskpack.layout import CaseFolder
from taskpack.rename import Names

KEPT = "kept: public names that stay as they are: "
_MOST = 30


def rename_soundness(tree: Path, names: Names, scratch: Path) -> Metric:
    """The map of the case over the pinned files: injective, nothing to rename a second time, every byte comes back.

    `scratch` does not exist yet.
    """
    done = rename_tree(tree, scratch, names.map, keep=belongs(tree))
    sound = isinstance(done, Renamed)
    facts = () if isinstance(done, Renamed) else tuple(f"{fact.where}: {fact.what}" for fact in done.evidence[:_MOST])
    value = f"{done.replaced} places in {len(done.files)} files" if isinstance(done, Renamed) else "it is refused"
    return Metric(
        id="rename",
        name="Rename soundness",
        value=value,
        threshold="injective, comes back",
        result=Measured.MET if sound else Measured.NOT_MET,
        why="" if sound else f"{len(facts)} places or more do not come back",
        details=facts,
    )


def kept_names(names: Names) -> tuple[str, ...]:
    """Distinctive public names that the order does not rename: the author's decision, not a finding."""
    kept = [name for line in names.checks if line.startswith(KEPT) for name in line.removeprefix(KEPT).split(", ")]
    return tuple(name for name in kept if name != "none")


def kept_identifiers(case: CaseFolder, names: Names) -> Metric:
    """Rare public names that the order keeps, as far as the public documents hold them. They may be recognised."""
    kept = kept_names(names)
    texts = list(_texts(case.public))
    words = sum(len(text.split()) for text in texts)
    found = {name: sum(len(re.findall(rf"\b{re.escape(name)}\b", text)) for text in texts) for name in kept}
    total = sum(found.values())
    rate = f"; {total * 10_000 / words:.1f} per 10,000 of {words} words" if words else ""
    return Metric(
        id="identifiers",
        name="Distinctive API identifiers kept",
        value=f"{sum(1 for count in found.values() if count)}, {total} times{rate}",
        threshold="justified in the contract",
        result=Measured.REPORTED,
        why="a reader may know them; [rename.identifiers] of the order changes them" if total else "",
        details=tuple(f"{name}: {count}" for name, count in found.items() if count),
    )


def _texts(folder: Path) -> Iterator[str]:
    for item in items(folder):
        text = decode(item.data) if item.data is not None else None
        if text is not None:
            yield text
