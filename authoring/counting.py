"""How many tests a suite really has: functions that differ by more than names and constants."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Mapping


def distinct_tests(sources: Mapping[str, str]) -> int:
    """Test functions over all `sources` (name -> text of acceptance files) whose normalised syntax trees differ.

    A table of parameters counts once, as it is one function. Names that the function itself makes, constants, and
    decorators are normalised away: two tests that differ in their sample alone count once. The scenario that is
    called, and helpers, are what a test is about and stay.
    """
    return len({shape for text in sources.values() for shape in _shapes(text)})


def _shapes(text: str) -> list[str]:
    tree = ast.parse(text)
    tests = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test")]
    return [_shape(test) for test in tests]


def _shape(test: ast.FunctionDef) -> str:
    made = {node.id for node in ast.walk(test) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    made |= {argument.arg for argument in ast.walk(test) if isinstance(argument, ast.arg)}
    body = [part for part in test.body if not _is_docstring(part)]
    normal = _Normal(made - set(dir(builtins)))
    return "\n".join(ast.dump(normal.visit(part)) for part in body)


class _Normal(ast.NodeTransformer):
    """Own names become numbers in the order of their appearance; constants become their types."""

    def __init__(self, made: set[str]) -> None:
        self._made = made
        self._numbers: dict[str, int] = {}

    def visit_Name(self, node: ast.Name) -> ast.Name:
        if node.id in self._made:
            node.id = f"name {self._numbers.setdefault(node.id, len(self._numbers))}"
        return node

    def visit_Call(self, node: ast.Call) -> ast.Call:
        scenario = (
            node.args[0] if isinstance(node.func, ast.Attribute) and node.func.attr == "call" and node.args else None
        )
        kept = scenario.value if isinstance(scenario, ast.Constant) else None
        self.generic_visit(node)
        if isinstance(scenario, ast.Constant):
            scenario.value = kept
        return node

    def visit_Constant(self, node: ast.Constant) -> ast.Constant:
        node.value = type(node.value).__name__
        return node


def _is_docstring(part: ast.stmt) -> bool:
    return isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant)
