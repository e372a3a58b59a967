"""What hostile workspaces hold and a repository cannot keep: bytecode, pipes, names that are no text, archives."""

from __future__ import annotations

import importlib.util
import marshal
import os
import stat
import struct
import zlib
from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import Path

from validation.workspaces import import_roots

_MIB = 1024 * 1024
_HARMFUL_MIB = 1024
_DEEP = 80
_UNCHECKED = 1
"""The flag of bytecode that is told by its source's digest, which nobody is to check."""


class Made(StrEnum):
    """Kinds of files that are made in a candidate's workspace."""

    ARCHIVE = "archive"
    """A zip with a module `stock`, in the product's folder; of an attack it is a gigabyte."""
    BYTECODE = "bytecode"
    """The reference's own, beside sources that may be others."""
    NAMES = "names"
    """Long, deep, empty to the eye, with a path's own signs; of an attack with a terminal's as well, or no text."""
    PIPES = "pipes"
    """A pipe and a socket; of an attack also in the place of what is imported first."""


def make_files(
    kind: Made, dest: Path, files: Mapping[str, bytes], product_paths: Sequence[str], *, harmless: bool
) -> None:
    """Put them into the workspace `dest`. `files` are the reference's own sources."""
    match kind:
        case Made.ARCHIVE:
            _make_archive(dest / product_paths[0] / "stock.zip", 0 if harmless else _HARMFUL_MIB)
        case Made.BYTECODE:
            for path, source in files.items():
                _make_bytecode(dest / path, source)
        case Made.NAMES:
            _make_names(dest, harmless=harmless)
        case Made.PIPES:
            _make_pipes(dest, () if harmless else import_roots(files, product_paths))


def _make_archive(path: Path, size_mib: int) -> None:
    """Deflated blocks that do not depend on each other, so that a gigabyte is made of one block. Its sum is left out:
    an import does not ask for it, and whoever does has unpacked all of it."""
    name, start = b"stock.py", b"AMOUNTS = (1, 2, 3)\n"
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    block = packer.compress(b"#" * _MIB) + packer.flush(zlib.Z_FULL_FLUSH)
    first = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    data = first.compress(start) + first.flush(zlib.Z_FULL_FLUSH) + block * size_mib + packer.flush()
    common = struct.pack(
        "<HHHHHLLLHH",
        20, 0, zlib.DEFLATED, 0, 0x21, zlib.crc32(start), len(data), len(start) + size_mib * _MIB, len(name), 0,
    )  # fmt: skip
    local = b"PK\3\4" + common + name + data
    listed = b"PK\1\2" + struct.pack("<H", 20) + common + struct.pack("<HHHLL", 0, 0, 0, 0, 0) + name
    end = b"PK\5\6" + struct.pack("<HHHHLLH", 0, 0, 1, 1, len(listed), len(local), 0)
    path.write_bytes(local + listed + end)


def _make_bytecode(path: Path, source: bytes) -> None:
    place = Path(importlib.util.cache_from_source(str(path)))
    place.parent.mkdir(exist_ok=True)
    head = importlib.util.MAGIC_NUMBER + _UNCHECKED.to_bytes(4, "little") + importlib.util.source_hash(source)
    place.write_bytes(head + marshal.dumps(compile(source, str(path), "exec")))


def _make_names(dest: Path, *, harmless: bool) -> None:
    names = [b" ", b"...", b"-rf", b"..\\..\\secret", "münze.txt".encode(), b"x" * 200, b"caf\xe9.txt"]
    if not harmless:
        names += [
            b"\xff\xfe\xed\xa0\x80.py",
            b"x" * 255,
            b"\n\x1b[2J1 passed in 0.01s",
            b"%s%n$(id)`id`;#",
            b"\xe2\x80\xae",
        ]
    deep = dest.joinpath(*["d"] * _DEEP)
    deep.mkdir(parents=True)
    for folder in (dest, deep):
        for name in map(os.fsdecode, names):
            (folder / name).write_bytes(b"LIMIT = 1\n")


def _make_pipes(dest: Path, taken: Sequence[str]) -> None:
    for path in taken:
        (dest / path).unlink()
    for path in ("pending", *taken):
        os.mkfifo(dest / path)
    os.mknod(dest / "speaker", stat.S_IFSOCK | 0o600)
