"""One Python module as definitions and imports, and a definition as symbols. Following names is left to `surface`."""

from __future__ import annotations

import ast
import tokenize
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from taskpack.survey import Symbol, SymbolKind

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, kw_only=True)
class Definition:
    """A name bound at the top of a module."""

    name: str
    node: FunctionNode | ast.ClassDef | ast.stmt
    line: int

    @property
    def is_form(self) -> bool:
        """Whether it is something to call or raise, or a constant: other bindings are working material."""
        if isinstance(self.node, FunctionNode | ast.ClassDef | ast.AnnAssign):
            return True
        return self.name.isupper()


@dataclass(kw_only=True)
class Module:
    """What a module's source binds."""

    root: str
    name: str
    """Dotted, from the import root; empty for the root."""
    path: str
    is_package: bool
    definitions: dict[str, Definition] = field(default_factory=dict)
    imports: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Local name -> module below the root, name there. A module outside has `=` before its name."""
    stars: list[str] = field(default_factory=list)
    all_names: tuple[str, ...] | None = None


def is_public(name: str) -> bool:
    return not name.startswith("_")


def parse_module(file: Path, *, root: str, name: str, path: str, is_package: bool) -> Module | None:
    """The module, or None when it is not Python of this interpreter's grammar."""
    try:
        with tokenize.open(file) as stream, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(stream.read())
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    module = Module(root=root, name=name, path=path, is_package=is_package)
    for node in _statements(tree.body):
        _bind(module, node)
    return module


def _statements(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """Statements that run on import, also those below `if` and `try`; what only a type checker sees is left out."""
    for node in body:
        if isinstance(node, ast.If):
            if "TYPE_CHECKING" not in ast.unparse(node.test):
                yield from _statements(node.body)
            yield from _statements(node.orelse)
        elif isinstance(node, ast.Try):
            handlers = [statement for handler in node.handlers for statement in handler.body]
            yield from _statements([*node.body, *node.orelse, *handlers, *node.finalbody])
        elif isinstance(node, ast.With):
            yield from _statements(node.body)
        else:
            yield node


def _bind(module: Module, node: ast.stmt) -> None:
    if isinstance(node, FunctionNode):
        if not _is_overload(node):
            module.definitions.setdefault(node.name, Definition(name=node.name, node=node, line=node.lineno))
    elif isinstance(node, ast.ClassDef):
        module.definitions.setdefault(node.name, Definition(name=node.name, node=node, line=node.lineno))
    elif isinstance(node, ast.ImportFrom):
        source = _source(module, node)
        for alias in node.names:
            if alias.name == "*":
                module.stars.append(source)
            else:
                module.imports.setdefault(alias.asname or alias.name, (source, alias.name))
    else:
        for name in _assigned(node):
            if name == "__all__":
                _extend_all(module, node)
            module.definitions.setdefault(name, Definition(name=name, node=node, line=node.lineno))


def _source(module: Module, node: ast.ImportFrom) -> str:
    """The imported module, dotted from the root when it lies below it."""
    if node.level == 0:
        first, _, rest = (node.module or "").partition(".")
        return rest if first == module.root else f"={node.module}"
    here = module.name.split(".") if module.name else []
    if not module.is_package:
        here = here[:-1]
    up = node.level - 1
    if up > len(here):
        return f"={'.' * node.level}{node.module or ''}"
    return ".".join([*here[: len(here) - up], *(node.module.split(".") if node.module else [])])


def _assigned(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, ast.Assign):
        targets: Sequence[ast.expr] = node.targets
    elif isinstance(node, ast.AnnAssign | ast.AugAssign):
        targets = [node.target]
    else:
        return
    for target in targets:
        parts = target.elts if isinstance(target, ast.Tuple | ast.List) else [target]
        yield from (part.id for part in parts if isinstance(part, ast.Name))


def _extend_all(module: Module, node: ast.stmt) -> None:
    """`__all__` as far as it is written out as text."""
    value = getattr(node, "value", None)
    if isinstance(value, ast.List | ast.Tuple):
        names = [item.value for item in value.elts if isinstance(item, ast.Constant) and isinstance(item.value, str)]
        module.all_names = (*(module.all_names or ()), *names)


def definition_symbol(name: str, path: str, definition: Definition, *, exported: bool, is_exception: bool) -> Symbol:
    """The symbol of a function, a class, an exception or a constant."""
    node = definition.node
    if isinstance(node, ast.ClassDef):
        kind, signature = SymbolKind.EXCEPTION if is_exception else SymbolKind.CLASS, _class_line(node)
    elif isinstance(node, FunctionNode):
        kind, signature = SymbolKind.FUNCTION, _function_line(node)
    else:
        kind, signature = SymbolKind.ATTRIBUTE, ""
    bases = tuple(ast.unparse(base) for base in node.bases) if isinstance(node, ast.ClassDef) else ()
    return Symbol(
        name=name,
        kind=kind,
        signature=signature,
        bases=bases,
        path=path,
        line=definition.line,
        exported=exported,
    )


def class_symbols(name: str, path: str, node: ast.ClassDef, *, exported: bool) -> Iterator[Symbol]:
    """Methods and attributes that the class itself defines, in the order of the source; inherited ones are
    not repeated.

    Special methods count as public. What `__init__` puts on the object counts as an attribute.
    """
    seen: set[str] = set()

    def symbol(member: str, kind: SymbolKind, line: int, signature: str = "") -> Iterator[Symbol]:
        if member not in seen:
            seen.add(member)
            yield Symbol(
                name=f"{name}.{member}",
                kind=kind,
                signature=signature,
                path=path,
                line=line,
                exported=exported,
            )

    for item in _statements(node.body):
        if isinstance(item, FunctionNode):
            special = item.name.startswith("__") and item.name.endswith("__")
            if _is_overload(item) or not (special or is_public(item.name)):
                continue
            if _is_property(item):
                yield from symbol(item.name, SymbolKind.ATTRIBUTE, item.lineno)
            else:
                yield from symbol(item.name, SymbolKind.METHOD, item.lineno, _function_line(item))
            if item.name == "__init__":
                for attribute, line in _set_on_self(item):
                    yield from symbol(attribute, SymbolKind.ATTRIBUTE, line)
        else:
            for attribute in _assigned(item):
                if is_public(attribute):
                    yield from symbol(attribute, SymbolKind.ATTRIBUTE, item.lineno)


def _set_on_self(node: FunctionNode) -> Iterator[tuple[str, int]]:
    """Public attributes that a method assigns on its first parameter, with their lines."""
    positional = [*node.args.posonlyargs, *node.args.args]
    if not positional:
        return
    owner = positional[0].arg
    found = [
        (target.lineno, target.attr)
        for target in ast.walk(node)
        if isinstance(target, ast.Attribute)
        and isinstance(target.ctx, ast.Store)
        and isinstance(target.value, ast.Name)
        and target.value.id == owner
        and is_public(target.attr)
    ]
    for line, attribute in sorted(found):
        yield attribute, line


def _decorators(node: FunctionNode) -> list[str]:
    return [ast.unparse(item) for item in node.decorator_list]


def _is_overload(node: FunctionNode) -> bool:
    return any(name.rpartition(".")[2] == "overload" for name in _decorators(node))


def _is_property(node: FunctionNode) -> bool:
    names = _decorators(node)
    return any(name.rpartition(".")[2] in {"property", "cached_property", "setter", "deleter"} for name in names)


def _function_line(node: FunctionNode) -> str:
    """The head on one line, with the decorators that change how it is called."""
    marks = [f"@{name} " for name in _decorators(node) if name in {"staticmethod", "classmethod"}]
    word = "async def" if isinstance(node, ast.AsyncFunctionDef) else "def"
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    return f"{''.join(marks)}{word} {node.name}({ast.unparse(node.args)}){returns}"


def _class_line(node: ast.ClassDef) -> str:
    inside = ", ".join(
        [
            *map(ast.unparse, node.bases),
            *(f"{word.arg}={ast.unparse(word.value)}" for word in node.keywords if word.arg),
        ]
    )
    return f"class {node.name}({inside})" if inside else f"class {node.name}"
