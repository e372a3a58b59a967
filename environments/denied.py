"""What is banned and lies in an environment all the same: looked for by name and by what Python would import.

The names of a denylist are folded on this side alone; inside runs `denied_inside.py`, with a pattern.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path, PurePosixPath

from environments.interface import Launch, Limits, Mount, Sandbox
from taskpack.denylist import Denylist
from taskpack.errors import EnvironmentFailed, SandboxFailed
from taskpack.requested import VENDORED, folded

_PROGRAM = Path(__file__).with_name("denied_inside.py")
SITE = "/env/site"
_MODULE = re.compile(r"(?:\.cpython-\d+)?(?:\.opt-\d)?\.pyc?$|\.pyi$|\.(?:abi3|cpython-[\w-]+)?\.?so$")
_VERSION = re.compile(r"[-_.@]v?\d.*$")
_PYTHON = re.compile(r"python\d[\d.]*$")
_PACKAGES = frozenset({"site-packages", "dist-packages"})
_BIN = frozenset({"bin", "sbin", "games", "libexec"})
_NODE = frozenset({"node_modules", "nodejs"})


class Kind(StrEnum):
    """How a banned thing is there."""

    LIBRARY = "standard library"
    """Part of the language: it cannot be taken out, only covered."""
    INTERPRETER = "part of the interpreter"
    """Compiled into it: it cannot be covered either."""
    MODULE = "importable"
    METADATA = "installed distribution"
    VENDORED = "vendored copy"
    ARCHIVE = "in an archive"
    PROGRAM = "program"
    SHARED = "shared library"
    HEADER = "header"
    NODE = "node package"


@dataclass(frozen=True, kw_only=True, order=True)
class Finding:
    """A banned thing in an environment."""

    path: str
    kind: Kind
    token: str

    def render(self) -> str:
        return f"{self.path}: {self.kind}, banned as {self.token}"


def look(listed: Denylist, *, sandbox: Sandbox, site: Path | None = None) -> tuple[Finding, ...]:
    """Everything banned in the sandbox's base and in `site`, sorted; masks are not in place.

    Raises `SandboxFailed` when the search does not come to its end.
    """
    asked = {
        "folders": ["/"],
        "sites": [SITE] if site else [],
        "roots": list(listed.roots),
        "pattern": _pattern(listed),
    }
    mounts = [Mount(source=site, dest=SITE)] if site else []
    program = _PROGRAM.read_text("utf-8")
    argv = [sandbox.python, "-I", "-S", "-c", program, json.dumps(asked)]
    done = sandbox.run(Launch(argv=argv, mounts=mounts, env={"LANG": "C.UTF-8"}, limits=Limits(wall_s=300)))
    try:
        told = json.loads(done.stdout)
    except ValueError:
        told = {"whole": False}
    if done.exit_code != 0 or not told["whole"]:
        raise SandboxFailed(
            "the search for what is banned did not come to its end",
            details={"exit": str(done.exit_code), "stderr": done.stderr.decode("utf-8", "replace")[-400:]},
            remedy="run the same command again",
        )
    found = {one for entry in told["entries"] for one in _classified(entry, told["library"], listed)}
    found |= set(_importable(told["importable"], found, listed))
    return tuple(sorted(found))


def check_clean(listed: Denylist, *, sandbox: Sandbox, site: Path | None = None) -> tuple[Finding, ...]:
    """What is left that only masks can cover: parts of the language.

    Raises `EnvironmentFailed` that names everything else that is banned and there: such an environment is not for a
    solver.
    """
    found = look(listed, sandbox=sandbox, site=site)
    own = {Kind.LIBRARY, Kind.INTERPRETER}
    faults = [one.render() for one in found if one.kind not in own]
    if faults:
        raise EnvironmentFailed(
            f"the environment holds {len(faults)} things that the denylist bans",
            details={str(number): fact for number, fact in enumerate(faults[:20], 1)},
            remedy="leave out the packages that bring them, or ban something else",
        )
    return tuple(one for one in found if one.kind in own)


def _pattern(listed: Denylist) -> str:
    """A coarse one, for names in lower case: it finds more than is meant."""
    names = {folded(name).rpartition("/")[2] for name in (*listed.roots, *listed.install_ban)}
    names |= {folded(token.rpartition("/")[2]) for token in listed.install_ban}
    names |= {folded(root.rpartition(".")[2]) for root in listed.roots}
    return r"(?:^|lib|[-_.!@])(?:" + "|".join(re.escape(name).replace(r"\-", "[-_.]+") for name in sorted(names)) + ")"


def _classified(entry: Sequence[str], library: Sequence[str], listed: Denylist) -> Iterator[Finding]:
    path, kind, member = entry
    place = PurePosixPath(path)
    if kind == "archive":
        yield from _one(path, Kind.ARCHIVE, _archived(PurePosixPath(member), listed))
    elif place.name.endswith((".dist-info", ".egg-info", ".egg")):
        yield from _one(path, Kind.METADATA, _named(place.name.partition("-")[0].removesuffix(".egg"), listed))
    elif place.name.endswith((".whl", ".tar.gz", ".zip", ".tgz", ".crate")):
        yield from _one(path, Kind.ARCHIVE, _named(_VERSION.sub("", place.name), listed))
    else:
        yield from _lying(place, kind, library, listed)


def _archived(inside: PurePosixPath, listed: Denylist) -> str:
    if len(inside.parts) > 1 and inside.parent.name.lower() not in VENDORED | _PACKAGES:
        return ""
    return _whole(inside, listed) or _token(inside.name, listed)


def _lying(place: PurePosixPath, kind: str, library: Sequence[str], listed: Denylist) -> Iterator[Finding]:
    """By the folder that it lies in."""
    path, name = str(place), place.name
    parent = place.parent.parent if place.parent.name == "__pycache__" else place.parent
    root, token = _root(_MODULE.sub("", name), listed), _token(name, listed)
    if str(parent) in library or (parent.name == "lib-dynload" and str(parent.parent) in library):
        yield from _one(path, Kind.LIBRARY, root)
    elif _is_path_entry(parent):
        yield from _one(path, Kind.MODULE, root)
    elif {part.lower() for part in parent.parts} & (VENDORED - _NODE - _PACKAGES):
        yield from _one(path, Kind.VENDORED, root or token or _whole(place, listed))
    elif parent.name in _NODE or parent.parent.name in _NODE:
        yield from _one(path, Kind.NODE, token or _whole(place, listed))
    elif parent.name in _BIN and kind != "folder":
        yield from _one(path, Kind.PROGRAM, token or root)
    elif re.match(r"lib.+\.(?:so|a|dylib)(?:\.|$)", name):
        yield from _one(path, Kind.SHARED, _named(name.partition(".")[0].removeprefix("lib"), listed))
    elif parent.name == "include" or name.endswith((".h", ".hpp")):
        yield from _one(path, Kind.HEADER, _named(name.removesuffix(".hpp").removesuffix(".h"), listed))
    else:
        yield from _one(path, Kind.VENDORED, _whole(place, listed))


def _one(path: str, kind: Kind, token: str) -> Iterator[Finding]:
    if token:
        yield Finding(path=path, kind=kind, token=token)


def _is_path_entry(parent: PurePosixPath) -> bool:
    """A folder where Python looks for modules."""
    return parent.name in _PACKAGES or str(parent) == SITE or bool(_PYTHON.fullmatch(parent.name))


def _importable(seen: dict[str, str], found: set[Finding], listed: Denylist) -> Iterator[Finding]:
    """What Python finds and no name has shown: parts of the interpreter, and what a site's own hooks bring."""
    for root, place in seen.items():
        if place in {"built-in", "frozen"}:
            yield Finding(path=root, kind=Kind.INTERPRETER, token=_root(root, listed))
        elif not any(place == one.path or place.startswith(f"{one.path}/") for one in found):
            yield Finding(path=place, kind=Kind.MODULE, token=_root(root, listed))


def _root(name: str, listed: Denylist) -> str:
    return next((token for token in listed.import_ban if token.removesuffix("::").removesuffix("/") == name), "")


def _named(name: str, listed: Denylist) -> str:
    return listed.names.get(folded(name), "")


def _token(name: str, listed: Denylist) -> str:
    return _named(name, listed) or _named(_VERSION.sub("", name), listed)


def _whole(place: PurePosixPath, listed: Denylist) -> str:
    """For the last two or three parts of a path together: `org/name`, `@scope/name`, `host/org/name@v1`."""
    parts = [*place.parts[:-1], _VERSION.sub("", place.name)]
    ends = ("/".join(parts[-size:]) for size in (2, 3) if len(parts) >= size)
    return next(filter(None, (listed.installs.get(folded(end.replace("!", "")), "") for end in ends)), "")
