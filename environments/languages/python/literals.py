"""Named values of a Python product: text and bytes in its source that are behaviour. Nothing is imported or run."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

SHORTEST = 2
"""Characters: a shorter text stands in every document by chance."""


@dataclass(frozen=True, kw_only=True)
class NamedLiteral:
    """A text or byte string that a caller can meet."""

    value: str
    """Bytes are read as Latin-1."""
    line: int
    role: str
    """What makes it behaviour: `default`, `attribute`, `compared`, `joined`."""


def named_literals(source: bytes) -> tuple[NamedLiteral, ...]:
    """Defaults of parameters, values of class and module attributes, what is compared and what is joined to other
    text, by line; each value once.

    Docstrings, annotations, messages of errors and warnings, and names with underscores at both ends are left out.
    A source that does not parse gives none.
    """
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return ()
    found: dict[str, NamedLiteral] = {}
    for role, node in sorted(_places(tree), key=lambda place: place[1].lineno):
        text = _text(node)
        if len(text) >= SHORTEST and not (text.startswith("__") and text.endswith("__")):
            found.setdefault(text, NamedLiteral(value=text, line=node.lineno, role=role))
    return tuple(sorted(found.values(), key=lambda each: (each.line, each.value)))


def _text(node: ast.Constant) -> str:
    value = node.value
    return value.decode("latin-1") if isinstance(value, bytes) else value if isinstance(value, str) else ""


def _places(node: ast.AST, *, at_top: bool = True) -> Iterator[tuple[str, ast.Constant]]:
    """Constants with what makes them behaviour, below `node`."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Raise) or _warns(child) or _is_type_variable(child):
            continue
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            yield from _constants("default", [*child.args.defaults, *filter(None, child.args.kw_defaults)])
            body = child.body if isinstance(child.body, list) else [child.body]
            for part in body:
                yield from _places(ast.Module(body=[part], type_ignores=[]), at_top=False)  # type: ignore[list-item]
            continue
        if at_top and isinstance(child, ast.Assign | ast.AnnAssign) and child.value is not None:
            yield from _constants("attribute", [child.value])
        elif isinstance(child, ast.Compare):
            yield from _constants("compared", [child.left, *child.comparators])
        elif isinstance(child, ast.BinOp) and isinstance(child.op, ast.Add):
            yield from _constants("joined", [child.left, child.right])
        if not isinstance(child, ast.expr_context):
            yield from _places(child, at_top=at_top and isinstance(child, ast.ClassDef | ast.If))


def _constants(role: str, nodes: list[ast.expr]) -> Iterator[tuple[str, ast.Constant]]:
    for node in nodes:
        if isinstance(node, ast.Constant):
            yield role, node
        elif isinstance(node, ast.Tuple | ast.List | ast.Set):
            yield from _constants(role, node.elts)
        elif isinstance(node, ast.Dict):
            yield from _constants(role, [*filter(None, node.keys), *node.values])


def _warns(node: ast.AST) -> bool:
    call = node.value if isinstance(node, ast.Expr) else None
    return isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr.startswith("warn")


def _is_type_variable(node: ast.AST) -> bool:
    call = node.value if isinstance(node, ast.Assign) else None
    name = call.func if isinstance(call, ast.Call) else None
    return isinstance(name, ast.Attribute | ast.Name) and ast.unparse(name).endswith("TypeVar")
