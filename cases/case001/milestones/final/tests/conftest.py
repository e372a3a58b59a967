"""Makes this suite run under plain pytest too: finds the harness beside it and offers its fixtures."""

import sys
from pathlib import Path

_TESTS = Path(__file__).resolve().parent
if str(_TESTS / "_lib") not in sys.path:
    sys.path.insert(0, str(_TESTS / "_lib"))

from judge.import_path import leave_product  # noqa: E402 (the path comes first)

leave_product(_TESTS)

from judge.harness.plugin import inputs, product  # noqa: E402 (the product is out of the way first)
from judge.harness.standalone import pytest_report_header  # noqa: E402

__all__ = ["inputs", "product", "pytest_report_header"]
