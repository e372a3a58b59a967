"""Every fault that these rooms name tells what to do next."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from taskpack import errors

ROOMS = ("authoring", "environments", "neutralize", "providers", "validation")
CHECKOUT = Path(__file__).parents[3]
FILES = sorted(path for room in ROOMS for path in (CHECKOUT / room).rglob("*.py"))
FAULTS = {
    name
    for name, kind in vars(errors).items()
    if isinstance(kind, type) and issubclass(kind, errors.RepowrightError) and not getattr(kind, "remedy", "")
}


def raised(tree: ast.AST) -> Iterator[ast.Call]:
    """Calls of an error class: it is raised where it is made, or handed to whoever raises it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name in FAULTS:
                yield node


def test_the_search_finds_a_fault_without_a_remedy() -> None:
    tree = ast.parse('raise errors.BadInput("no")\nerror = SandboxFailed("no", details={})\nraise ValueError("no")')
    assert [call.lineno for call in raised(tree)] == [1, 2]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(CHECKOUT).as_posix())
def test_every_fault_has_a_remedy(path: Path) -> None:
    bare = [
        f"{path.relative_to(CHECKOUT)}:{call.lineno}"
        for call in raised(ast.parse(path.read_bytes()))
        if not any(word.arg == "remedy" and not _is_empty(word.value) for word in call.keywords)
    ]
    assert bare == []


def _is_empty(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and not value.value


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(CHECKOUT).as_posix())
def test_every_command_that_a_remedy_names_exists(path: Path) -> None:
    commands = {file.stem for file in (CHECKOUT / "flows" / "commands").glob("[a-z]*.py")}
    texts = [
        node.value
        for node in ast.walk(ast.parse(path.read_bytes()))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    named = {name for text in texts for name in re.findall(r"\brepowright ([a-z]+)", text)}
    assert named <= commands
