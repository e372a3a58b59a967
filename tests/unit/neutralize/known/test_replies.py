"""Replies of models, looked at place by place: what is found in them, and what is left of them for the next attempt."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest

from neutralize.known.detect import detectors
from neutralize.known.facts import Fact, Known
from neutralize.known.replies import WITHHELD, ReplySearch
from neutralize.scan import Scanner
from taskpack.rename import Grade, Term

COMMIT = "9c1e2f70" * 5
TERMS = (
    Term(surface="BrassMonocle", grade=Grade.IDENTIFYING, kind="project", sources=("x",)),
    Term(surface="fetch", grade=Grade.GENERIC, kind="cli", sources=("x",)),
)
KNOWN = Known(
    objects=(COMMIT,),
    people=(Fact(value="Orla Quibbleton", source="x"),),
    emails=(Fact(value="orla@brassmill.dev", source="x"),),
    literals=(Fact(value="zorblax-of-quenth", source="x"), Fact(value="94287082", source="x")),
    messages=(Fact(value="no purse can hold \0 half farthings", source="x"),),
)
SEARCH = ReplySearch(scanner=Scanner(TERMS), detectors=detectors(KNOWN))


def clause(text: Any) -> dict[str, Any]:
    return {"title": "Sums", "clauses": [{"id": 1, "text": "It sums."}, {"id": 2, "text": text}]}


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("as BrassMonocle does", "term"),
        ("as br\u0430ssmonocle does", "term"),
        ("as brass%2Dmonocle does", "term"),
        (f"as {base64.b64encode(b'the brassmonocle way').decode()} does", "term"),
        ("ask orla@brassmill.dev", "address"),
        ("by Orla\nQuibbleton", "person"),
        ("since 9c1e2f709c1e", "commit"),
        ('the token "zorblax-of-quenth"', "literal"),
        (94287082, "literal"),
        ("it says: no purse can\nhold 12 half farthings", "message"),
    ],
)
def test_what_names_the_source_is_told_with_its_place_and_taken_out(text: Any, rule: str) -> None:
    reply = clause(text)
    told = SEARCH.hits(reply)
    assert {one.where for one in told} == {"clauses.1.text"}
    assert rule in {one.finding.rule for one in told}
    shown = SEARCH.withheld(reply, told)
    left = json.loads(shown)
    assert WITHHELD in left["clauses"][1]["text"]
    assert left["clauses"][0] == reply["clauses"][0]
    for one in told:
        assert repr(one.finding.surface) in one.clear
        assert one.finding.surface not in one.blind + shown
        assert one.finding.term not in one.blind + shown


def test_a_clean_reply_and_one_that_only_might_name_it_pass() -> None:
    assert SEARCH.hits(clause("It will fetch the next row.")) == ()
    assert SEARCH.hits({}) == SEARCH.hits([]) == SEARCH.hits("") == SEARCH.hits(None) == ()


def test_a_name_in_two_strings_of_a_list_or_in_a_key_is_seen_and_then_nothing_is_shown() -> None:
    for reply in ({"brassmonocle": 1}, {"names": ["brassmo", "nocle"]}):
        told = SEARCH.hits(reply)
        assert [one.where for one in told] == ["reply"]
        assert SEARCH.withheld(reply, told) == WITHHELD


def test_a_reply_that_is_no_json_object_is_looked_at_as_text() -> None:
    told = SEARCH.hits('{"half": "brassmonocle')
    assert [one.where for one in told] == ["reply text"]
    assert SEARCH.withheld('{"half": "brassmonocle', told) == json.dumps(f'{{"half": "{WITHHELD}') + "\n"


def test_several_places_in_one_string_are_all_taken_out() -> None:
    reply = clause("brassmonocle and BRASS_MONOCLE, orla@brassmill.dev")
    shown = json.loads(SEARCH.withheld(reply, SEARCH.hits(reply)))
    assert shown["clauses"][1]["text"] == f"{WITHHELD} and {WITHHELD}, {WITHHELD}"
