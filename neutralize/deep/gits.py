"""Git objects: loose ones, packs and bundles, known by their bytes wherever they lie.

Each file is read for itself. Nothing runs git, and no setting of a store is obeyed: no hook, include or alternate.
References, logs, settings and lists of packed references are plain files.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict, deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO

from dulwich.errors import ApplyDeltaError, ObjectFormatException
from dulwich.objects import parse_tree
from dulwich.pack import apply_delta

from neutralize.deep.limits import Broken, Budget, Capped, Exhausted, Limits
from neutralize.deep.member import Member, shown, text
from neutralize.deep.stream import Stream, chunks, unpacked

_KINDS = {1: "commit", 2: "tree", 3: "blob", 4: "tag"}
_BY_OFFSET, _BY_NAME = 6, 7
_HEADER = 64
_SUBMODULE = 0o160000


@dataclass(frozen=True, kw_only=True)
class _Entry:
    """One object of a pack as it is stored."""

    kind: int
    size: int
    base: int | bytes | None
    data: int
    """Where its compressed bytes begin."""


def loose_members(file: IO[bytes], size: int, limits: Limits) -> Iterator[Member]:
    stream = Stream(unpacked(file, 0, size, "zlib", limits))
    head, _, _ = stream.peek(_HEADER).partition(b"\0")
    kind, _, length = head.decode("ascii").partition(" ")
    stream.exactly(len(head) + 1)
    if kind != "tree":
        yield Member(name=f"({kind})", chunks=stream.part(int(length)))
    elif int(length) > limits.object_bytes:
        raise Capped("object_bytes", f"a tree of more than {limits.object_bytes} bytes")
    else:
        yield text("(tree)", tree_names(stream.exactly(int(length))))
    if stream.peek(1):
        raise Broken("the object is longer than it says")


def bundle_members(file: IO[bytes], size: int, budget: Budget) -> Iterator[Member]:
    file.seek(0)
    head, end, _ = file.read(budget.limits.header).partition(b"\n\n")
    if not end:
        raise Broken("its list of references has no end")
    yield text("(references)", head.partition(b"\n")[2])  # its first line would make it a bundle again
    yield from pack_members(file, len(head) + 2, size, budget)


def pack_members(file: IO[bytes], start: int, size: int, budget: Budget) -> Iterator[Member]:
    """Every object: commits and tags as they are written, trees as names, blobs as files. Named by kind and id."""
    file.seek(start)
    head = file.read(12)
    if len(head) < 12 or head[:4] != b"PACK" or head[7] not in {2, 3}:
        raise Broken("not a pack of a known version")
    pack = _Pack(file, start, size, budget)
    place, waiting = start + 12, dict[bytes, list[int]]()
    for _ in range(int.from_bytes(head[8:], "big")):
        entry, end = pack.next(place)
        if missing := pack.missing(place):
            waiting.setdefault(missing, []).append(place)
        else:
            yield from pack.members(place, entry)
        place = end
    yield from _late(pack, waiting)
    if size - place > 32:
        yield Member(name="(rest)", chunks=chunks(file, place, size), size=size - place)


def _late(pack: _Pack, waiting: dict[bytes, list[int]]) -> Iterator[Member]:
    """Objects whose base stands behind them, each as soon as its base is made."""
    todo = deque(base for base in waiting if base in pack.places)
    while todo:
        for place in waiting.pop(todo.popleft(), ()):
            yield from pack.members(place, pack.entry(place))
            if pack.latest in waiting:
                todo.append(pack.latest)
    for base, places in waiting.items():
        for place in places:
            problem = f"a difference to {base.hex()}, which is not in this pack"
            yield Member(name=f"(object at byte {place})", problem=problem)


class _Pack:
    """One pack, read at any place. What objects are made from is kept while there is room."""

    def __init__(self, file: IO[bytes], start: int, size: int, budget: Budget) -> None:
        self._file = file
        self._start = start
        self._size = size
        self._budget = budget
        self._limits = budget.limits
        self._made: OrderedDict[int, tuple[int, bytes]] = OrderedDict()
        self._held = 0
        self._ahead: tuple[int, bytes] = (0, b"")
        self.latest = b""
        """The id of the object that was made last."""
        self.places: dict[bytes, int] = {}
        """Where each object lies, by its id."""
        self._known: set[int] = set()

    def entry(self, place: int) -> _Entry:
        if not self._start + 12 <= place < self._size:
            raise Broken("an object outside of the pack")
        self._file.seek(place)
        head = self._file.read(_HEADER)
        kind, size, shift, at = head[0] >> 4 & 7, head[0] & 15, 4, 1
        while head[at - 1] & 0x80:
            size |= (head[at] & 0x7F) << shift
            shift, at = shift + 7, at + 1
        base: int | bytes | None = None
        if kind == _BY_OFFSET:
            back, at = head[at] & 0x7F, at + 1
            while head[at - 1] & 0x80:
                back, at = (back + 1) << 7 | head[at] & 0x7F, at + 1
            base = place - back
            if back < 1:
                raise Broken("an object that is a difference to itself")
        elif kind == _BY_NAME:
            base, at = head[at : at + 20], at + 20
        elif kind not in _KINDS:
            raise Broken("an object of no known kind")
        return _Entry(kind=kind, size=size, base=base, data=place + at)

    def next(self, place: int) -> tuple[_Entry, int]:
        """The object there, and where the one behind it begins."""
        entry, where = self.entry(place), list[int]()
        if entry.size <= self._limits.object_bytes:
            self._ahead = place, b"".join(self._inflated(entry, where))
        else:
            for _ in self._inflated(entry, where):
                pass
        return entry, where[0]

    def missing(self, place: int) -> bytes:
        """The id that the chain from `place` leads to and that no object has had so far; empty when there is none.

        Once that object is made, so is whatever it starts from: nothing waits twice.
        """
        for _ in range(self._limits.chain):
            base = None if place in self._known else self.entry(place).base
            if base is None:
                break
            if isinstance(base, bytes) and base not in self.places:
                return base
            place = self.places[base] if isinstance(base, bytes) else base
        return b""

    def members(self, place: int, entry: _Entry) -> Iterator[Member]:
        try:
            if entry.base is None and entry.size > self._limits.object_bytes:
                yield self._large(place, entry)
                return
            kind, data = self._object(place)
        except Exhausted:
            raise
        except (Broken, Capped, ApplyDeltaError) as error:
            yield Member(name=f"(object at byte {place})", problem=str(error), size=entry.size)
            return
        name = self._name(place, kind, len(data), iter((data,)))
        yield text(name, tree_names(data) if _KINDS[kind] == "tree" else data)

    def _large(self, place: int, entry: _Entry) -> Member:
        """A large blob passes in chunks, twice: its id comes first."""
        if _KINDS[entry.kind] == "tree":
            raise Capped("object_bytes", f"a tree of more than {self._limits.object_bytes} bytes")
        name = self._name(place, entry.kind, entry.size, self._inflated(entry))
        return Member(name=name, chunks=self._inflated(entry))

    def _name(self, place: int, kind: int, size: int, data: Iterator[bytes]) -> str:
        total = hashlib.sha1(f"{_KINDS[kind]} {size}\0".encode(), usedforsecurity=False)
        for chunk in data:
            total.update(chunk)
        self.latest = total.digest()
        self.places[self.latest] = place
        self._known.add(place)
        return f"{_KINDS[kind]}/{total.hexdigest()}"

    def _inflated(self, entry: _Entry, where: list[int] | None = None) -> Iterator[bytes]:
        size = 0
        for chunk in unpacked(self._file, entry.data, self._size, "zlib", self._limits, ends=where):
            size += len(chunk)
            self._budget.take(len(chunk))
            if size > entry.size:
                break
            yield chunk
        if size != entry.size:
            raise Broken("an object has another size than is written")

    def _whole(self, place: int, entry: _Entry) -> bytes:
        if entry.size > self._limits.object_bytes:
            raise Capped("object_bytes", f"an object of more than {self._limits.object_bytes} bytes")
        return self._ahead[1] if self._ahead[0] == place else b"".join(self._inflated(entry))

    def _object(self, place: int) -> tuple[int, bytes]:
        """Kind and content, put together from the whole object at the end of its chain."""
        chain: list[tuple[int, bytes]] = []
        held, at = 0, place
        while at not in self._made:
            entry = self.entry(at)
            data = self._whole(at, entry)
            if entry.base is None:
                self._keep(at, entry.kind, data)
                break
            chain.append((at, data))
            held += len(data)
            if len(chain) > self._limits.chain or held > self._limits.object_bytes:
                raise Capped("chain", "a chain of differences that is too long")
            at = entry.base if isinstance(entry.base, int) else self.places[entry.base]
        kind, data = self._made[at]
        self._made.move_to_end(at)
        for at, delta in reversed(chain):
            size = _made_size(delta)
            if size > self._limits.object_bytes:
                raise Capped("object_bytes", f"an object of more than {self._limits.object_bytes} bytes")
            self._budget.take(size)
            data = b"".join(apply_delta(data, delta))
            self._keep(at, kind, data)
        return kind, data

    def _keep(self, place: int, kind: int, data: bytes) -> None:
        self._made[place] = kind, data
        self._held += len(data)
        while self._held > 2 * self._limits.object_bytes and len(self._made) > 1:
            _, (_, old) = self._made.popitem(last=False)
            self._held -= len(old)


def _made_size(delta: bytes) -> int:
    """The size of what a difference makes: the second number of its head."""
    sizes, at = [], 0
    for _ in range(2):
        size, shift = 0, 0
        while True:
            byte = delta[at]
            size |= (byte & 0x7F) << shift
            shift, at = shift + 7, at + 1
            if not byte & 0x80:
                break
            if shift > 63:
                raise Broken("a difference of an impossible size")
        sizes.append(size)
    return sizes[1]


def tree_names(data: bytes) -> bytes:
    """One name a line, with the commit where it is another project's."""
    for length in (20, 32):
        try:
            lines = [
                name + (b" " + bytes(found) if mode == _SUBMODULE else b"")
                for name, mode, found in parse_tree(data, length)
            ]
        except (ObjectFormatException, ValueError):
            continue
        return b"".join(shown(line).encode() + b"\n" for line in lines)
    raise Broken("a tree that cannot be read")
