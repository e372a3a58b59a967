"""Runs inside a sandbox and looks for what has the names of an interface: modules, archives of them, scripts.

Standard library only: the text of this file is the program. Sources are parsed, never imported; what is compiled is
known by the names in its bytes, and of the interpreter's own modules Python is asked. Names are *folded*: lower case,
no underscore.
"""

from __future__ import annotations

import ast
import importlib
import json
import os
import re
import sys
import warnings
import zipfile
from collections.abc import Callable, Iterator, Sequence
from functools import partial

_SKIPPED = frozenset({"dev", "proc", "sys", "tmp", "run", "app", "opt"})
_BIN = frozenset({"bin", "sbin", "games", "libexec"})
_ARCHIVES = (".whl", ".zip", ".egg", ".pyz")
_NAME = re.compile(rb"[A-Za-z_][A-Za-z0-9_]*")
_MARSHALLED = re.compile(rb"(?=[zZ\xda\xfa](.)([A-Za-z_][A-Za-z0-9_]{0,254}))", re.DOTALL)
"""A short text in bytecode: its length stands before it, and what follows may be a letter."""
_TEXT_CAP = 4 * 1024 * 1024
_BINARY_CAP = 32 * 1024 * 1024
_ARCHIVE_CAP = 256 * 1024 * 1024
_MEMBERS_CAP = 20_000

Read = Callable[[], bytes]
Place = tuple[str, str, str, int, Read]
"""What must be on the path, the module's dotted name, how it is written, its size in bytes, its content."""


def folded(name: str) -> str:
    return name.replace("_", "").lower()


class Search:
    """Modules that have some of the wanted names. `wanted` are sets of spellings, one of which is enough."""

    def __init__(self, wanted: Sequence[Sequence[str]], members: Sequence[str], need: int) -> None:
        self.wanted = [frozenset(names) for names in wanted]
        self.members = frozenset(members)
        self.need = need
        self.found: dict[tuple[str, str], dict[str, object]] = {}
        self.unread: list[str] = []

    def look(self, place: Place) -> None:
        """Note a module that has one of the names at least."""
        entry, module, kind, size, read = place
        if size > (_TEXT_CAP if kind in {"source", "script"} else _BINARY_CAP):
            self.unread.append(f"{entry}: {module or 'script'}: {size} bytes")
            return
        try:
            data = read()
        except (OSError, ValueError, RuntimeError, NotImplementedError, EOFError, zipfile.BadZipFile, zipfile.error):
            self.unread.append(f"{entry}: {module or 'script'}: cannot be read")
            return
        if kind == "compiled" and b"PyInit_" not in data and not module.endswith("__init__"):
            return
        words = {folded(word.decode("ascii")) for word in spoken(data, kind)}
        if any(names & words for names in self.wanted):
            names = public(data) if kind in {"source", "script"} else words
            self.note(entry, module, kind, names, len(self.members & words))

    def note(self, entry: str, module: str, kind: str, names: set[str], members: int) -> None:
        has = [number for number, wanted in enumerate(self.wanted) if wanted & names]
        if has:
            self.found[entry, module] = {"kind": kind, "has": has, "members": members}

    def candidates(self) -> list[dict[str, object]]:
        """Modules with enough of the names, and packages whose modules have enough together."""
        own = {place: set(one["has"]) for place, one in self.found.items()}  # type: ignore[call-overload]
        groups: dict[tuple[str, str], set[tuple[str, str]]] = {}
        for entry, module in own:
            parts = module.split(".")
            for size in range(1, len(parts) + 1):
                groups.setdefault((entry, ".".join(parts[:size])), set()).add((entry, module))
        taken: list[dict[str, object]] = []
        best: dict[tuple[str, str], int] = {}
        for entry, name in sorted(groups, key=lambda one: (-one[1].count("."), one)):
            modules = groups[entry, name]
            together = set().union(*(own[one] for one in modules))
            below = max((best[one] for one in best if one[0] == entry and one[1].startswith(f"{name}.")), default=0)
            alone = own.get((entry, name), set())
            if len(together) < self.need or len(together) <= below > len(alone):
                continue
            best[entry, name] = len(together)
            ranked = sorted(modules, key=lambda one: (one[1] != name, -len(own[one]), one))
            # What a package offers of what its modules hold is the package's.
            taken = [one for one in taken if not _same(one, entry, name, len(alone))]
            taken.append(
                {
                    "entry": entry,
                    "module": name,
                    "kind": self.found[ranked[0]]["kind"],
                    "modules": [one[1] for one in ranked][:20],
                    "has": sorted(together),
                    "members": max(int(str(self.found[one]["members"])) for one in modules),
                }
            )
        return taken


def _same(taken: dict[str, object], entry: str, name: str, alone: int) -> bool:
    module, has = str(taken["module"]), taken["has"]
    return taken["entry"] == entry and module.startswith(f"{name}.") and len(list(has)) <= alone  # type: ignore[call-overload]


def spoken(data: bytes, kind: str) -> set[bytes]:
    """Everything in it that could be a name."""
    if kind != "bytecode":
        return set(_NAME.findall(data))
    return {name[: size[0]] for size, name in _MARSHALLED.findall(data) if 0 < size[0] <= len(name)}


def public(data: bytes) -> set[str]:
    """Folded public names that a module's source binds at its top level; empty for what is no Python."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(data)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()
    return {folded(name) for name in _bound(tree.body) if not name.startswith("_")}


def _bound(body: Sequence[ast.stmt]) -> Iterator[str]:
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Import | ast.ImportFrom):
            yield from (alias.asname or alias.name for alias in node.names)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = [name for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)]
            yield from (name.id for name in names)
            if any(name.id == "__all__" for name in names) and node.value is not None:
                texts = [text.value for text in ast.walk(node.value) if isinstance(text, ast.Constant)]
                yield from (text for text in texts if isinstance(text, str))
        else:
            for field in ("body", "orelse", "finalbody"):
                yield from _bound(getattr(node, field, ()) if isinstance(node, ast.If | ast.Try | ast.With) else ())
            for handler in getattr(node, "handlers", ()):
                yield from _bound(handler.body)


def files(folders: Sequence[str]) -> Iterator[Place]:
    """Everything below the folders that Python could import, wherever it lies: any folder can be put on the path."""
    for top in folders:
        for folder, below, names in os.walk(top):
            if folder == "/":
                below[:] = [name for name in below if name not in _SKIPPED]
            below.sort()
            for name in sorted(names):
                path = os.path.join(folder, name)  # noqa: PTH118 (bytes of names stay as they are)
                if os.path.islink(path) or not os.path.isfile(path):  # noqa: PTH113, PTH114 (as above)
                    continue
                if name.lower().endswith(_ARCHIVES):
                    yield from archived(path)
                else:
                    yield from lying(folder, name, path)


def lying(folder: str, name: str, path: str) -> Iterator[Place]:
    kind = _kind(name)
    if not kind and os.path.basename(folder) in _BIN and _is_script(path):  # noqa: PTH119 (as above)
        kind = "script"
    if not kind:
        return
    size = os.path.getsize(path)  # noqa: PTH202 (as above)

    def read() -> bytes:
        with open(path, "rb") as opened:  # noqa: PTH123 (as above)
            return opened.read()

    if kind == "script":
        yield path, "", kind, size, read
        return
    entry, parts = folder, [name.partition(".")[0]]
    while os.path.isfile(os.path.join(entry, "__init__.py")):  # noqa: PTH113, PTH118 (as above)
        entry, parts = os.path.dirname(entry), [os.path.basename(entry), *parts]  # noqa: PTH119, PTH120 (as above)
    yield entry, _dotted(parts), kind, size, read


def archived(path: str) -> Iterator[Place]:
    """The modules in a zip file, which Python imports from as from a folder."""
    try:
        if os.path.getsize(path) > _ARCHIVE_CAP:  # noqa: PTH202 (as above)
            return
        opened = zipfile.ZipFile(path)
    except (OSError, ValueError, RuntimeError, NotImplementedError, EOFError, zipfile.BadZipFile):
        return
    with opened:
        members = {info.filename: info for info in opened.infolist()[:_MEMBERS_CAP]}
        for name, info in sorted(members.items()):
            steps = name.split("/")
            kind = _kind(steps[-1])
            if kind in {"source", "bytecode"}:
                top = len(steps) - 1
                while top and "/".join([*steps[:top], "__init__.py"]) in members:
                    top -= 1
                entry = "/".join([path, *steps[:top]])
                parts = [*steps[top:-1], steps[-1].partition(".")[0]]
                yield entry, _dotted(parts), kind, info.file_size, partial(_member, opened, info)


def _member(opened: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    with opened.open(info) as member:
        return member.read(_TEXT_CAP)


def _kind(name: str) -> str:
    for ending, kind in ((".py", "source"), (".pyc", "bytecode"), (".so", "compiled")):
        if name.endswith(ending) and name.partition(".")[0].isidentifier():
            # What lies in a __pycache__ has its source beside it, and its version in its name.
            return "" if kind == "bytecode" and name.count(".") > 1 else kind
    return ""


def _is_script(path: str) -> bool:
    try:
        with open(path, "rb") as opened:  # noqa: PTH123 (as above)
            return re.match(rb"#![^\n]*python", opened.read(200)) is not None
    except OSError:
        return False


def _dotted(parts: Sequence[str]) -> str:
    return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)


def main() -> None:
    """One JSON object from the command line to another on standard output."""
    asked = json.loads(sys.argv[1])
    search = Search(asked["wanted"], asked["members"], asked["need"])
    for place in files(asked["folders"]):
        search.look(place)
    for name in sys.builtin_module_names:
        names = {folded(each) for each in dir(importlib.import_module(name)) if not each.startswith("_")}
        search.note("", name, "built-in", names, 0)
    print(json.dumps({"candidates": search.candidates(), "unread": search.unread[:50]}))  # noqa: T201 (the answer)


if __name__ == "__main__":
    main()
