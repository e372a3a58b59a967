"""Detectors are shown a text folded, decoded and joined, and tell each place once, in the file's own characters."""

from __future__ import annotations

import pytest

from neutralize.finding import Finding
from neutralize.known.allow import Allow
from neutralize.known.detect import detectors
from neutralize.known.facts import Fact, Known
from neutralize.traverse import Item

KNOWN = Known(
    objects=("9c1e2f7ab0d4e65f11223344556677889900aabb",),
    people=(Fact(value="Odo Fennimore", source="git:1"),),
    hosts=(Fact(value="brassworks.io", source="git:1"),),
    literals=(Fact(value="husk-sieve-q7", source="a:1"), Fact(value="0.771204", source="a:2")),
    messages=(Fact(value="cannot sift a wet kernel here", source="a:3"),),
)


def found(text: str, rule: str) -> list[Finding]:
    seen = [one for detector in detectors(KNOWN, allow=Allow()) for one in detector.findings(
        Item(path="a.md", data=text.encode()), text
    )]  # fmt: skip
    return [one for one in seen if one.rule == rule]


@pytest.mark.parametrize(
    ("rule", "text", "view"),
    [
        ("literal", "x = 'husk-sieve-q7'", "raw"),
        ("literal", "x = 'husk%2Dsieve-q7'", "percent"),
        ("literal", "x = 'husk&#45;sieve-q7'", "entity"),
        ("literal", "x = 'husk\\x2dsieve-q7'", "escape"),
        ("literal", "x = 'husk-si' 'eve-q7'", "string-join"),
        ("literal", "x = 'husk-s\u0456eve-q7'", "raw"),
        ("literal", "x = 'husk-si%65' + 've-q7'", "percent+string-join"),
        ("literal", "x = 0.\uff17\uff17\uff11\uff12\uff10\uff14", "raw"),
        ("commit", "see 9c1e%32f7ab", "percent"),
        ("commit", "see 9c1e\u200b2f7ab", "raw"),
        ("address", "mail odo&#64;brassworks.io", "entity"),
        ("address", "https:\\u002f\\u002fbrassworks.io/x", "escape"),
        ("message", "cannot sift a wet%20kernel here", "percent"),
        ("person", "Odo%20Fennimore", "percent"),
    ],
)
def test_a_mark_is_found_in_the_reading_that_shows_it(rule: str, text: str, view: str) -> None:
    assert view in {one.view for one in found(text, rule)}
    for one in found(text, rule):
        assert text[one.column - 1 : one.column - 1 + one.length].startswith(one.surface[:1])


def test_what_the_text_itself_shows_is_told_once() -> None:
    text = "x = 'husk-sieve-q7' + '%41' and \u00e9 husk-sieve-q7"
    assert [(one.column, one.view) for one in found(text, "literal")] == [(6, "raw"), (35, "raw")]


def test_a_place_is_that_of_the_file() -> None:
    text = "first %41%42\n\u00e9\u200b then husk%2Dsieve-q7 ends"
    (one,) = found(text, "literal")
    assert (one.line, one.column, one.surface) == (2, 9, "husk%2Dsieve-q7")


def test_plain_text_is_looked_at_once() -> None:
    assert found("nothing %41 of 'this' 'kind' here", "literal") == []
