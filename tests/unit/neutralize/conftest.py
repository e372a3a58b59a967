"""An invented upstream, and the order that neutralizes it."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from taskpack.order import Order

BASE: dict[str, Any] = {
    "case_id": "case901",
    "language": "python",
    "source": {"kind": "pypi", "name": "oldtally", "version": "1.4.0", "sha256": "0" * 64},
    "product": {"name": "vexsum", "summary": "A library that counts marks in lines of text."},
    "rename": {"identifiers": {"recount_all": "sum_lines", "Counter": "Marker", "counter": "marker"}},
    "testing": {"requirements": ["pytest"], "command": ["python", "-m", "pytest", "-q"], "expected": 5},
    "features": [
        {"id": "FP-01", "title": "Count marks", "about": "Counting marks.", "files": ["src/vexsum/marker.py"]}
    ],
}


@pytest.fixture
def upstream(checkout: Path, tmp_path: Path) -> Path:
    """A copy of the invented upstream, free to be changed."""
    return shutil.copytree(checkout / "tests" / "data" / "neutralize" / "oldtally", tmp_path / "upstream")


@pytest.fixture
def order() -> Order:
    return Order.model_validate(BASE)
