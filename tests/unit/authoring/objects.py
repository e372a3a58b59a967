"""Git objects written byte by byte, for trees that git itself would not make."""

from __future__ import annotations

import hashlib
import zlib
from pathlib import Path

from tests.unit.authoring.sources import git


def new_repository(folder: Path) -> Path:
    git(folder, "init", "-q", "-b", "main")
    return folder


def write_object(folder: Path, kind: str, body: bytes) -> str:
    """A loose object in `folder/.git`; its id."""
    data = f"{kind} {len(body)}\0".encode() + body
    oid = hashlib.sha1(data).hexdigest()
    place = folder / ".git" / "objects" / oid[:2] / oid[2:]
    place.parent.mkdir(exist_ok=True)
    place.write_bytes(zlib.compress(data, 1))
    return oid


def tree(*rows: tuple[str, str, str]) -> bytes:
    """Rows of mode, name, id as a tree's body."""
    return b"".join(f"{mode} {name}\0".encode() + bytes.fromhex(oid) for mode, name, oid in rows)


def commit(folder: Path, root: str) -> str:
    return git(folder, "commit-tree", root, "-m", "x")


def tree_bomb(folder: Path, *, levels: int, width: int = 10) -> str:
    """A commit of `width ** levels` files in `levels + 2` objects."""
    oid, mode = write_object(new_repository(folder), "blob", b"x"), "100644"
    for _ in range(levels):
        oid, mode = write_object(folder, "tree", tree(*((mode, f"n{n}", oid) for n in range(width)))), "40000"
    return commit(folder, oid)


def deep_tree(folder: Path, *, levels: int) -> str:
    """A commit with one file, `levels` folders deep."""
    oid, mode = write_object(new_repository(folder), "blob", b"x"), "100644"
    for _ in range(levels):
        oid, mode = write_object(folder, "tree", tree((mode, "d", oid))), "40000"
    return commit(folder, oid)
