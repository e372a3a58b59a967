"""Twins and refusals in a drafted suite: what the nodes of a clause say of where their expected values come from."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

from judge.harness.clauses import TWINS

ROWS = 3
"""A table of values derived by hand has at least so many rows."""


def twin_findings(source: str, *, path: str, clauses: Sequence[str]) -> list[str]:
    """What is missing in a parsed acceptance file, as `path:line: fact`.

    Each clause needs a node that is a twin (`@clause(..., by=...)`, see `judge.harness.clauses`); a twin by rows needs
    rows; a refusal stands beside a success of the same scenario, in the same node, asserted by value.
    """
    tree = ast.parse(source)
    found: list[tuple[int, str]] = []
    twins: set[str] = set()
    for test in tests_of(tree):
        kind = _kind(test)
        if kind and kind not in TWINS:
            found.append((test.lineno, f"{test.name}: there is no twin by {kind!r}: {', '.join(sorted(TWINS))}"))
        if kind:
            twins |= set(cited(test))
        if kind == "rows" and max((*_rows(test, tree), 0)) < ROWS:
            found.append((test.lineno, f"{test.name} is by rows and has fewer than {ROWS} of them"))
        found += [(test.lineno, f"{test.name}: {fact}") for fact in _refusals(test)]
    lone = [
        f"{path}:1: {clause} has no twin: no node that cites it says by=" for clause in clauses if clause not in twins
    ]
    return [*(f"{path}:{line}: {text}" for line, text in sorted(found)), *lone]


def tests_of(tree: ast.Module) -> list[ast.FunctionDef]:
    return [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test")]


def cited(test: ast.FunctionDef) -> Iterator[str]:
    """Ids of the clauses that a test cites."""
    for mark in _marks(test, "clause"):
        yield from (arg.value for arg in mark.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str))


def _kind(test: ast.FunctionDef) -> str:
    kinds = [word.value for mark in _marks(test, "clause") for word in mark.keywords if word.arg == "by"]
    return next((str(kind.value) for kind in kinds if isinstance(kind, ast.Constant)), "")


def _marks(test: ast.FunctionDef, name: str) -> Iterator[ast.Call]:
    for mark in test.decorator_list:
        if isinstance(mark, ast.Call) and ast.unparse(mark.func).rpartition(".")[2] == name:
            yield mark


def _rows(test: ast.FunctionDef, tree: ast.Module) -> Iterator[int]:
    """Lengths of the tables that a test goes through: its parameters, and what it loops over."""
    tables = _constants(tree)
    for part in ast.walk(test):
        if isinstance(part, ast.Assign):
            tables |= {target.id: part.value for target in part.targets if isinstance(target, ast.Name)}
    yield from (_length(mark.args[1], tables) for mark in _marks(test, "parametrize") if len(mark.args) > 1)
    yield from (_length(part.iter, tables) for part in ast.walk(test) if isinstance(part, ast.For | ast.comprehension))


def _constants(tree: ast.Module) -> dict[str, ast.expr]:
    return {
        target.id: part.value
        for part in tree.body
        if isinstance(part, ast.Assign)
        for target in part.targets
        if isinstance(target, ast.Name)
    }


def _length(table: ast.expr, known: Mapping[str, ast.expr]) -> int:
    if isinstance(table, ast.Name) and table.id in known:
        return _length(known[table.id], {name: value for name, value in known.items() if name != table.id})
    if isinstance(table, ast.List | ast.Tuple | ast.Set):
        return sum(_length(item.value, known) if isinstance(item, ast.Starred) else 1 for item in table.elts)
    if isinstance(table, ast.Dict):
        return len(table.keys)
    if isinstance(table, ast.Call) and isinstance(table.func, ast.Attribute) and table.func.attr == "items":
        return _length(table.func.value, known)
    if isinstance(table, ast.Call) and ast.unparse(table.func) in {"enumerate", "zip", "sorted", "list"} and table.args:
        return _length(table.args[0], known)
    return 0


def _refusals(test: ast.FunctionDef) -> Iterator[str]:
    """Scenarios whose error a test looks at, and whose value it does not."""
    seen: dict[str, set[str]] = {"error": set(), "value": set()}
    names = _observations(test)
    for part in ast.walk(test):
        if isinstance(part, ast.Attribute) and part.attr in seen:
            scenarios = {_scenario(part.value)} - {""}
            if isinstance(part.value, ast.Name):
                scenarios |= names.get(part.value.id, set())
            if not scenarios and part.attr == "error" and isinstance(part.value, ast.Name | ast.Call):
                yield f".error on `{ast.unparse(part.value)[:60]}`, which is no result of product.call seen here"
            seen[part.attr] |= scenarios
    for scenario in sorted(seen["error"] - seen["value"]):
        yield f"`{scenario}` is refused and never succeeds beside it: assert .value of a neighbour in the same node"


def _observations(test: ast.FunctionDef) -> dict[str, set[str]]:
    """Variable -> names of the scenarios whose results it holds."""
    found: dict[str, set[str]] = {}
    for part in ast.walk(test):
        if isinstance(part, ast.Assign) and _scenario(part.value):
            for target in part.targets:
                if isinstance(target, ast.Name):
                    found.setdefault(target.id, set()).add(_scenario(part.value))
    return found


def _scenario(node: ast.expr) -> str:
    """The scenario of `product.call("name", ...)`, `product.at(now).call("name", ...)`; empty for anything else."""
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "call"):
        return ""
    first = node.args[0] if node.args else None
    if isinstance(first, ast.Constant) and isinstance(first.value, str):
        return first.value
    return ast.unparse(first) if first is not None else ""
