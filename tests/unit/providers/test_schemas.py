"""The schema that vendors get: never wider than what they take, and with a sure way back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Literal

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from authoring.hidden_tests import TestsDraft
from authoring.spec import FeatureDraft
from providers.schemas import OPEN, decode, encode, sent_schema
from taskpack.spec import Overview

KNOWN = {"$defs", "$ref", "type", "properties", "required", "additionalProperties", "items", "anyOf", "enum", "const"}
DRAFTS = (FeatureDraft, TestsDraft, Overview)


class Tree(BaseModel):
    name: str
    children: list[Tree] = []


class Odd(BaseModel):
    """One of each thing that vendors do not take as it is."""

    model_config = {"extra": "forbid"}

    anything: Any
    table: dict[str, int]
    pair: tuple[int, str]
    either: int | str | dict[str, int]
    maybe: int | None = None
    word: Literal["a", "b"] = "a"
    tree: Tree


def schemas_in(schema: Any) -> list[dict[str, Any]]:
    """Every schema inside a schema, itself included."""
    inside = [*schema.get("$defs", {}).values(), *schema.get("properties", {}).values(), *schema.get("anyOf", [])]
    inside += [schema["items"]] if "items" in schema else []
    return [schema, *(each for one in inside for each in schemas_in(one))]


@pytest.mark.parametrize("kind", [*DRAFTS, Odd, Tree])
def test_only_words_that_vendors_know_are_sent(kind: type[BaseModel]) -> None:
    sent = sent_schema(kind.model_json_schema())
    for each in schemas_in(sent):
        assert each.keys() <= KNOWN | {"description"}
        assert "$ref" not in each or each.keys() == {"$ref"}
        if each.get("type") == "object":
            assert each["additionalProperties"] is False
            assert each["required"] == list(each["properties"])
        assert each.keys() & {"type", "$ref", "anyOf", "enum", "const"}


@pytest.mark.parametrize("kind", [*DRAFTS, Odd, Tree])
def test_no_reference_comes_back_to_itself(kind: type[BaseModel]) -> None:
    sent = sent_schema(kind.model_json_schema())
    definitions = sent.get("$defs", {})

    def depth(schema: dict[str, Any], within: tuple[str, ...] = ()) -> None:
        for each in schemas_in({name: value for name, value in schema.items() if name != "$defs"}):
            if "$ref" in each:
                name = each["$ref"].removeprefix("#/$defs/")
                assert name not in within
                depth(definitions[name], (*within, name))

    depth(sent)


def test_what_vendors_do_not_know_is_said_in_prose() -> None:
    sent = sent_schema(FeatureDraft.model_json_schema())
    assert sent["properties"]["entry"]["description"] == "minLength: 40"
    assert "pattern: " in sent["$defs"]["Clause"]["properties"]["id"]["description"]


def test_a_place_for_anything_is_a_string_of_json() -> None:
    properties = sent_schema(Odd.model_json_schema())["properties"]
    opened = {name for name, each in properties.items() if str(each.get("description")).startswith(OPEN)}
    assert opened == {"anything", "table", "pair", "either"}


def test_stored_replies_of_the_first_case_go_there_and_back(checkout: Path) -> None:
    paths = sorted((checkout / "cases/case001/provenance/replies").rglob("*.json"))
    assert len(paths) > 3
    for path in paths:
        reply = json.loads(path.read_bytes())["reply"]
        kind = Overview if "overview" in path.parts else FeatureDraft if "spec" in path.parts else TestsDraft
        sent = sent_schema(kind.model_json_schema())
        assert decode(encode(reply, sent), sent) == reply


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(codec="utf-8")),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(st.characters(codec="utf-8")), inner, max_size=3)
    ),
    max_leaves=8,
)
WORDS = st.text(st.characters(codec="utf-8"), max_size=4) | st.sampled_from(["5", "null", '"x"', "{}"])
TREES = st.recursive(
    st.builds(lambda name: {"name": name, "children": []}, WORDS),
    lambda inner: st.builds(lambda name, below: {"name": name, "children": below}, WORDS, st.lists(inner, max_size=2)),
    max_leaves=4,
)


@settings(max_examples=60, deadline=None)
@given(
    value=st.fixed_dictionaries(
        {
            "anything": JSON | WORDS,
            "table": st.dictionaries(WORDS, st.integers()),
            "pair": st.tuples(st.integers(), WORDS).map(list),
            "either": st.integers() | WORDS | st.dictionaries(WORDS, st.integers(), max_size=2),
            "maybe": st.none() | st.integers(),
            "word": st.sampled_from(["a", "b"]),
            "tree": TREES,
        }
    )
)
def test_any_value_fits_when_encoded_and_comes_back_the_same(value: dict[str, Any]) -> None:
    sent = sent_schema(Odd.model_json_schema())
    there = encode(value, sent)
    jsonschema.validate(there, sent)
    assert decode(json.loads(json.dumps(there)), sent) == value


@pytest.mark.parametrize("text", ["no json", "NaN", "1e999", '"\\ud800"', "[" * 100_000])
def test_what_is_no_json_text_is_left_for_the_stage(text: str) -> None:
    sent = sent_schema(Odd.model_json_schema())
    assert decode({"anything": text}, sent) == {"anything": text}


@pytest.mark.parametrize("value", [None, 5, [], "text", {"more": 1}, {"word": ["a"], "maybe": {}, "tree": 5}])
def test_a_reply_that_does_not_fit_comes_back_as_it_was(value: Any) -> None:
    assert decode(value, sent_schema(Odd.model_json_schema())) == value
