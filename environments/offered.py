"""What an environment has to import with the names of a product's interface: a product could forward to it.

Inside runs `offered_inside.py`, which imports nothing that it finds. What a found module does, its reader tries.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from environments.denied import SITE
from environments.interface import Launch, Limits, Mount, Sandbox
from taskpack.errors import SandboxFailed

_TOLD: dict[tuple[str, str, Path | None], dict[str, Any]] = {}
"""Answers of this process. Bases and built environments do not change, and the walk takes seconds."""
_PROGRAM = Path(__file__).with_name("offered_inside.py")


@dataclass(frozen=True, kw_only=True)
class Offered:
    """A module, or a package whose modules together have enough of the names."""

    entry: str
    """What must be on the path to import it: a folder or archive inside; a script's own path; empty for built-in."""
    module: str
    """Its dotted name; empty for a script."""
    kind: str
    """source, bytecode, compiled, built-in, script."""
    modules: tuple[str, ...]
    """Where its names are, in order: itself, or modules below it."""
    has: tuple[int, ...]
    """Positions of the wanted names that it has."""
    members: int
    """How many of the wanted members' names stand in it."""

    @property
    def place(self) -> str:
        return f"{self.module} in {self.entry}" if self.module and self.entry else self.module or self.entry


@dataclass(frozen=True, kw_only=True)
class Offers:
    """The answer of a search."""

    found: tuple[Offered, ...]
    """Those with most names first, then those with most members."""
    unread: tuple[str, ...]
    """What was too large or could not be read."""


def folded(name: str) -> str:
    """How names are compared: case and underscores do not count."""
    return name.replace("_", "").lower()


def offers(
    wanted: Sequence[frozenset[str]], members: frozenset[str], *, need: int, sandbox: Sandbox, site: Path | None
) -> Offers:
    """Everything in the sandbox's base and in `site` with `need` of the wanted names at least; masks are not in place.

    `wanted` are sets of folded spellings, one of which is enough. Raises `SandboxFailed` when the search does not come
    to its end.
    """
    asked = {
        "wanted": [sorted(names) for names in wanted],
        "members": sorted(members),
        "need": need,
        "folders": ["/"],
    }
    question = json.dumps(asked)
    key = (sandbox.base, question, site)
    if key not in _TOLD:
        _TOLD[key] = _told(question, sandbox, site)
    told = _TOLD[key]
    found = [_offered(one) for one in told["candidates"]]
    ranked = sorted(found, key=lambda one: (-len(one.has), -one.members, one.module, one.entry))
    return Offers(found=tuple(ranked), unread=tuple(told["unread"]))


def _offered(told: dict[str, Any]) -> Offered:
    return Offered(
        entry=told["entry"],
        module=told["module"],
        kind=told["kind"],
        modules=tuple(told["modules"]),
        has=tuple(told["has"]),
        members=told["members"],
    )


def _told(asked: str, sandbox: Sandbox, site: Path | None) -> dict[str, Any]:
    """What the program inside says."""
    mounts = [Mount(source=site, dest=SITE)] if site else []
    argv = [sandbox.python, "-I", "-S", "-c", _PROGRAM.read_text("utf-8"), asked]
    done = sandbox.run(Launch(argv=argv, mounts=mounts, env={"LANG": "C.UTF-8"}, limits=Limits(wall_s=300)))
    try:
        told = json.loads(done.stdout)
    except ValueError:
        told = None
    if done.exit_code != 0 or not isinstance(told, dict):
        raise SandboxFailed(
            "the search for modules with the product's names did not come to its end",
            details={"exit": str(done.exit_code), "stderr": done.stderr.decode("utf-8", "replace")[-400:]},
            remedy="run the same command again",
        )
    return told
