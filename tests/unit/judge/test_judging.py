"""What a verdict is bounded by."""

from __future__ import annotations

from judge.judging import suite_limit


def test_a_suite_may_take_longer_the_more_nodes_it_has() -> None:
    """A suite of 401 nodes took 75 s beside other work, and over 600 s on a machine with eight times its cores' work."""
    assert suite_limit(401) >= 10 * 75 * 2
    assert suite_limit(1) >= 600
    assert suite_limit(5000) - suite_limit(4999) == suite_limit(2) - suite_limit(1) > 0
