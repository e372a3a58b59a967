"""Twins, refusals and the count of tests that differ."""

from __future__ import annotations

import pytest

from authoring.counting import distinct_tests
from authoring.hidden_tests import needs_of
from authoring.twins import twin_findings

GOOD = """
ROWS = [("a", 1), ("b", 2), ("c", 3)]

@clause("FP-01.N1", by="oracle")
def test_one(product, inputs):
    text = inputs.word(4)
    assert same(product.call("total", text=text).value, oracle(text))

@clause("FP-01.E1", by="rows")
def test_two(product):
    for text, wanted in ROWS:
        refused = product.at(5).call("total", text=text + "!")
        assert refused.error.is_a("ValueError")
        assert same(product.call("total", text=text).value, wanted)
"""


def findings(source: str, *clauses: str) -> list[str]:
    return twin_findings(source, path="F01", clauses=clauses or ("FP-01.N1", "FP-01.E1"))


def test_a_good_file_has_no_findings() -> None:
    assert findings(GOOD) == []


@pytest.mark.parametrize(
    ("old", "new", "finding"),
    [
        (', by="oracle"', "", "FP-01.N1 has no twin"),
        ('by="oracle"', 'by="hand"', "no twin by 'hand'"),
        (', ("c", 3)]', "]", "fewer than 3"),
        ('product.call("total", text=text).value, wanted', 'product.call("other", text=text).value, wanted', "`total` is refused and never succeeds"),
        ("        assert same(product.call(\"total\", text=text).value, wanted)\n", "", "`total` is refused and never succeeds"),
        ('product.at(5).call("total", text=text + "!")', "refusal_of(product, text)", "no result of product.call"),
    ],
)  # fmt: skip
def test_what_is_missing_is_said(old: str, new: str, finding: str) -> None:
    assert old in GOOD
    assert any(finding in line for line in findings(GOOD.replace(old, new, 1)))


@pytest.mark.parametrize(
    "table",
    ["ROWS", "ROWS + []", "ROWS[:]", "make()"],
)
def test_only_a_table_that_can_be_counted_is_rows(table: str) -> None:
    source = GOOD.replace("in ROWS", f"in {table}")
    assert bool(findings(source)) is (table != "ROWS")


@pytest.mark.parametrize(
    ("other", "count"),
    [
        ("def test_b(p):\n    y = p.call('one', k=2)\n    assert same(y.value, 'b')\n", 1),
        ("def test_b(q):\n    assert same(q.call('one', k=2).value, 'b')\n", 2),
        ("def test_b(p):\n    y = p.call('two', k=2)\n    assert same(y.value, 'b')\n", 2),
        ("def test_b(p):\n    y = p.call('one', j=2)\n    assert same(y.value, 'b')\n", 2),
        ("def test_b(p):\n    y = p.call('one', k=2)\n    assert same(y.value, oracle('b'))\n", 2),
        ("@pytest.mark.parametrize('z', [1, 2])\ndef test_b(p):\n    'Says.'\n    y = p.call('one', k=2)\n    assert same(y.value, 'b')\n", 1),
        ("def helper(p):\n    return p\n", 1),
    ],
)  # fmt: skip
def test_tests_that_differ_in_names_and_constants_alone_count_once(other: str, count: int) -> None:
    one = "def test_a(p):\n    x = p.call('one', k='1')\n    assert same(x.value, 'a')\n".replace("'1'", "1")
    assert distinct_tests({"F01": one, "F02": other}) == count


def test_a_suite_that_tells_the_time_needs_a_clock() -> None:
    assert list(needs_of("def test_a(product):\n    product.at(5).call('one')\n")) == ["clock"]
    assert list(needs_of("def test_a(product):\n    product.run(['one'], terminal=(24, 80))\n")) == ["terminal"]
    assert list(needs_of("def test_a(product):\n    product.call('at')\n    product.run(['one'])\n")) == []
