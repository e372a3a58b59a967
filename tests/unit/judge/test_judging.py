"""What a verdict is bounded by."""

from __future__ import annotations

from judge.judging import suite_limit


def test_a_suite_may_take_longer_the_more_nodes_it_has() -> None:
    assert suite_limit(1) >= 600
    assert suite_limit(401) >= 1800
    assert suite_limit(5000) - suite_limit(4999) == suite_limit(2) - suite_limit(1) > 0
