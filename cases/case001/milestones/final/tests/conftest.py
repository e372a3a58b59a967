"""Makes this suite run under plain pytest too: finds the harness beside it and offers its fixtures."""

import sys
from pathlib import Path

_LIB = str(Path(__file__).parent / "_lib")
if _LIB not in sys.path:
    sys.path.insert(0, _LIB)

from judge.harness.plugin import inputs, product  # noqa: E402 (the path comes first)
from judge.harness.standalone import pytest_report_header  # noqa: E402

__all__ = ["inputs", "product", "pytest_report_header"]
