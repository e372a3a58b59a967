"""What the tests of a Python source use besides the product, read from their text."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from authoring.guesses.guess import Stated
from environments.languages.python.surface import import_roots, is_test

_LONGEST = 2 * 1024 * 1024


@dataclass(frozen=True, kw_only=True)
class TestUses:
    """Modules from outside and fixtures, each with the first line that uses it."""

    __test__ = False

    modules: tuple[Stated, ...]
    """Top-level names, in the order of first use."""
    optional: tuple[Stated, ...]
    """Names that are only tried: the tests do without them."""
    fixtures: tuple[Stated, ...]
    """Parameters of tests and fixtures: pytest or a plugin fills those that the tests do not define."""
    files: tuple[str, ...]
    """Files that parse and are named as ones that hold tests, sorted."""


def read_test_uses(tree: Path) -> TestUses:
    """Imports and parameters of the test files in `tree`; those that do not parse are left out."""
    paths = sorted(path for path in tree.rglob("*.py") if path.is_file() and not path.is_symlink())
    names = [path.relative_to(tree).as_posix() for path in paths]
    tests = [name for name in names if is_test(name)]
    inner = _inner(names, tests)
    needed: dict[str, Stated] = {}
    tried: dict[str, Stated] = {}
    fixtures: dict[str, Stated] = {}
    parsed: list[str] = []
    for name in tests:
        module = _parse(tree / name)
        if module is None:
            continue
        parsed.append(name)
        for imported, line, optional in [*_imports(module.body, optional=False), *_skippers(module)]:
            if imported not in inner and imported not in sys.stdlib_module_names:
                place = tried if optional else needed
                place.setdefault(imported, Stated(text=f"import {imported}", where=f"{name}:{line}"))
        for parameter, line in _parameters(module):
            fixtures.setdefault(parameter, Stated(text=parameter, where=f"{name}:{line}"))
    return TestUses(
        modules=tuple(needed.values()),
        optional=tuple(stated for imported, stated in tried.items() if imported not in needed),
        fixtures=tuple(fixtures.values()),
        files=tuple(name for name in parsed if _holds_tests(name)),
    )


def _inner(names: list[str], tests: list[str]) -> frozenset[str]:
    """Names that the tree itself offers to its tests: the product, folders at the root, modules beside tests."""
    roots = {root.name for root in import_roots(names)}
    tops = {name.partition("/")[0].removesuffix(".py") for name in names}
    beside = {part.removesuffix(".py") for name in tests for part in name.split("/")}
    return frozenset(roots | tops | beside)


def _parse(path: Path) -> ast.Module | None:
    if path.stat().st_size > _LONGEST:
        return None
    try:
        return ast.parse(path.read_bytes())
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _imports(body: list[ast.stmt], *, optional: bool) -> Iterator[tuple[str, int, bool]]:
    """Top-level names with lines; optional inside functions and `try`, and for type checkers alone.

    What a test makes itself is imported inside it; what else is missing there, a run will show.
    """
    for node in body:
        if isinstance(node, ast.Import):
            yield from ((alias.name.partition(".")[0], node.lineno, optional) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.module.partition(".")[0], node.lineno, optional
        for name, inner in ast.iter_fields(node):
            if isinstance(inner, list) and inner and isinstance(inner[0], (ast.stmt, ast.ExceptHandler)):
                tried = isinstance(node, (ast.Try, ast.TryStar)) and bool(node.handlers)
                typing = isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test) and name == "body"
                blocks = [each for each in inner if isinstance(each, ast.stmt)]
                blocks += [each for handler in inner if isinstance(handler, ast.ExceptHandler) for each in handler.body]
                inside = isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
                yield from _imports(blocks, optional=optional or tried or typing or inside)


def _skippers(module: ast.Module) -> Iterator[tuple[str, int, bool]]:
    """Modules without which pytest is told to skip."""
    for call in (node for node in ast.walk(module) if isinstance(node, ast.Call)):
        if isinstance(call.func, ast.Attribute) and call.func.attr == "importorskip" and call.args:
            first = call.args[0]
            if isinstance(first, ast.Constant) and isinstance(first.value, str):
                yield first.value.partition(".")[0], call.lineno, True


def _parameters(module: ast.Module) -> Iterator[tuple[str, int]]:
    """Parameters of functions that pytest calls."""
    for node in ast.walk(module):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            fixture = any("fixture" in ast.unparse(decorator) for decorator in node.decorator_list)
            if node.name.startswith("test") or fixture:
                yield from ((argument.arg, node.lineno) for argument in node.args.args)


def _holds_tests(name: str) -> bool:
    file = name.rpartition("/")[2]
    return file.startswith("test") or file.endswith(("_test.py", "_tests.py"))
