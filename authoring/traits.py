"""Facts of a source tree that decide whether it can become a task. Files are read as text; nothing is run."""

from __future__ import annotations

import ast
import configparser
import tomllib
import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from email.parser import BytesHeaderParser
from enum import StrEnum
from pathlib import Path

from authoring.inventory import NATIVE, is_pointer
from environments.languages.python.surface import import_roots, is_source, is_test
from taskpack.files import walk

_LARGEST = 2 * 1024 * 1024


class Need(StrEnum):
    """What tests may want that a sandbox without network does not have."""

    NETWORK = "a network"
    DATABASE = "a database server"
    DISPLAY = "a display"
    GPU = "a graphics processor"


NEEDS: Mapping[Need, frozenset[str]] = {
    Need.NETWORK: frozenset(
        {"aiohttp", "boto3", "botocore", "ftplib", "grpc", "httpx", "paramiko", "requests", "smtplib", "urllib3"}
        | {"http.client", "urllib.request", "xmlrpc.client", "socket", "websocket", "websockets", "docker"}
    ),
    Need.DATABASE: frozenset(
        {"MySQLdb", "asyncpg", "cassandra", "cx_Oracle", "elasticsearch", "mysql", "oracledb", "psycopg", "psycopg2"}
        | {"pymongo", "pymssql", "pymysql", "pyodbc", "redis", "clickhouse_driver", "neo4j"}
    ),
    Need.DISPLAY: frozenset(
        {"tkinter", "turtle", "PyQt5", "PyQt6", "PySide2", "PySide6", "gi", "kivy", "pyautogui", "pygame", "pynput"}
        | {"wx", "Xlib", "selenium", "playwright"}
    ),
    Need.GPU: frozenset({"cupy", "pycuda", "numba.cuda", "torch", "tensorflow", "jax", "pyopencl", "triton"}),
}
"""Modules by which a need is seen."""


@dataclass(frozen=True, kw_only=True)
class Traits:
    """What the tree shows."""

    roots: tuple[str, ...]
    """Paths of packages and modules that an installed product offers."""
    tests: tuple[str, ...]
    """Test files."""
    needs: Mapping[Need, Mapping[str, str]]
    """By need: test file -> the module that shows it."""
    native: tuple[str, ...]
    """Compiled or to be compiled, inside the roots."""
    pointers: tuple[str, ...]
    """Files of Git LFS without their content."""
    requires_python: str
    """As the metadata states it; empty when it does not."""


def read_traits(tree: Path) -> Traits:
    """Look through the checked-out source in `tree`."""
    files = [path for path in walk(tree) if path.is_file() and not path.is_symlink()]
    paths = [path.relative_to(tree).as_posix() for path in files]
    roots = tuple(root.path for root in import_roots(paths))
    tests = tuple(path for path in paths if is_source(path) and is_test(path))
    return Traits(
        roots=roots,
        tests=tests,
        needs=_needs({path: _imports(tree / path) for path in tests}),
        native=tuple(path for path in paths if path.endswith(NATIVE) and path.startswith(_below(roots))),
        pointers=tuple(path for path in paths if _is_small(tree / path) and is_pointer((tree / path).read_bytes())),
        requires_python=_requires_python(tree),
    )


def _below(roots: Iterable[str]) -> tuple[str, ...]:
    return tuple(f"{root}/" for root in roots)


def _is_small(path: Path) -> bool:
    return path.stat().st_size < 1024


def _imports(path: Path) -> frozenset[str]:
    """Every module that the file imports anywhere, with each of its parents."""
    if path.stat().st_size > _LARGEST:
        return frozenset()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            parsed = ast.parse(path.read_bytes())
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return frozenset()
    names: set[str] = set()
    for node in ast.walk(parsed):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return frozenset(part for name in names for part in (name, name.partition(".")[0]))


def _needs(imports: Mapping[str, frozenset[str]]) -> dict[Need, dict[str, str]]:
    found: dict[Need, dict[str, str]] = {}
    for need, modules in NEEDS.items():
        seen = {path: min(names & modules) for path, names in imports.items() if names & modules}
        if seen:
            found[need] = seen
    return found


def _requires_python(tree: Path) -> str:
    place = tree / "PKG-INFO"
    if place.is_file():
        stated = BytesHeaderParser().parsebytes(place.read_bytes())["Requires-Python"]
        if stated:
            return str(stated).strip()
    return _from_pyproject(tree / "pyproject.toml") or _from_setup_cfg(tree / "setup.cfg")


def _from_pyproject(path: Path) -> str:
    try:
        project = tomllib.loads(path.read_text("utf-8")).get("project", {})
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError):
        return ""
    stated = project.get("requires-python", "") if isinstance(project, dict) else ""
    return stated.strip() if isinstance(stated, str) else ""


def _from_setup_cfg(path: Path) -> str:
    config = configparser.ConfigParser(interpolation=None)
    try:
        config.read_string(path.read_text("utf-8"))
    except (OSError, configparser.Error, UnicodeDecodeError):
        return ""
    return config.get("options", "python_requires", fallback="").strip()
