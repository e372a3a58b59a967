"""What a Python source's metadata says of its licence, turned into SPDX ids. Judging it is left to `licence`."""

from __future__ import annotations

import configparser
import itertools
import re
import tomllib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from email.parser import BytesHeaderParser
from typing import Any

from authoring.members import Member, Mode

Identify = Callable[[str], frozenset[str]]
Alternatives = tuple[frozenset[str], ...]

_BSD: Alternatives = (frozenset({"BSD-3-Clause"}), frozenset({"BSD-2-Clause"}))
_APACHE: Alternatives = (frozenset({"Apache-2.0"}),)
_MIT: Alternatives = (frozenset({"MIT"}),)
_ALIASES: dict[str, Alternatives] = {
    "mit license": _MIT,
    "the mit license": _MIT,
    "the mit license (mit)": _MIT,
    "expat": _MIT,
    "bsd": _BSD,
    "bsd license": _BSD,
    "new bsd": (frozenset({"BSD-3-Clause"}),),
    "new bsd license": (frozenset({"BSD-3-Clause"}),),
    "bsd 3-clause": (frozenset({"BSD-3-Clause"}),),
    "bsd 3-clause license": (frozenset({"BSD-3-Clause"}),),
    "3-clause bsd license": (frozenset({"BSD-3-Clause"}),),
    "bsd 2-clause": (frozenset({"BSD-2-Clause"}),),
    "simplified bsd license": (frozenset({"BSD-2-Clause"}),),
    "apache 2.0": _APACHE,
    "apache-2": _APACHE,
    "apache 2": _APACHE,
    "apache license": _APACHE,
    "apache license 2.0": _APACHE,
    "apache license, version 2.0": _APACHE,
    "apache software license": _APACHE,
    "isc license": (frozenset({"ISC"}),),
    "isc license (iscl)": (frozenset({"ISC"}),),
    "mozilla public license 2.0 (mpl 2.0)": (frozenset({"MPL-2.0"}),),
    "zero-clause bsd (0bsd)": (frozenset({"0BSD"}),),
    "the unlicense (unlicense)": (frozenset({"Unlicense"}),),
}
_NOTHING = {"", "unknown", "none"}
_CLASSIFIER = "License :: "
_LONGEST_EXPRESSION = 200


@dataclass(frozen=True, kw_only=True)
class Claim:
    """One statement of the metadata."""

    where: str
    text: str
    alternatives: Alternatives
    """Sets of SPDX ids, any one of which is enough; empty when the statement is not understood."""
    expression: str = ""
    """The SPDX expression, when the statement is exact."""

    @property
    def named(self) -> frozenset[str]:
        return frozenset(itertools.chain.from_iterable(self.alternatives))

    def covered_by(self, ids: frozenset[str]) -> bool:
        return any(choice <= ids for choice in self.alternatives)


def read_claims(members: Sequence[Member], *, identify: Identify) -> tuple[Claim, ...]:
    """Statements in PKG-INFO, pyproject.toml and setup.cfg, exact ones first. Broken metadata states nothing."""
    files = {member.path: member.data for member in members if member.mode is not Mode.LINK}
    found = [
        *_from_pkg_info(files.get("PKG-INFO", b""), identify),
        *_from_pyproject(files, identify),
        *_from_setup_cfg(files.get("setup.cfg", b""), identify),
    ]
    return tuple(sorted(found, key=lambda claim: not claim.expression))


def _from_pkg_info(data: bytes, identify: Identify) -> list[Claim]:
    headers = BytesHeaderParser().parsebytes(data)
    claims = [
        _claim(f"PKG-INFO: {name}", str(value), identify)
        for name in ("License-Expression", "License")
        for value in headers.get_all(name, [])
    ]
    return _stated([*claims, _classifiers("PKG-INFO", map(str, headers.get_all("Classifier", [])))])


def _from_pyproject(files: dict[str, bytes], identify: Identify) -> list[Claim]:
    try:
        table = tomllib.loads(files.get("pyproject.toml", b"").decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError):
        return []
    project = _table(table, "project")
    poetry = _table(_table(table, "tool"), "poetry")
    licence = project.get("license", poetry.get("license", ""))
    claims: list[Claim | None] = []
    if isinstance(licence, dict) and isinstance(licence.get("file"), str):
        text = files.get(licence["file"], b"").decode("utf-8", "replace")
        ids = identify(text)
        claims.append(_made("pyproject.toml: license.file", licence["file"], (ids,) if ids else ()))
    else:
        text = licence.get("text", "") if isinstance(licence, dict) else licence
        claims.append(_claim("pyproject.toml: license", str(text), identify))
    listed = project.get("classifiers", poetry.get("classifiers", []))
    claims.append(_classifiers("pyproject.toml", map(str, listed if isinstance(listed, list) else [])))
    return _stated(claims)


def _table(parent: dict[str, Any], name: str) -> dict[str, Any]:
    child = parent.get(name, {})
    return child if isinstance(child, dict) else {}


def _from_setup_cfg(data: bytes, identify: Identify) -> list[Claim]:
    config = configparser.ConfigParser(interpolation=None)
    try:
        config.read_string(data.decode())
    except (configparser.Error, UnicodeDecodeError):
        return []
    licence = config.get("metadata", "license", fallback="")
    listed = config.get("metadata", "classifiers", fallback="").splitlines()
    return _stated([_claim("setup.cfg: license", licence, identify), _classifiers("setup.cfg", listed)])


def _stated(claims: Iterable[Claim | None]) -> list[Claim]:
    return [claim for claim in claims if claim is not None]


def _made(where: str, text: str, alternatives: Alternatives, expression: str = "") -> Claim:
    return Claim(where=where, text=" ".join(text.split())[:120], alternatives=alternatives, expression=expression)


def _classifiers(where: str, lines: Iterable[str]) -> Claim | None:
    """All licence classifiers of one file together: authors list one for each choice."""
    names = [line.strip().rpartition(" :: ")[2] for line in lines if line.strip().startswith(_CLASSIFIER)]
    names = [name for name in names if name != "OSI Approved"]
    if not names:
        return None
    known = [_ALIASES.get(name.lower(), ()) for name in names]
    understood = all(known)
    alternatives = tuple(itertools.chain.from_iterable(known)) if understood else ()
    return _made(f"{where}: classifiers", ", ".join(names), alternatives)


def _claim(where: str, text: str, identify: Identify) -> Claim | None:
    text = text.strip()
    if text.lower() in _NOTHING:
        return None
    alias = _ALIASES.get(text.lower())
    if alias is not None:
        return _made(where, text, alias)
    if len(text) > _LONGEST_EXPRESSION:
        ids = identify(text)
        return _made(where, text, (ids,) if ids else ())
    parts = re.split(r"(\s+(?:OR|AND)\s+|\s*/\s*|[()])", text, flags=re.IGNORECASE)
    alternatives, expression = _parse("".join(" OR " if part.strip() == "/" else _spdx(part) for part in parts))
    return _made(where, text, alternatives, expression)


def _spdx(part: str) -> str:
    """An operand of an expression, by its SPDX id where it is written in other words that mean exactly one."""
    known = _ALIASES.get(part.strip().lower(), ())
    return next(iter(known[0])) if len(known) == 1 and len(known[0]) == 1 else part


def _parse(text: str) -> tuple[Alternatives, str]:
    """The choices that an SPDX expression offers, and its normal text; nothing when it is none."""
    from license_expression import get_spdx_licensing  # noqa: PLC0415 (reads its index when made)

    try:
        parsed = get_spdx_licensing().parse(text, validate=True)
        return _choices(parsed), str(parsed.render())
    except Exception:  # noqa: BLE001 (the library raises whatever comes up inside it)
        return (), ""


def _choices(node: Any) -> Alternatives:
    kind = type(node).__name__
    if kind == "OR":
        return tuple(itertools.chain.from_iterable(_choices(part) for part in node.args))
    if kind == "AND":
        parts = [_choices(part) for part in node.args]
        return tuple(frozenset().union(*picked) for picked in itertools.product(*parts))
    return (frozenset({str(node.render())}),)
