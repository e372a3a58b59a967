"""`source/denylist.json`: what a solver may neither install nor import, and how a name is held against it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, ValidationError

from taskpack.order import CaseId
from taskpack.record import Part, to_json, unreadable
from taskpack.requested import folded, keyed

_INFRASTRUCTURE = frozenset({"cuda", "std", "numpy", "torch"})
"""Import roots that everything uses: a ban of one would stop right candidates."""


def _import_token(token: str) -> str:
    bare = token.removesuffix("::").removesuffix("/")
    if not bare.strip():
        raise ValueError("an import ban must name something")
    if bare in _INFRASTRUCTURE:
        raise ValueError(f"{token} is general infrastructure, which every product may use")
    return token


def _install_token(token: str) -> str:
    if not folded(token):
        raise ValueError("an install ban must name something")
    return token


InstallToken = Annotated[str, AfterValidator(_install_token)]
ImportToken = Annotated[str, AfterValidator(_import_token)]


class Denylist(Part):
    """The bans of one case (zero2repo, schema version 1)."""

    schema_version: Literal[1] = 1
    case_id: CaseId
    ecosystem: Annotated[str, Field(min_length=1)]
    """`pip`, `npm`, `go`, `source`, …"""
    install_ban: tuple[InstallToken, ...]
    """Distributions, system packages, repositories (`org/name`, `host/org/name`)."""
    import_ban: tuple[ImportToken, ...]
    """`name/`: a path inside an import line. `name::`: a qualifier in C++ or Rust. Otherwise an import root."""
    notes: str = ""

    @property
    def digest(self) -> str:
        """SHA-256 of the bans and what they are of, hexadecimal."""
        return hashlib.sha256(to_json(self.model_dump(mode="json"))).hexdigest()

    @property
    def installs(self) -> Mapping[str, str]:
        """Folded name -> the token as it is written."""
        return _by_folded_name(self.install_ban)

    @property
    def roots(self) -> tuple[str, ...]:
        """What may not be imported, each once, without the marks of its spelling."""
        return tuple(dict.fromkeys(token.removesuffix("::").removesuffix("/") for token in self.import_ban))

    @property
    def names(self) -> Mapping[str, str]:
        """Folded name -> token, of installs and import roots: how a folder of the upstream may be called."""
        return _by_folded_name((*self.install_ban, *self.roots))

    def install_token(self, names: Iterable[str]) -> str:
        """The first token that one of the folded `names` stands for; empty when none is banned."""
        banned = self.installs
        return next((banned[name] for name in sorted(names) if name in banned), "")

    def hashes(self, salt: bytes) -> tuple[str, ...]:
        """Keyed hashes of what may not be installed, sorted. They do not tell what they were made of."""
        return tuple(sorted(keyed(salt, name) for name in self.installs))


@lru_cache(maxsize=64)
def _by_folded_name(tokens: tuple[str, ...]) -> Mapping[str, str]:
    return {folded(token): token for token in reversed(tokens)}


def read_denylist(path: Path) -> Denylist:
    """The bans in a file. Raises `RecordUnreadable` when it is not there or is none."""
    try:
        return Denylist.model_validate_json(path.read_bytes() if path.is_file() else b"")
    except ValidationError as error:
        raise unreadable(Denylist, str(path), error) from error
