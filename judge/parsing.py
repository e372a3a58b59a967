"""Drafted Python as a tree. The text may be hostile: bounds come first, and what breaks them is a finding."""

from __future__ import annotations

import ast
import warnings
from dataclasses import dataclass

SOURCE_BYTES = 200_000
DEPTH = 100
"""How deep a tree may be nested. Whoever walks it by recursion stays far from Python's own limit."""
_SHOWN = 80


@dataclass(frozen=True, kw_only=True)
class NotParsed:
    """Why there is no tree, and the line that shows it."""

    line: int
    why: str


def parse_source(source: str) -> ast.Module | NotParsed:
    """The tree of `source`. Nothing that a text can hold makes this raise, or take long."""
    problem = _not_text(source)
    if problem is not None:
        return problem
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(source)
    except SyntaxError as error:
        return NotParsed(line=error.lineno or 1, why=f"not Python: {error.msg}")
    except (MemoryError, RecursionError):
        return NotParsed(line=_longest_line(source), why="not Python: nested too deeply to be parsed")
    except ValueError as error:
        return NotParsed(line=1, why=f"not Python: {error}")
    return _too_deep(tree) or tree


def shown(node: ast.AST) -> str:
    """A node's source as one short line, for a finding."""
    try:
        text = " ".join(ast.unparse(node).split())
    except (ValueError, RecursionError):  # such as a number of more digits than Python writes
        return type(node).__name__
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


def _not_text(source: str) -> NotParsed | None:
    """Sizes and characters that no parser is asked about."""
    try:
        size = len(source.encode("utf-8"))
    except UnicodeEncodeError as error:
        return NotParsed(line=_line(source, error.start), why="not Python: half a surrogate pair")
    if size > SOURCE_BYTES:
        return NotParsed(line=1, why=f"{size:,} bytes; {SOURCE_BYTES:,} are allowed")
    null = source.find("\0")
    return None if null < 0 else NotParsed(line=_line(source, null), why="not Python: a null character")


def _too_deep(tree: ast.Module) -> NotParsed | None:
    level: list[tuple[int, ast.AST]] = [(1, tree)]
    for _ in range(DEPTH):
        level = [
            (getattr(child, "lineno", line), child) for line, node in level for child in ast.iter_child_nodes(node)
        ]
        if not level:
            return None
    return NotParsed(line=level[0][0], why=f"nested more than {DEPTH} deep")


def _longest_line(source: str) -> int:
    lines = source.split("\n")
    return 1 + max(range(len(lines)), key=lambda number: len(lines[number]))


def _line(source: str, place: int) -> int:
    return source.count("\n", 0, place) + 1
