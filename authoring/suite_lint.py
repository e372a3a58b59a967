"""What a hidden test file may not do, found by parsing. Execution decides the rest."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Sequence

from judge.parsing import NotParsed, parse_source, shown

_OURS = {"judge", "pytest"}
_UNSTEADY = {
    "time",
    "datetime.now",
    "random",
    "uuid",
    "secrets",
    "socket",
    "urllib",
    "subprocess",
    "os",
    "sys",
    "threading",
}
_MARKS = {"skip", "skipif", "xfail", "usefixtures", "flaky"}


def lint_tests(source: str, *, path: str, helpers: Sequence[str], product: str) -> list[str]:
    """Problems of a test or helper file as `path:line: fact`. `helpers` are modules that it may import.

    Nothing in `source` makes it raise.
    """
    tree = parse_source(source)
    if isinstance(tree, NotParsed):
        return [f"{path}:{tree.line}: {tree.why}"]
    found = [*_imports(tree, helpers, product), *_calls(tree), *_comparisons(tree)]
    if path.endswith("_acceptance.py"):
        found += _nodes(tree)
    else:
        found += [(node.lineno, f"{node.name} would be collected: helpers hold no test") for node in _tests(tree)]
    return [f"{path}:{line}: {text}" for line, text in sorted(found)]


def _imports(tree: ast.Module, helpers: Sequence[str], product: str) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module or ""]
        else:
            continue
        for name in names:
            root = name.partition(".")[0]
            if root == product:
                yield node.lineno, "imports the product: reach it through product.call"
            elif root in _UNSTEADY:
                yield (
                    node.lineno,
                    f"imports {root}: inputs come from the `inputs` fixture, nothing else varies",
                )
            elif root not in _OURS and root not in helpers and root not in sys.stdlib_module_names:
                yield node.lineno, f"imports {name}, which is not on the bench"


def _calls(tree: ast.Module) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in _MARKS and _names_pytest(node):
            yield node.lineno, f"pytest {node.attr} is not allowed: each node runs and passes"
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in {"print", "exec", "eval", "open"}
        ):
            yield node.lineno, f"calls {node.func.id}"


def _names_pytest(node: ast.expr) -> bool:
    """Whether any word in an expression holds `pytest`."""
    return any(
        isinstance(value, str) and "pytest" in value for part in ast.walk(node) for _, value in ast.iter_fields(part)
    )


def _comparisons(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """`seen.value == x` blurs types; `same` does not."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Compare) or not any(isinstance(op, ast.Eq | ast.NotEq) for op in node.ops):
            continue
        for side in (node.left, *node.comparators):
            if isinstance(side, ast.Attribute) and side.attr in {"value", "attrs", "message"}:
                yield node.lineno, f"bare == on `{shown(side)}`: use same(...)"


def _tests(tree: ast.Module) -> list[ast.FunctionDef]:
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name.startswith("test")]


def _nodes(tree: ast.Module) -> Iterator[tuple[int, str]]:
    names: set[str] = set()
    for node in _tests(tree):
        if node.name in names:
            yield node.lineno, f"{node.name} is defined twice: the first one is lost"
        names.add(node.name)
        if not any(_is_clause(mark) for mark in node.decorator_list):
            yield node.lineno, f"{node.name} has no @clause"
        if not any(isinstance(inner, ast.Assert) for inner in ast.walk(node)):
            yield node.lineno, f"{node.name} asserts nothing"


def _is_clause(mark: ast.expr) -> bool:
    return isinstance(mark, ast.Call) and isinstance(mark.func, ast.Name) and mark.func.id == "clause"
