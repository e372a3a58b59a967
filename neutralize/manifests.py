"""What a Python project's manifests state about itself. Nothing of it is ever run."""

from __future__ import annotations

import ast
import configparser
import email.parser
import email.policy
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from neutralize.addresses import EMAIL, URL

_PEOPLE = ("author", "maintainer")


@dataclass(frozen=True, kw_only=True)
class Statement:
    """One value that a manifest gives: `role` is dist, module, cli, party, email, url or summary."""

    role: str
    value: str
    source: str
    """`path:line`."""


def statements(tree: Path) -> Iterator[Statement]:
    """What the root's manifests say; broken ones say nothing. Manifests of examples below are not read."""
    for name, read in _READERS.items():
        path = tree / name
        if not path.is_file() or path.is_symlink():
            continue
        text = path.read_text("utf-8", "replace")
        for role, value in read(text):
            said = " ".join(value.split())
            if said and said.upper() != "UNKNOWN":
                yield Statement(role=role, value=said, source=f"{name}:{line_of(text, said)}")


def line_of(text: str, value: str) -> int:
    """The first line that holds `value`, else 1."""
    where = text.find(value)
    return text.count("\n", 0, where) + 1 if where >= 0 else 1


Pairs = Iterator[tuple[str, str]]


def _pyproject(text: str) -> Pairs:
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return
    tool = _table(data, "tool")
    for project in (_table(data, "project"), _table(tool, "poetry"), _table(tool, "flit", "metadata")):
        yield from (("dist", name) for name in _strings(project.get("name")))
        yield from (("summary", text) for text in _strings(project.get("description")))
        yield from (("cli", name) for table in ("scripts", "gui-scripts") for name in _table(project, table))
        for people in ("authors", "maintainers"):
            yield from _parties(project.get(people))
        urls = [*_table(project, "urls").values(), *(project.get(key) for key in ("homepage", "repository"))]
        yield from (("url", url) for value in urls for url in _strings(value))
    yield from (("module", name) for name in _strings(_table(tool, "flit", "module").get("name")))


def _parties(value: Any) -> Pairs:
    for entry in value if isinstance(value, list) else []:
        if isinstance(entry, dict):
            yield from (("party", name) for name in _strings(entry.get("name")))
            yield from (("email", address) for address in _strings(entry.get("email")))
        elif isinstance(entry, str):
            yield from _party(entry)


def _party(text: str) -> Pairs:
    """`Name <address>`, either part alone, or several with commas."""
    yield from (("email", address) for address in EMAIL.findall(text))
    for part in EMAIL.sub("", text).split(","):
        name = part.replace("<", "").replace(">", "").strip()
        if name:
            yield "party", name


def _pkg_info(text: str) -> Pairs:
    message = email.parser.HeaderParser(policy=email.policy.compat32).parsestr(text)
    for header, value in message.items():
        field = header.lower()
        if field == "name":
            yield "dist", str(value)
        elif field == "summary":
            yield "summary", str(value)
        elif field.startswith(_PEOPLE):
            yield from _party(str(value))
        elif field in {"home-page", "download-url", "project-url"}:
            yield from (("url", url) for url in URL.findall(str(value)))


def _setup_cfg(text: str) -> Pairs:
    parser = configparser.RawConfigParser(strict=False)
    try:
        parser.read_string(text)
    except configparser.Error:
        return
    if parser.has_section("metadata"):
        yield from _keywords(dict(parser.items("metadata")))


def _setup_py(text: str) -> Pairs:
    try:
        module = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return
    for node in ast.walk(module):
        if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] == "setup":
            given = {item.arg: item.value for item in node.keywords if item.arg}
            yield from _keywords(
                {
                    key: value.value
                    for key, value in given.items()
                    if isinstance(value, ast.Constant) and isinstance(value.value, str)
                }
            )


def _keywords(given: dict[str, str]) -> Pairs:
    """The keywords that setup.py and setup.cfg share."""
    for key, value in given.items():
        if key == "name":
            yield "dist", value
        elif key in {"description", "summary"}:
            yield "summary", value
        elif key in {
            "author",
            "maintainer",
            "author_email",
            "maintainer_email",
            "author-email",
            "maintainer-email",
        }:
            yield from _party(value)
        elif re.fullmatch(r"(?:download[_-])?url|home[_-]page|project_urls", key):
            yield from (("url", url) for url in URL.findall(value))


def _table(data: Any, *keys: str) -> dict[str, Any]:
    for key in keys:
        data = data.get(key) if isinstance(data, dict) else None
    return data if isinstance(data, dict) else {}


def _strings(value: Any) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else ()


_READERS = {
    "pyproject.toml": _pyproject,
    "PKG-INFO": _pkg_info,
    "setup.cfg": _setup_cfg,
    "setup.py": _setup_py,
}
