"""An environment searched for copies of a tree: whole files, sources under other names, compiled code by strings."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from .fingerprint import Fingerprints, digest
from .tokens import family, grams, tokens
from .walk import File, decoded, files

SHARE = 0.3
"""Of the tree's grams, or of the words of its compiled form: what is reported. `docs/neutralization.md` has what
unrelated code comes to."""
FILE_SHARE = 0.5
"""Of the grams of one file of the tree, in one file."""
WORD_SHARE = 0.6
"""Of the words and strings of one file of the tree, in one compiled file. Libraries of one field share names."""
LEAST_GRAMS = 12
"""A smaller file says nothing by its grams."""
LEAST_WORDS = 8
_SOURCE_CAP = 4 * 1024 * 1024
_CHUNK = 4 * 1024 * 1024
_OVERLAP = 256
_RUN = re.compile(rb"[A-Za-z_][A-Za-z0-9_]{7,}")
_MARSHALLED = re.compile(rb"(?=[zZ\xda\xfa](.)([A-Za-z_][A-Za-z0-9_]{7,254}))", re.DOTALL)
"""A short text in bytecode: its length stands before it, and what follows may be a letter."""


@dataclass(frozen=True, kw_only=True, order=True)
class Copy:
    """A place that holds a part of the tree."""

    place: str
    """A folder or a file, inside archives after `!`."""
    kind: str
    """`identical` (whole files), `source` (the same code, whatever the names), `compiled` (its words)."""
    share: float
    """Of what was looked for: the tree's files or grams, or its words."""
    evidence: tuple[str, ...]

    def render(self) -> str:
        return f"{self.place}: {self.kind}, {self.share:.0%} of it ({'; '.join(self.evidence[:3])})"


@dataclass(frozen=True, kw_only=True)
class Searched:
    """The answer. With anything unread, the absence of copies is not shown."""

    copies: tuple[Copy, ...]
    files: int
    unread: tuple[str, ...]
    compiled: bool
    """Whether the tree has enough words of its own to know it when it is compiled."""


def find_copies(fingerprints: Fingerprints, roots: Sequence[Path]) -> tuple[Copy, ...]:
    """The copies below `roots`, those with the largest share first. See `search_copies`."""
    return search_copies(fingerprints, roots).copies


def search_copies(fingerprints: Fingerprints, roots: Sequence[Path]) -> Searched:
    """Every file below `roots`, those in archives too, held against the fingerprints, once each."""
    search = _Search(fingerprints)
    count = 0
    for file in files(roots, unread=search.unread):
        count += 1
        if file.data is not None:
            search.look(file, file.data)
    copies = sorted(search.copies(), key=lambda one: (-one.share, one.place, one.kind))
    return Searched(
        copies=tuple(copies), files=count, unread=tuple(search.unread), compiled=len(search.words) >= LEAST_WORDS
    )


@dataclass
class _Search:
    known: Fingerprints
    unread: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.by_digest = {source.digest: source.path for source in self.known.sources}
        self.by_gram: dict[int, list[int]] = defaultdict(list)
        for number, source in enumerate(self.known.sources):
            for gram in source.grams:
                self.by_gram[gram].append(number)
        self.families = {source.family for source in self.known.sources if source.grams}
        self.identifiers = {word.encode() for word in self.known.identifiers}
        self.literals = [text.encode() for text in self.known.literals]
        self.words = {*self.identifiers, *self.literals}
        self.seen: dict[str, frozenset[int]] = {}
        """File -> grams of the tree that are in it."""
        self.whole: dict[str, str] = {}
        self.compiled: list[Copy] = []

    def look(self, file: File, data: bytes) -> None:
        key = digest(file)
        if key in self.by_digest:
            self.whole[file.path] = self.by_digest[key]
        text = decoded(data)
        if text is None:
            self._look_compiled(file.path, data)
            return
        kind = family(file.name)
        for one in self.families if not kind else self.families & {kind}:
            if len(text) > _SOURCE_CAP:
                self.unread.append(f"{file.path}: source larger than {_SOURCE_CAP} characters")
                return
            found = frozenset(gram for gram in grams(tokens(text, one)) if gram in self.by_gram)
            if found:
                self.seen[file.path] = self.seen.get(file.path, frozenset()) | found

    def _look_compiled(self, path: str, data: bytes) -> None:
        if len(self.words) < LEAST_WORDS:
            return
        names: set[bytes] = set()
        texts: set[bytes] = set()
        for start in range(0, len(data), _CHUNK):
            chunk = data[max(0, start - _OVERLAP) : start + _CHUNK]
            names |= self.identifiers & set(_RUN.findall(chunk))
            if path.endswith((".pyc", ".pyo")):
                names |= self.identifiers & {name[: size[0]] for size, name in _MARSHALLED.findall(chunk)}
            texts |= {text for text in self.literals if text in chunk} if names or len(data) < _CHUNK else set()
        enough = len(self.literals) >= LEAST_WORDS
        share = max((len(names) + len(texts)) / len(self.words), len(texts) / len(self.literals) if enough else 0.0)
        found = {word.decode() for word in names | texts}
        if share >= SHARE and len(found) >= LEAST_WORDS:
            evidence = tuple(sorted(found)[:3])
            self.compiled.append(Copy(place=path, kind="compiled", share=round(share, 4), evidence=evidence))
        elif found:
            self.compiled += _compiled_parts(self.known, path, found)

    def copies(self) -> Iterator[Copy]:
        yield from self.compiled
        total = {gram for source in self.known.sources for gram in source.grams}
        told: set[str] = set()
        for folder, paths in sorted(_by_folder(self.seen).items()):
            found = frozenset[int]().union(*(self.seen[path] for path in paths))
            share = len(found) / len(total)
            parts = [part for path in paths for part in self._parts(path)]
            if share >= SHARE and len(found) >= LEAST_GRAMS:
                evidence = tuple(
                    f"{path} holds {value:.0%} of {name}" for value, path, name in sorted(parts, reverse=True)
                )
                yield Copy(place=folder, kind="source", share=round(share, 4), evidence=evidence[:5])
                told |= set(paths)
        for path in sorted(set(self.seen) - told):
            for value, _, name in self._parts(path):
                yield Copy(place=path, kind="source", share=round(value, 4), evidence=(f"of {name}",))
        for folder, paths in sorted(_by_folder(self.whole).items()):
            evidence = tuple(f"{path} is {self.whole[path]}" for path in paths)
            share = len({self.whole[path] for path in paths}) / len(self.known.sources)
            yield Copy(place=folder, kind="identical", share=round(share, 4), evidence=evidence[:5])

    def _parts(self, path: str) -> list[tuple[float, str, str]]:
        """The files of the tree that one file holds most of."""
        counts: dict[int, int] = defaultdict(int)
        for gram in self.seen[path]:
            for number in self.by_gram[gram]:
                counts[number] += 1
        held = []
        for number, count in counts.items():
            source = self.known.sources[number]
            if len(source.grams) >= LEAST_GRAMS and count / len(source.grams) >= FILE_SHARE:
                held.append((count / len(source.grams), path, source.path))
        return held


def _compiled_parts(known: Fingerprints, path: str, found: set[str]) -> Iterator[Copy]:
    """One file of the tree compiled by itself, as most languages do."""
    for source in known.sources:
        share = len(found.intersection(source.words)) / max(1, len(source.words))
        if share >= WORD_SHARE and len(source.words) >= LEAST_WORDS:
            evidence = (f"of {source.path}", *sorted(found.intersection(source.words))[:2])
            yield Copy(place=path, kind="compiled", share=round(share, 4), evidence=evidence)


def _by_folder(paths: dict[str, frozenset[int]] | dict[str, str]) -> dict[str, list[str]]:
    folders: dict[str, list[str]] = defaultdict(list)
    for path in paths:
        cut = max(path.rfind("/"), path.rfind("!"))
        folders[path[:cut] if cut > 0 else "."].append(path)
    return folders
