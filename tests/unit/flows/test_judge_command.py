"""What `repowright judge` shows of a verdict."""

from __future__ import annotations

from flows.commands.judge import first_of


def test_twenty_causes_are_shown_and_the_rest_is_counted() -> None:
    causes = [f"cause {number}" for number in range(22)]
    assert first_of(causes[:20]) == causes[:20]
    assert first_of(causes) == [*causes[:20], "and 2 more, which --json gives"]
    assert first_of([]) == []
