"""Whether a source archive is the project and version that the order names, by its own metadata."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from email.parser import BytesHeaderParser

from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

from authoring.members import Member, Mode


@dataclass(frozen=True, kw_only=True)
class Identity:
    """What a source says that it is. An empty string where it says nothing."""

    name: str
    version: str
    where: str


def read_identity(members: Sequence[Member]) -> Identity:
    """Name and version from `PKG-INFO`, else from the static part of `pyproject.toml`."""
    files = {member.path: member.data for member in members if member.mode is not Mode.LINK}
    if "PKG-INFO" in files:
        headers = BytesHeaderParser().parsebytes(files["PKG-INFO"])
        return Identity(name=str(headers["Name"] or ""), version=str(headers["Version"] or ""), where="PKG-INFO")
    try:
        project = tomllib.loads(files.get("pyproject.toml", b"").decode()).get("project", {})
    except (tomllib.TOMLDecodeError, UnicodeDecodeError):
        project = {}
    project = project if isinstance(project, dict) else {}
    name, version = project.get("name", ""), project.get("version", "")
    return Identity(name=str(name), version=str(version), where="pyproject.toml")


def differences(found: Identity, *, name: str, version: str = "") -> tuple[str, ...]:
    """What is another than `name` and `version`; what either side leaves out does not count. Spelling does not either:
    `My_Lib` is `my-lib`, `1.0` is `1.0.0`.
    """
    facts = []
    if found.name and canonicalize_name(found.name) != canonicalize_name(name):
        facts.append(f"{found.where} says `{found.name[:80]}`, the order says `{name}`")
    if found.version and version and not _same_version(found.version, version):
        facts.append(f"{found.where} says version `{found.version[:80]}`, the order says `{version}`")
    return tuple(facts)


def _same_version(one: str, two: str) -> bool:
    try:
        return Version(one) == Version(two)
    except InvalidVersion:
        return one == two
