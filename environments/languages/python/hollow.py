"""Python workspaces that do nothing: a right suite gives every one of them 0."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Hollow:
    """A vacuous workspace: its name and its files."""

    name: str
    files: Mapping[str, bytes]


def hollow_workspaces(files: Mapping[str, bytes], roots: Sequence[str]) -> tuple[Hollow, ...]:
    """Vacuous workspaces with the reference's paths and public names.

    `files` are the reference's product files (path -> source), `roots` those that importing the product runs
    first.
    """
    empty = dict.fromkeys(files, b"")
    at_import = {
        "exits-at-import": b"import sys\n\nsys.exit(0)\n",
        "dies-at-import": b"import os\n\nos._exit(0)\n",
    }
    return (
        Hollow(name="empty-folder", files={}),
        Hollow(name="empty-files", files=empty),
        Hollow(
            name="stubs-return-none",
            files={path: stubs(source, "return None") for path, source in files.items()},
        ),
        Hollow(
            name="stubs-not-implemented",
            files={path: stubs(source, "raise NotImplementedError") for path, source in files.items()},
        ),
        *(Hollow(name=name, files=empty | dict.fromkeys(roots, source)) for name, source in at_import.items()),
    )


def stubs(source: bytes, body: str) -> bytes:
    """A module with the same public names, every function's body being `body`; it imports without effects."""
    lines = list(_module(ast.parse(source).body, body))
    return ("\n".join(lines) + "\n").encode()


_EXCEPTIONS = frozenset(
    name for name, value in vars(builtins).items() if isinstance(value, type) and issubclass(value, BaseException)
)
_KEPT_DECORATORS = frozenset({"property", "staticmethod", "classmethod"})
Function = ast.FunctionDef | ast.AsyncFunctionDef


def _module(statements: Sequence[ast.stmt], body: str) -> Iterator[str]:
    known = set(_EXCEPTIONS)
    for node in _flat(statements):
        if isinstance(node, ast.ImportFrom) and node.level:
            yield ast.unparse(node)
            known |= {alias.asname or alias.name for alias in node.names}
        elif isinstance(node, Function):
            yield from _function(node, body, "")  # private ones too: other modules import them
        elif isinstance(node, ast.ClassDef):
            yield from _class(node, body, known)
            known.add(node.name)
        else:
            yield from _constants(node, "")


def _flat(statements: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """Statements of a module, those inside `try` and `if` too, but for imports that a condition guards."""
    for node in statements:
        if isinstance(node, ast.Try):
            yield from _flat(node.body)
        elif isinstance(node, ast.If):
            yield from (inner for inner in _flat(node.body) if not isinstance(inner, ast.ImportFrom))
            yield from _flat(node.orelse)
        else:
            yield node


def _class(node: ast.ClassDef, body: str, known: set[str]) -> Iterator[str]:
    bases = [base.id for base in node.bases if isinstance(base, ast.Name) and base.id in known]
    yield f"class {node.name}({', '.join(bases)}):"
    yield "    def __init__(self, *args, **kwargs):"
    yield "        pass"
    for member in node.body:
        if isinstance(member, Function):
            if _is_public(member.name):
                yield from _function(member, body, "    ")
        else:
            yield from _constants(member, "    ")


def _function(node: Function, body: str, indent: str) -> Iterator[str]:
    names = [decorator.id for decorator in node.decorator_list if isinstance(decorator, ast.Name)]
    yield from (f"{indent}@{name}" for name in names if name in _KEPT_DECORATORS)
    keyword = "async def" if isinstance(node, ast.AsyncFunctionDef) else "def"
    yield f"{indent}{keyword} {node.name}(*args, **kwargs):"
    yield f"{indent}    {body}"


def _constants(node: ast.stmt, indent: str) -> Iterator[str]:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    for target in targets:
        if isinstance(target, ast.Name) and not target.id.startswith("__"):
            yield f"{indent}{target.id} = None"


def _is_public(name: str) -> bool:
    return not name.startswith("_")
