"""Whole-file rewrites of Python source: the same behaviour in other words, or no behaviour at all."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

from tree_sitter import Node

from environments.languages.python.syntax import enclosing, parse, text

Function = ast.FunctionDef | ast.AsyncFunctionDef
N = TypeVar("N", bound=ast.AST)

_RUN_BY_IMPORT = frozenset(
    {"__init_subclass__", "__set_name__", "__class_getitem__", "__prepare__", "__mro_entries__"}
    | {"__getattr__", "__dir__", "__hash__"}
)


def commented(source: bytes) -> bytes:
    """The same file with one more comment at its end."""
    gap = b"" if not source or source.endswith(b"\n") else b"\n"
    return source + gap + b"# Nothing but this line was added.\n"


def relaid(source: bytes) -> bytes:
    """The same statements in another layout: no comments, other quotes, brackets and line breaks."""
    return (ast.unparse(ast.parse(source)) + "\n").encode()


def with_bodies(source: bytes, statement: str, *, keep: frozenset[str], dunders: bool) -> bytes:
    """Put `statement` before the body of every public function and method; nothing after it is reached.

    `keep` names functions and classes that stay whole (see `run_by_import`); `dunders` takes special
    methods in.
    """
    places: list[tuple[int, bytes]] = []
    for node in _definitions(parse(source)):
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name is None or body is None or not _is_public(text(name).decode(), dunders=dunders):
            continue
        around = enclosing(node)
        if keep & {text(name).decode(), *around.split(".")}:
            continue
        line_start = source.rfind(b"\n", 0, body.start_byte) + 1
        one_line = bool(source[line_start : body.start_byte].strip())
        gap = "; " if one_line else "\n" + " " * body.start_point[1]
        places.append((body.start_byte, (statement + gap).encode()))
    for start, added in sorted(places, reverse=True):
        source = source[:start] + added + source[start:]
    return source


def run_by_import(files: Mapping[str, bytes]) -> frozenset[str]:
    """Names that importing the product calls: decorators, calls at module or class level, metaclasses."""
    names: set[str] = set()
    trees = [ast.parse(source) for source in files.values()]
    own = {node.name for tree in trees for node in ast.walk(tree) if isinstance(node, Function | ast.ClassDef)}
    for tree in trees:
        for node in _at_import(tree):
            if isinstance(node, ast.Call) and _base(node.func) in own:
                names.update({_base(node.func), _last(node.func)})
            elif isinstance(node, Function | ast.ClassDef):
                names.update(_last(decorator) for decorator in node.decorator_list)
            if isinstance(node, ast.ClassDef) and any(_last(base).endswith(("type", "Meta")) for base in node.bases):
                names.add(node.name)
    return frozenset(names & own)


def reordered(source: bytes) -> bytes:
    """The same definitions, every run of plain functions or methods in reverse order."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef):
            node.body = list(_reversed_runs(node.body))
    return (ast.unparse(tree) + "\n").encode()


def renamed(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """The same files with other names for private module functions and for local variables.

    A private name that is seen as an attribute, a keyword, a parameter or a string anywhere stays as it is.
    """
    trees = {path: ast.parse(source) for path, source in files.items()}
    table = {name: f"{name}_again" for name in _private_functions(list(trees.values()))}
    for tree in trees.values():
        _Renaming(table).visit(tree)
        for node in ast.walk(tree):
            if isinstance(node, Function) and _is_plain_scope(node):
                _Renaming({name: f"{name}_here" for name in _locals(node)}).visit(node)
    return {path: (ast.unparse(tree) + "\n").encode() for path, tree in trees.items()}


def _definitions(root: Node) -> Iterator[Node]:
    """Functions of modules and classes; those inside functions are left out."""
    stack = [root]
    while stack:
        node = stack.pop()
        if node.type == "function_definition":
            yield node
        elif node.type != "lambda":
            stack.extend(reversed(node.named_children))


def _is_public(name: str, *, dunders: bool) -> bool:
    if name.startswith("__") and name.endswith("__"):
        return dunders and name not in _RUN_BY_IMPORT
    return not name.startswith("_")


def _last(node: ast.expr) -> str:
    if isinstance(node, ast.Call):
        node = node.func
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _base(node: ast.expr) -> str:
    """`a` for `a.b.c`, `a` and `a().b`; empty for anything else."""
    while isinstance(node, ast.Attribute | ast.Call):
        node = node.value if isinstance(node, ast.Attribute) else node.func
    return node.id if isinstance(node, ast.Name) else ""


def _at_import(node: ast.AST) -> Iterator[ast.AST]:
    """Nodes that run when the module is imported: everything but the bodies of functions."""
    for child in ast.iter_child_nodes(node):
        yield child
        if isinstance(child, Function):
            for part in (*child.decorator_list, *child.args.defaults, *child.args.kw_defaults):
                if part is not None:
                    yield from ast.walk(part)
        elif not isinstance(child, ast.Lambda):
            yield from _at_import(child)


def _reversed_runs(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    for plain, run in itertools.groupby(body, key=_is_movable):
        members = list(run)
        names = {node.name for node in members if isinstance(node, Function)}
        free = plain and len(names) == len(members) and not names & set(_used_in_headers(members))
        yield from reversed(members) if free else members


def _is_movable(node: ast.stmt) -> bool:
    return isinstance(node, Function) and not node.decorator_list


def _used_in_headers(members: Sequence[ast.stmt]) -> Iterator[str]:
    for node in members:
        if isinstance(node, Function):
            for part in (node.args, node.returns):
                if part is not None:
                    yield from (name.id for name in ast.walk(part) if isinstance(name, ast.Name))


def _private_functions(trees: Sequence[ast.Module]) -> set[str]:
    names = {
        node.name
        for tree in trees
        for node in tree.body
        if isinstance(node, Function) and node.name.startswith("_") and not node.name.endswith("__")
    }
    for node in itertools.chain.from_iterable(ast.walk(tree) for tree in trees):
        names -= _fixed_by(node)
    return names


def _fixed_by(node: ast.AST) -> set[str]:
    """Names that `node` mentions in a way that a renaming of variables does not reach."""
    match node:
        case ast.Attribute(attr=name):
            return {name}
        case ast.arg(arg=name) | ast.keyword(arg=str(name)) | ast.Constant(value=str(name)):
            return {name}
        case ast.alias(asname=str(name)):
            return {name}
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            return {name}
        case ast.Global(names=names) | ast.Nonlocal(names=names):
            return set(names)
        case _:
            return set()


_LOOKS_AT_NAMES = frozenset({"locals", "vars", "eval", "exec", "globals", "dir"})


def _is_plain_scope(node: Function) -> bool:
    """Whether renaming the function's variables cannot be seen from outside."""
    inner = list(itertools.islice(ast.walk(node), 1, None))
    if any(isinstance(child, ast.ClassDef | Function | ast.Import | ast.ImportFrom) for child in inner):
        return False
    return not any(isinstance(child, ast.Name) and child.id in _LOOKS_AT_NAMES for child in inner)


def _locals(node: Function) -> set[str]:
    inner = list(ast.walk(node))
    stored = {child.id for child in inner if isinstance(child, ast.Name) and isinstance(child.ctx, ast.Store)}
    for child in inner:
        if not isinstance(child, ast.Attribute | ast.keyword | ast.Constant):
            stored -= _fixed_by(child)
    return {name for name in stored if not name.startswith("__")}


class _Renaming(ast.NodeTransformer):
    """Renames variables, definitions and what is imported from the product's own modules."""

    def __init__(self, table: Mapping[str, str]) -> None:
        self.table = table

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.copy_location(ast.Name(id=self.table.get(node.id, node.id), ctx=node.ctx), node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.name = self.table.get(node.name, node.name)
        return self.generic_visit(node)

    def visit_alias(self, node: ast.alias) -> ast.alias:
        node.name = self.table.get(node.name, node.name)
        return node
