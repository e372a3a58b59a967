"""What a source tree is recognised by when it lies somewhere else under other names."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from .tokens import HASH, family, literals, tokens, winnowed
from .walk import File, decoded, files

_NO_PRODUCT = frozenset(
    {
        *("test", "tests", "testing", "doc", "docs", "example", "examples", "benchmark", "benchmarks", "bench"),
        *("scripts", "tools", "ci", "fuzz", ".git", ".github", ".hg", ".tox", ".venv", "node_modules", "__pycache__"),
    }
)
_COMMON = re.compile(
    r"(?:licen[cs]e|copying|notice|authors|contributing|code_of_conduct|readme|changelog)", re.IGNORECASE
)
_LEAST_BYTES = 200
"""Shorter files are alike in many projects."""
_LEAST_WORD = 8
_IDENTIFIER = re.compile(rf"[^\W\d]\w{{{_LEAST_WORD - 1},}}", re.ASCII)
_HUMPED = re.compile(r"[a-z0-9][A-Z]|[A-Za-z0-9]_[A-Za-z]|[A-Z]{2}[a-z]")
_MOST_WORDS = 2000


@dataclass(frozen=True, kw_only=True)
class Source:
    """One file of the tree."""

    path: str
    digest: str
    """Of its content without carriage returns, byte order mark, and white space at ends of lines."""
    family: str
    grams: tuple[int, ...]
    """Sorted; empty for what is no source, or too short."""
    words: tuple[str, ...]
    """Names of two words or more and strings of several, sorted: what is left of it when it is compiled."""


@dataclass(frozen=True, kw_only=True)
class Fingerprints:
    """The same tree gives the same bytes."""

    sources: tuple[Source, ...]
    identifiers: tuple[str, ...]
    """Names of two words or more, which compiled code keeps when it keeps names."""
    literals: tuple[str, ...]
    """Texts that compiled code keeps in any case."""

    def to_bytes(self) -> bytes:
        return json.dumps(asdict(self), sort_keys=True, separators=(",", ":")).encode() + b"\n"

    @classmethod
    def from_bytes(cls, data: bytes) -> Fingerprints:
        """Raises `ValueError`, `KeyError` or `TypeError` for what is none."""
        told = json.loads(data)
        sources = tuple(
            Source(**{**one, "grams": tuple(one["grams"]), "words": tuple(one["words"])}) for one in told["sources"]
        )
        return cls(sources=sources, identifiers=tuple(told["identifiers"]), literals=tuple(told["literals"]))


def fingerprint(tree: Path) -> Fingerprints:
    """The fingerprints of the product's files below `tree`: no tests, documents, examples or tools."""
    sources, identifiers, texts = [], set[str](), set[str]()
    for file in files((tree,), unread=[], archives=False):
        if file.data is None or _NO_PRODUCT & {part.lower() for part in file.path.split("/")[:-1]}:
            continue
        text = decoded(file.data)
        kind = family(file.name)
        row = tokens(text, kind) if text is not None and kind else []
        names = {word for word in _IDENTIFIER.findall(text or "") if kind and _HUMPED.search(word)}
        strings = set(_telling(text, kind)) if text is not None and kind else set[str]()
        identifiers |= names
        texts |= strings
        if (text is None or len(file.data) >= _LEAST_BYTES) and not _COMMON.match(file.name):
            grams, words = tuple(sorted(winnowed(row))), tuple(sorted(names | strings)[:_MOST_WORDS])
            sources.append(Source(path=file.path, digest=digest(file), family=kind, grams=grams, words=words))
    return Fingerprints(
        sources=tuple(sources),
        identifiers=tuple(sorted(identifiers)[:_MOST_WORDS]),
        literals=tuple(sorted(texts - identifiers)[:_MOST_WORDS]),
    )


def digest(file: File) -> str:
    """Of a file's normal content, half of a SHA-256 in hexadecimal."""
    data = file.data or b""
    if b"\0" not in data[:4096]:
        lines = data.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n").split(b"\n")
        data = b"\n".join(line.rstrip() for line in lines).strip()
    return hashlib.sha256(data).hexdigest()[:32]


def _telling(text: str, kind: str) -> Iterator[str]:
    """String literals of several words, without escapes and placeholders, which a compiler leaves as they are."""
    for literal in literals(text, kind):
        plain = 12 <= len(literal) <= 120 and literal.isascii() and not set("\\{}%") & set(literal)
        if plain and literal.count(" ") >= 2 and (kind != HASH or literal.isprintable()):
            yield literal
