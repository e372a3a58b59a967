"""The static scan of a submitted workspace: every file by its content, archives opened, nothing run.

Comments and prose do not count. What cannot be read is told. Hostile trees are input: whatever lies there, the scan
comes to an end within its `Limits`.
"""

from __future__ import annotations

import ast
import errno
import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path

from neutralize.deep.limits import Budget
from neutralize.deep.limits import Limits as Bounds
from neutralize.deep.whole import archive_kind, whole_files
from neutralize.kinds import HEAD, unopened
from neutralize.submitted.bans import Bans, TooManyWords
from neutralize.submitted.builds import build_hits, notebook_code
from neutralize.submitted.other_code import KINDS, code_hits
from neutralize.submitted.places import place_hits
from neutralize.submitted.python_code import Found, parse, python_hits
from neutralize.submitted.report import Hit, Limits, Report
from neutralize.traverse import decode
from taskpack.denylist import Denylist

_PROSE = frozenset({"md", "markdown", "rst", "txt", "adoc", "asciidoc", "org", "tex", "po", "pot", "csv", "tsv"})
_PROSE_NAMES = re.compile(
    r"(?:readme|licen[cs]e|copying|notice|changes|changelog|authors|contributors|history|news)\b", re.IGNORECASE
)
_PYTHON = frozenset({"py", "pyi", "pyw"})
_CODE = frozenset(KINDS) | _PYTHON | {"ipynb"}
_SHEBANG = re.compile(rb"#![^\n]{0,200}?\b(?:(python|pypy)[\d.]*|(node|deno|bun)|(?:ba|da|z|k)?sh)\b")


def scan_workspace(root: Path, listed: Denylist, *, limits: Limits = Limits()) -> Report:  # noqa: B008 (frozen)
    """Everything below `root` that is banned, and everything that could not be read."""
    return _Scan(Bans(listed=listed), limits).workspace(root)


class _Scan:
    """One scan: what was found, and what may still be read."""

    def __init__(self, bans: Bans, limits: Limits) -> None:
        self._bans = bans
        self._limits = limits
        self._hits: set[Hit] = set()
        self._unread: list[str] = []
        self._files = 0
        self._left = limits.total_bytes
        self._parse_left = limits.parsed_total
        self._budget = Budget(
            Bounds(members=limits.archive_members, unpacked=limits.archive_bytes, file_bytes=limits.file_bytes)
        )

    def workspace(self, root: Path) -> Report:
        paths = sorted(_walk(root, Path(), self._unread), key=os.fsencode)
        self._places([_shown(path) for path in paths])
        beyond = ""
        try:
            for path in paths:
                data = self._read(root / path, _shown(path))
                if data is not None:
                    self._file(_shown(path), data, depth=0)
        except TooManyWords:
            beyond = f"{_shown(path)} has commands of more words than are read"
        if self._left < 0:
            beyond = f"the workspace has more than {self._limits.total_bytes} bytes"
        return Report(
            hits=tuple(sorted(self._hits)), unread=tuple(sorted(set(self._unread))), files=self._files, beyond=beyond
        )

    def _read(self, path: Path, shown: str) -> bytes | None:
        """The file's bytes, or a link's target; None, and told, when there is nothing to read."""
        try:
            info = path.lstat()
            if stat.S_ISLNK(info.st_mode):
                return None  # where it leads is read there, or is not in the workspace
            if not stat.S_ISREG(info.st_mode):
                self._tell(shown, "neither file, folder nor link")
                return None
            descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
            with os.fdopen(descriptor, "rb") as file:
                room = max(0, min(self._limits.file_bytes, self._left))
                data = file.read(room + 1)
        except OSError as error:
            self._tell(shown, f"it cannot be read ({errno.errorcode.get(error.errno or 0, 'EIO')})")
            return None
        self._left -= len(data)
        if len(data) > room:
            self._tell(shown, f"only its first {room} bytes were read")
            # The end of an archive is its table: without it none of it can be opened.
            return data[:room]
        return data

    def _tell(self, shown: str, fact: str) -> None:
        self._unread.append(f"{shown}: {fact}")

    def _places(self, paths: list[str], before: str = "") -> None:
        for hit in place_hits(paths, self._bans.listed):
            self._add(Hit(path=f"{before}{hit.path}", line=0, token=hit.token, text=hit.text))

    def _add(self, hit: Hit) -> None:
        if len(self._hits) < self._limits.hits:
            self._hits.add(hit)

    def _file(self, path: str, data: bytes, *, depth: int) -> None:
        self._files += 1
        kind = archive_kind(data)
        if kind:
            self._archive(path, data, depth=depth)
        elif closed := unopened(data[:HEAD]):
            self._tell(path, f"packed as {closed}, which is not opened")
        if kind and _suffix(path.rpartition("/")[2], data) not in _CODE:
            return  # else it may be both: a compiler reads what an archive calls a comment
        text = decode(data)
        if text is None:
            for found in _binary_hits(data, self._bans):
                self._add(Hit(path=path, line=0, token=found.token, text=found.text))
            if b"\0" in data and _suffix(path.rpartition("/")[2], data) not in _CODE:
                return
            text = data.decode("utf-8", "replace")  # control characters do not keep a compiler from reading it
        lines = text.split("\n")
        for found in self._text(path, data, text):
            shown = found.text or (lines[found.line - 1] if 0 < found.line <= len(lines) else "")
            self._add(Hit(path=path, line=found.line, token=found.token, text=shown))

    def _archive(self, path: str, data: bytes, *, depth: int) -> None:
        if depth >= self._limits.archive_depth:
            self._tell(path, f"an archive inside {depth} others, which is not opened")
            return
        if not depth:
            self._budget.begin(len(data))
        names = []
        for inside in whole_files(data, self._budget):
            name = f"{path}!/{inside.name}" if inside.name else path
            names.append(inside.name)
            if inside.problem:
                self._tell(name, inside.problem)
            if inside.data is not None:
                self._file(name, inside.data, depth=depth + 1)
        self._places([name for name in names if name], before=f"{path}!/")

    def _text(self, path: str, data: bytes, text: str) -> Iterator[Found]:
        name = path.rpartition("/")[2]
        suffix = _suffix(name, data)
        yield from build_hits(path, text, self._bans)
        prose = suffix in _PROSE or (not suffix and bool(_PROSE_NAMES.match(name)))
        if suffix in _PYTHON or suffix == "ipynb" or suffix not in KINDS:
            tree = self._parsed(path, notebook_code(text) if suffix == "ipynb" else data, suffix)
            if tree is not None:
                yield from python_hits(tree, self._bans)
                return
        if not prose:
            yield from code_hits(text, suffix, self._bans)

    def _parsed(self, path: str, data: bytes | str, suffix: str) -> ast.Module | None:
        if len(data) > self._limits.parsed_bytes or len(data) > self._parse_left:
            if suffix in _PYTHON:
                self._tell(path, "too large to be parsed: it was read line by line")
            return None
        self._parse_left -= len(data)
        return parse(data)


def _walk(root: Path, folder: Path, unread: list[str]) -> Iterator[Path]:
    """Every entry that is no folder, links not followed, without recursion."""
    todo = [folder]
    while todo:
        place = todo.pop()
        try:
            with os.scandir(root / place) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        todo.append(place / entry.name)
                    else:
                        yield place / entry.name
        except OSError as error:
            unread.append(f"{_shown(place)}: it cannot be read ({errno.errorcode.get(error.errno or 0, 'EIO')})")


def _shown(path: Path) -> str:
    return os.fsencode(path.as_posix()).decode("utf-8", "backslashreplace")


def _suffix(name: str, data: bytes) -> str:
    """What a file is, by its first line where that says it, else by its name."""
    shebang = _SHEBANG.match(data[:256])
    if shebang:
        return "py" if shebang[1] else "js" if shebang[2] else "sh"
    if re.match(r"(?:gem|rake|pod)file$", name, re.IGNORECASE):
        return "rb"
    if re.match(r"(?:gnu)?makefile$|.*dockerfile|containerfile|justfile$", name, re.IGNORECASE):
        return "sh"
    return name.rpartition(".")[2].lower() if "." in name.lstrip(".") else ""


def _binary_hits(data: bytes, bans: Bans) -> Iterator[Found]:
    """Compiled code: names as bytecode keeps them, and as an extension module does."""
    for root, token in bans.roots.items():
        name = re.escape(root.encode())
        # Bytecode writes a name with its kind and its length before it.
        size = re.escape(bytes([len(root) & 0xFF]))
        spelled = (
            rb"[zZ\xda\xfa]" + size + name + rb"|[zZ\xda\xfa][\x00-\xff]" + name + rb"\.\w|PyInit_" + name + rb"\0"
        )
        if found := re.search(spelled, data):
            yield Found(line=0, token=token, text=f"compiled code that names it, at byte {found.start()}")
