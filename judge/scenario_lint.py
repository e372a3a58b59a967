"""Rules for scenario files: code that only takes data to the product and brings raw data back."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from judge.parsing import NotParsed, parse_source

_LINES = 15
_FORBIDDEN_NAMES = frozenset({"sys", "os", "eval", "exec", "compile", "globals", "locals", "vars"})
COMPARISONS = {
    "__eq__": "eq",
    "__ne__": "ne",
    "__lt__": "lt",
    "__le__": "le",
    "__gt__": "gt",
    "__ge__": "ge",
    "__contains__": "contains",
}
"""Operators that a product may define, and the functions of `operator` through which a scenario uses them."""
_TO_BOOLEAN = frozenset({"bool", "isinstance", "issubclass", "hasattr", "callable", "any", "all"})
_CONTAINERS = (ast.List, ast.Tuple, ast.Set)

_STATEMENTS: dict[type[ast.AST], str] = {
    ast.Compare: "a comparison: what is right is decided on the bench",
    ast.Match: "a match: what is right is decided on the bench",
    ast.Try: "a try: an error must reach the bench",
    ast.TryStar: "a try: an error must reach the bench",
    ast.Assert: "an assert: what is right is decided on the bench",
    ast.Global: "state that outlives the call",
    ast.BoolOp: "and/or: booleans come straight from the product",
}


def lint_scenarios(source: str, path: str, *, allowed_roots: Collection[str]) -> list[str]:
    """What is wrong with a scenario file, each as `path:line: text`; empty when it keeps all rules.

    `allowed_roots` are the product's import roots and libraries, the only imports there may be. `operator` among them
    is for operators that the product defines. Nothing in `source` makes it raise.
    """
    tree = parse_source(source)
    if isinstance(tree, NotParsed):
        return [f"{path}:{tree.line}: {tree.why}"]
    found = [*_top_level(tree), *_everywhere(tree, allowed_roots)]
    reached = {alias.asname or alias.name.partition(".")[0] for alias in _aliases(tree)}
    reached |= {other.name for other in tree.body if isinstance(other, ast.FunctionDef)}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            found += _function(node)
            used = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
            if not used & reached:
                found.append((node.lineno, f"{node.name} does not use the product"))
    return [f"{path}:{line}: {text}" for line, text in sorted(set(found))]


Found = tuple[int, str]


def _aliases(tree: ast.Module) -> list[ast.alias]:
    return [alias for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom) for alias in node.names]


def _top_level(tree: ast.Module) -> Iterator[Found]:
    names: set[str] = set()
    for number, node in enumerate(tree.body):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            if node.name in names:
                yield node.lineno, f"a second function {node.name}"
            names.add(node.name)
        elif not (isinstance(node, ast.Import | ast.ImportFrom) or (number == 0 and _is_docstring(node))):
            yield node.lineno, "only imports and functions stand at the top"
    if not any(not name.startswith("_") for name in names):
        yield 1, "no function to call"


def _everywhere(tree: ast.Module, allowed_roots: Collection[str]) -> Iterator[Found]:
    for node in ast.walk(tree):
        text = _STATEMENTS.get(type(node))
        if text:
            yield getattr(node, "lineno", 1), text
        yield from _imports(node, allowed_roots)
        yield from _names(node)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            yield node.lineno, "not: booleans come straight from the product"


def _imports(node: ast.AST, allowed_roots: Collection[str]) -> Iterator[Found]:
    if isinstance(node, ast.Import):
        modules = [alias.name for alias in node.names]
    elif isinstance(node, ast.ImportFrom):
        modules = ["." * node.level + (node.module or "")]
        if any(alias.name == "*" for alias in node.names):
            yield node.lineno, "an import of everything"
    else:
        return
    if "operator" in modules and (isinstance(node, ast.ImportFrom) or any(alias.asname for alias in node.names)):
        yield node.lineno, "import operator as a whole and by its name: what is used of it shall be seen"
    for module in modules:
        if module.partition(".")[0] not in allowed_roots:
            yield node.lineno, f"import of {module}: only {', '.join(sorted(allowed_roots))} may be imported"


def _names(node: ast.AST) -> Iterator[Found]:
    name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
    line = getattr(node, "lineno", 1)
    if name.startswith("__") and name.endswith("__"):
        yield line, f"{name}: a product is used through its public names"
    elif isinstance(node, ast.Name) and name in _FORBIDDEN_NAMES:
        yield line, f"{name}: a scenario only uses the product"
    elif _is_of_operator(node) and name not in COMPARISONS.values():
        yield line, f"operator.{name}: only {', '.join(COMPARISONS.values())}, for operators of the product"
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _TO_BOOLEAN:
        yield node.lineno, f"{node.func.id}(): booleans come straight from the product"


def _is_of_operator(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "operator"


def _function(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[Found]:
    lines = (function.end_lineno or function.lineno) - function.lineno + 1
    if lines > _LINES:
        yield function.lineno, f"{function.name} has {lines} lines; {_LINES} are allowed"
    for node in _own_nodes(function):
        if isinstance(node, ast.Raise):
            yield node.lineno, "a raise: an error comes from the product, or from a callback given to it"
        if isinstance(node, ast.Return | ast.Yield) and node.value is not None:
            if _is_made_up(node.value):
                yield node.lineno, "a constant or formatted text is returned: return what the product gave"
            for part in _shown_parts(node.value):
                if isinstance(part, ast.Constant) and isinstance(part.value, bool):
                    yield node.lineno, "a boolean is made up: booleans come straight from the product"


def _own_nodes(function: ast.AST) -> Iterator[ast.AST]:
    """Nodes of a function without those of functions inside it: callbacks have rules of their own."""
    for child in ast.iter_child_nodes(function):
        if not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            yield child
            yield from _own_nodes(child)


def _is_made_up(value: ast.expr) -> bool:
    if isinstance(value, _CONTAINERS):
        return all(_is_made_up(item) for item in value.elts)
    if isinstance(value, ast.Dict):
        return all(_is_made_up(item) for item in value.values)
    if isinstance(value, ast.UnaryOp):
        return _is_made_up(value.operand)
    if isinstance(value, ast.BinOp):
        return _is_made_up(value.left) and _is_made_up(value.right)
    return isinstance(value, ast.Constant | ast.JoinedStr)


def _shown_parts(value: ast.expr | None) -> Iterator[ast.expr]:
    """What is part of the returned value itself, and not an argument on the way there."""
    if isinstance(value, _CONTAINERS):
        for item in value.elts:
            yield from _shown_parts(item)
    elif isinstance(value, ast.Dict):
        for item in value.values:
            yield from _shown_parts(item)
    elif isinstance(value, ast.IfExp):
        yield from _shown_parts(value.body)
        yield from _shown_parts(value.orelse)
    elif value is not None:
        yield value


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
