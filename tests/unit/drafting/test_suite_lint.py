"""What hidden test files may not do."""

from __future__ import annotations

import pytest

from authoring.suite_lint import lint_tests

GOOD = """# feature: F01
from judge.harness import clause, same
from F01_helpers import oracle

@clause("FP-01.N1")
def test_total(product, inputs):
    seen = product.call("total", text=inputs.text(1, 3))
    assert same(seen.value, oracle())
"""


def lint(source: str, path: str = "F01_acceptance.py") -> list[str]:
    return lint_tests(source, path=path, helpers=("F01_helpers",), product="tally")


def test_a_good_file_has_no_findings() -> None:
    assert lint(GOOD) == []


@pytest.mark.parametrize(
    ("change", "finding"),
    [
        (("from judge.harness", "import tally\nfrom judge.harness"), "imports the product"),
        (("from judge.harness", "import random\nfrom judge.harness"), "imports random"),
        (("from judge.harness", "import requests\nfrom judge.harness"), "not on the bench"),
        (('@clause("FP-01.N1")\n', ""), "has no @clause"),
        (('@clause("FP-01.N1")\n', 'import pytest\n@pytest.mark.skip\n@clause("FP-01.N1")\n'), "pytest skip"),
        (("    assert same(seen.value, oracle())\n", "    same(seen.value, oracle())\n"), "asserts nothing"),
        (("same(seen.value, oracle())", "seen.value == oracle()"), "bare =="),
        (("    seen =", "    print(1)\n    seen ="), "calls print"),
        (("def test_total", "def test_total("), "not Python"),
        (("@clause", "def test_total(): pass\n\n@clause"), "defined twice"),
    ],
    ids=["product", "random", "foreign", "clause", "skip", "assert", "equals", "print", "syntax", "twice"],
)
def test_a_fault_is_found_with_its_line(change: tuple[str, str], finding: str) -> None:
    found = lint(GOOD.replace(*change, 1))
    assert any(finding in text and text.startswith("F01_acceptance.py:") for text in found), found


def test_helpers_hold_no_test() -> None:
    assert "helpers hold no test" in lint("def test_x():\n    assert 1\n", "F01_helpers.py")[0]
