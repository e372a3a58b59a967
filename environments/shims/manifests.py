"""Build files as text, and what each of them asks for. Nothing is run, nothing but the text is looked at.

Uses the standard library alone: a solver's image carries it. The scan of what was submitted reads with it as well.
"""

from __future__ import annotations

import ast
import configparser
import json
import re
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from taskpack.requested import folded, is_address, of_address, of_crate, of_module, of_npm, of_requirement

Reader = Callable[[str], frozenset[str]]

DEPENDENCIES = frozenset(
    {
        *("additional-dependencies", "build-dependencies", "build-requires", "build-system", "bundled-dependencies"),
        *("bundledependencies", "constraint-dependencies", "default", "dependencies", "dependency-groups", "deps"),
        *("dev", "dev-dependencies", "dev-packages", "devdependencies", "develop", "extras", "extras-require"),
        *("install-requires", "optional-dependencies", "optionaldependencies", "override-dependencies", "overrides"),
        *("package", "packages", "patch", "peerdependencies", "replace", "requirements", "requires", "resolutions"),
        *("setup-requires", "sources", "tests-require", "imports", "catalog"),
    }
)
"""Folded keys below which a build file names what it needs."""
_OWNER = ("project", "package", "metadata", "poetry", "name")
_NESTING = 100
_OPTION = re.compile(r"(?P<option>-[rce]|--(?:requirement|constraint|editable))(?:\s*[= ]\s*|(?<=^-\w))(?P<value>.*)")


@dataclass(frozen=True, kw_only=True)
class Asked:
    """One thing that is asked for."""

    text: str
    names: frozenset[str]
    """Folded."""
    line: int = 0
    """Counted from 1; 0 where the form does not tell."""


@dataclass(frozen=True, kw_only=True)
class Included:
    """Another file (`-r`, `-c`) or a project (`-e`, a folder) that a line sends its reader to."""

    place: str
    project: bool
    line: int = 0


def requirement_lines(text: str) -> Iterator[Asked | Included]:
    """A requirements or constraints file: lines that go on, comments, options, and what they include."""
    number, held, start = 0, "", 1
    for number, line in enumerate([*text.splitlines(), ""], 1):
        start = start if held else number
        if line.endswith("\\"):
            held += line[:-1]
            continue
        whole, held = re.sub(r"(^|\s)#.*", "", held + line).strip(), ""
        option = _OPTION.fullmatch(whole)
        if option:
            yield from _option(option["option"], option["value"].strip().strip("\"'"), start)
        elif whole and not whole.startswith("-"):
            yield Asked(text=whole, names=of_requirement(re.split(r"\s+--\w", whole, maxsplit=1)[0]), line=start)
        elif whole and is_address(whole.rpartition(" ")[2].rpartition("=")[2]):
            continue  # an index, which is nobody's name


def _option(option: str, value: str, line: int) -> Iterator[Asked | Included]:
    project = option in {"-e", "--editable"}
    if project:
        yield Asked(text=value, names=of_requirement(value), line=line)
    if not project or not is_address(value):
        yield Included(place=value, project=project, line=line)


def toml_file(text: str, *, reader: Reader | None = None) -> Iterator[Asked]:
    """pyproject.toml, Pipfile, Cargo.toml, the lock files of poetry, uv, pdm and cargo. Raises `ValueError`."""
    yield from tree(tomllib.loads(text), reader or of_requirement)


def json_file(text: str, *, reader: Reader | None = None) -> Iterator[Asked]:
    """package.json, package-lock.json, Pipfile.lock, composer.json. Raises `ValueError` or `RecursionError`."""
    yield from tree(json.loads(text), reader or of_npm)


def tree(value: Any, reader: Reader, *, inside: bool = False, key: str = "", depth: int = 0) -> Iterator[Asked]:
    """What a parsed build file asks for: keys and texts below the keys that name dependencies, addresses anywhere, and
    whose file it is. `inside`: such a key was seen on the way."""
    if depth > _NESTING:
        raise ValueError(f"nested deeper than {_NESTING}")
    if isinstance(value, dict):
        for name, part in value.items():
            below = inside or folded(name) in DEPENDENCIES
            if inside:
                # `node_modules/@scope/name` in a lock file, `name` elsewhere; an alias carries its name in the text.
                bare = name.rpartition("node_modules/")[2]
                yield Asked(text=name, names=reader(bare))
                if isinstance(part, str) and not is_address(part):
                    yield Asked(
                        text=f"{name}: {part}", names=reader(f"{bare}@{part}") if reader is of_npm else reader(bare)
                    )
            yield from tree(part, reader, inside=below, key=name, depth=depth + 1)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from tree(part, reader, inside=inside, key=key, depth=depth + 1)
    elif isinstance(value, str):
        yield from _text(value, reader, inside=inside, key=key, depth=depth)


def _text(value: str, reader: Reader, *, inside: bool, key: str, depth: int) -> Iterator[Asked]:
    if key == "name" and depth <= 3:
        yield Asked(text=value, names=reader(value))
    elif is_address(value):
        yield Asked(text=value, names=of_address(value))
    elif inside and key not in {"version", "license", "description", "integrity", "checksum"}:
        yield Asked(text=value, names=reader(value))


def cfg_file(text: str) -> Iterator[Asked]:
    """setup.cfg, tox.ini. Raises `ValueError`."""
    parser = configparser.RawConfigParser(strict=False, allow_no_value=True)
    try:
        parser.read_string(text)
    except (configparser.Error, AttributeError) as error:  # the second for a key without a value that goes on
        raise ValueError(str(error)) from error
    for section in parser.sections():
        listed = folded(section.rpartition(".")[2]) in DEPENDENCIES
        for key, value in parser.items(section):
            if listed or folded(key) in DEPENDENCIES or (section == "metadata" and key == "name"):
                for line in (value or "").splitlines():
                    bare = re.sub(r"^[\w{},\-]+\s*:\s+", "", line.strip())  # tox: `env: name`
                    if bare and not bare.startswith(("-", "#")):
                        yield Asked(text=bare, names=of_requirement(bare))


def setup_call(parsed: ast.AST) -> Iterator[Asked]:
    """What a parsed setup.py names: the literals in its dependency arguments, and its own name."""
    for node in ast.walk(parsed):
        if not isinstance(node, ast.Call):
            continue
        for argument in node.keywords:
            if argument.arg and (
                folded(argument.arg) in DEPENDENCIES - {"packages", "package"} or argument.arg == "name"
            ):
                for part in ast.walk(argument.value):
                    if isinstance(part, ast.Constant) and isinstance(part.value, str):
                        for line in part.value.splitlines():
                            yield Asked(text=line, names=of_requirement(line), line=part.lineno)


def go_mod(text: str) -> Iterator[Asked]:
    """go.mod, go.work, go.sum: every path in a line."""
    for number, line in enumerate(text.splitlines(), 1):
        for word in line.partition("//")[0].split():
            if "." in word.partition("/")[0] and "/" in word:
                yield Asked(text=word, names=of_module(word.strip('"')), line=number)


def yarn_lock(text: str) -> Iterator[Asked]:
    """yarn.lock: the heads of its entries."""
    for number, line in enumerate(text.splitlines(), 1):
        if line[:1] not in {"", " ", "#"} and line.rstrip().endswith(":"):
            for spec in line.rstrip().removesuffix(":").split(","):
                bare = spec.strip().strip("\"'")
                yield Asked(text=bare, names=of_npm(bare), line=number)


def yaml_lists(text: str) -> Iterator[Asked]:
    """Lists and maps below a key that names dependencies: environment.yml, pnpm-lock.yaml, pre-commit, CI files."""
    holding: list[int] = []
    for number, line in enumerate(text.splitlines(), 1):
        bare = re.sub(r"(^|\s)#.*", "", line).rstrip()
        body = bare.lstrip()
        if not body:
            continue
        indent = len(bare) - len(body)
        holding = [at for at in holding if indent > at or (indent == at and body.startswith("- "))]
        item = body.removeprefix("- ").strip()
        key, colon, value = (
            item.partition(": ") if ": " in item else (item.removesuffix(":"), ":" * item.endswith(":"), "")
        )
        if holding:
            for spec in filter(None, (key.strip("\"'/"), *_flow(value))):
                conda = re.sub(r"(?<![=<>!~])=(?!=).*", "", spec)
                yield Asked(text=item, names=of_npm(conda) | of_requirement(conda), line=number)
        if colon and folded(key) in DEPENDENCIES:
            holding.append(indent)
            for spec in _flow(value):
                yield Asked(text=item, names=of_npm(spec) | of_requirement(spec), line=number)


def _flow(value: str) -> list[str]:
    return [part.strip().strip("\"'") for part in value.strip().strip("[]").split(",")] if value.strip() else []


_CMAKE = re.compile(
    r"\b(?:find_package|find_library|pkg_check_modules|pkg_search_module|fetchcontent_\w+|externalproject_add|"
    r"cpmaddpackage|cpmfindpackage|add_subdirectory)\s*\(([^()]{0,4000})\)",
    re.IGNORECASE,
)


def cmake_file(text: str) -> Iterator[Asked]:
    """CMakeLists.txt: what is searched, fetched or added."""
    text = re.sub(r"#(?!\[\[).*", "", text)
    for found in _CMAKE.finditer(text):
        line = text.count("\n", 0, found.start()) + 1
        for word in re.split(r"[\s;]+", found[1]):
            bare = word.strip("\"'")
            names = of_address(bare) if is_address(bare) or "/" in bare else of_crate(bare)
            yield Asked(text=f"{found[0][:80]}", names=names, line=line)


def metadata_name(text: str) -> Iterator[Asked]:
    """`Name:` of an installed distribution (METADATA, PKG-INFO)."""
    for number, line in enumerate(text.splitlines()[:200], 1):
        key, colon, value = line.partition(":")
        if not line.strip():
            return
        if colon and key.strip().lower() in {"name", "requires-dist"}:
            yield Asked(text=line.strip(), names=of_requirement(value), line=number)
