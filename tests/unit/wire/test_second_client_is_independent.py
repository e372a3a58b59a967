"""The second client is one: it imports nothing of what it talks to."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

CLIENT = Path(__file__).parents[2] / "wire_client"


@pytest.mark.parametrize("path", sorted(CLIENT.glob("*.py")), ids=lambda path: path.name)
def test_the_second_client_imports_the_language_and_itself_alone(path: Path) -> None:
    names = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            names.append(str(node.module))
    assert [name for name in names if name.partition(".")[0] not in sys.stdlib_module_names] == [
        name for name in names if name.startswith("tests.wire_client.")
    ]
