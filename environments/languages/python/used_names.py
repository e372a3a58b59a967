"""Names of a product that other code leans on, and names that a product makes. Sources are read, nothing is run."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator


def made_names(source: bytes) -> frozenset[str]:
    """Public names that a module makes: functions, classes, parameters, variables, attributes set on anything."""
    return frozenset(name for name in _made(ast.parse(source)) if not name.startswith("_"))


def _made(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.id if isinstance(node, ast.Name) else node.attr


def leaned_on(source: str, *, product: str) -> frozenset[tuple[str, str]]:
    """(what, name) that a scenario file uses: modules and names imported from `product`, attributes, keywords.

    Attributes that text, bytes, numbers and containers have anyway are left out, and keywords of the language's own
    functions, as in `sorted(rows, key=first)`.
    """
    return frozenset(_used(ast.parse(source), product))


def _used(tree: ast.Module, product: str) -> Iterator[tuple[str, str]]:
    others = set(dir(builtins)) - _own(tree, product)
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == product:
            yield "module", node.module or ""
            yield from (("import", alias.name) for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (("module", alias.name) for alias in node.names if alias.name.partition(".")[0] == product)
        elif isinstance(node, ast.Attribute) and node.attr not in _COMMON:
            yield "attribute", node.attr
        elif isinstance(node, ast.Call) and not (isinstance(node.func, ast.Name) and node.func.id in others):
            yield from (("keyword", keyword.arg) for keyword in node.keywords if keyword.arg)


def _own(tree: ast.Module, product: str) -> set[str]:
    """Names that the file binds to something of the product, whatever the language calls so."""
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    ours = [node for node in imports if (node.module or "").partition(".")[0] == product]
    return {alias.asname or alias.name for node in ours for alias in node.names}


_COMMON = frozenset(name for kind in (str, bytes, int, float, list, dict, set, tuple, bytearray) for name in dir(kind))
