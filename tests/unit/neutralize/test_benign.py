"""Phrases in which a common word is plain English: what is mined, what must not be, and what the scan makes of them."""

from __future__ import annotations

import re

import pytest

from benchmarks.benign_phrases import FEWEST, is_plain, mined, spoken
from neutralize.affixes import AFTER, BEFORE
from neutralize.benign import NOTE, PHRASES
from neutralize.scan import Scanner
from taskpack.rename import Grade, Term


def test_words_with_hyphens_count_where_prose_writes_them() -> None:
    text = "A double-tap, then (right-tap). Tap-through: see --no-tap, x-tap.py, my_slow-tap and `quick-tap` now\n"
    assert spoken(text) == {"double-tap", "right-tap", "tap-through"}


def test_a_phrase_is_mined_when_enough_packages_have_it_and_it_is_no_packages_name() -> None:
    documents = [
        {"right-click", "rich-click", "left-click", "click-qzx", "python-click", "click-like", "fast-key"}
    ] * FEWEST
    documents += [{"one-click"}] * (FEWEST - 1)
    assert list(mined(documents, {"rich-click", "fast-keys"})) == ["left-click", "right-click"]


def test_the_shipped_phrases_say_their_day_and_hold_no_projects_name() -> None:
    assert re.match(r"\d{4}-\d\d-\d\d: ", NOTE)
    assert len(PHRASES) > 500
    assert "right-click" in PHRASES
    assert all(is_plain(phrase) for phrase in PHRASES)
    words = {word for phrase in PHRASES for word in phrase.split("-")}
    assert not words & (BEFORE | AFTER)
    assert not PHRASES & {"rich-click", "python-requests", "requests-cache", "pytest-click", "requests-style"}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("then right-click the row", "miss"),
        ("Right-Click the row", "miss"),
        ("then rich-click the row", "hit"),
        ("the right-click-context class", "miss"),
        ("then bright-click the row", "hit"),
        ("`click`", "hit"),
    ],
)
def test_a_scan_takes_the_shipped_phrases_for_english(text: str, found: str) -> None:
    term = Term(surface="click", grade=Grade.GENERIC, kind="project", sources=("order",))
    assert str(Scanner([term]).verdict(text)) == found


def test_a_name_that_identifies_is_found_in_a_phrase_too() -> None:
    term = Term(surface="click", grade=Grade.DISTINCTIVE, kind="project", sources=("order",))
    assert str(Scanner([term]).verdict("then right-click the row")) == "hit"
