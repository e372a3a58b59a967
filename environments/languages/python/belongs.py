"""Which files of a Python project a workspace of its task would hold."""

from __future__ import annotations

import configparser
from collections.abc import Callable
from pathlib import Path, PurePosixPath

from environments.languages.python.surface import is_test

_SOURCES = frozenset({"src", "lib"})
_TESTS = frozenset({"tests", "test"})
_BUILD = frozenset({"pyproject.toml", "setup.py", "setup.cfg", "MANIFEST.in", "conftest.py"})
_PYTEST = frozenset({"pytest.ini", ".pytest.ini", "pytest.toml", ".pytest.toml"})
_NEVER = frozenset({".git", "__pycache__", ".tox", ".venv", "node_modules"})


def belongs(tree: Path) -> Callable[[str], bool]:
    """Which files of the pin are in the reference, and are there when its tests run: what builds it and what tests it.

    In: `src/` or `lib/`, else packages and modules at the root; `tests/` or `test/`, and test files at the root; build
    manifests; files that configure pytest. Out, and all else: licence, README, documentation, images,
    requirement pins, change log.
    """
    layout = any((tree / folder).is_dir() for folder in _SOURCES)
    tox = _configures_pytest(tree / "tox.ini")

    def keep(name: str) -> bool:
        parts = PurePosixPath(name).parts
        if _NEVER & set(parts) or name.endswith(".pyc"):
            return False
        if len(parts) == 1:
            code = name.endswith(".py") and (not layout or is_test(name))
            return code or name in _BUILD | _PYTEST or (name == "tox.ini" and tox)
        root = parts[0]
        return root in _SOURCES | _TESTS or (not layout and (tree / root / "__init__.py").is_file())

    return keep


def product_paths(root: Path) -> tuple[str, ...]:
    """Folders of a workspace that belong on the import path."""
    return ("src",) if (root / "src").is_dir() else ("lib",) if (root / "lib").is_dir() else (".",)


def _configures_pytest(path: Path) -> bool:
    parser = configparser.RawConfigParser(strict=False)
    try:
        return path.is_file() and bool(parser.read(path, "utf-8")) and parser.has_section("pytest")
    except (configparser.Error, UnicodeDecodeError):
        return False
