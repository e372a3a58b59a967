"""Every stored record: read then written it has the same bytes, and what is not ours is refused."""

from __future__ import annotations

import importlib
import json
import pkgutil
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

import providers
import taskpack
from taskpack.errors import RecordUnreadable
from taskpack.record import Part, Record, to_json
from tests.unit.taskpack.drawing import drawn, simplest

for package in (taskpack, providers):
    for found in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        importlib.import_module(found.name)


def kinds(base: type[Part]) -> list[type[Any]]:
    below = [kind for direct in base.__subclasses__() for kind in (direct, *kinds(direct))]
    return sorted({kind for kind in below if kind.__module__.startswith("taskpack.")}, key=lambda kind: kind.__name__)


RECORDS = kinds(Record)
calm = settings(max_examples=50, database=None, deadline=None, suppress_health_check=list(HealthCheck))


def test_the_nouns_of_the_design_are_all_here() -> None:
    names = {kind.__name__ for kind in kinds(Part)}
    assert {
        "Order",
        "Pin",
        "Recipe",
        "Survey",
        "FeaturePoint",
        "Clause",
        "Form",
        "Spec",
        "RenameMap",
        "TestNode",
        "Suite",
        "Mutant",
        "Observation",
        "Verdict",
        "Receipt",
        "LedgerEntry",
    } <= names


@pytest.mark.parametrize("kind", RECORDS, ids=lambda kind: kind.__name__)
@calm
@given(data=st.data())
def test_read_then_write_gives_the_same_bytes(kind: type[Record], data: st.DataObject) -> None:
    record = data.draw(drawn(kind))
    written = record.to_bytes()
    again = kind.from_bytes(written)
    assert again.to_bytes() == written
    assert again == record
    assert again.digest() == record.digest()
    assert written.endswith(b"}\n")


@pytest.mark.parametrize("kind", RECORDS, ids=lambda kind: kind.__name__)
def test_an_unknown_field_is_refused_by_name(kind: type[Record]) -> None:
    fields = json.loads(simplest(kind).to_bytes())
    with pytest.raises(RecordUnreadable) as caught:
        kind.from_bytes(to_json({**fields, "surprise": 1}), where="x.json")
    assert caught.value.message == f"x.json is not a readable {kind.__name__.lower()}"
    assert caught.value.details == {"field": "surprise", "fact": "Extra inputs are not permitted"}


@pytest.mark.parametrize("kind", RECORDS, ids=lambda kind: kind.__name__)
def test_another_schema_version_is_refused(kind: type[Record]) -> None:
    fields = json.loads(simplest(kind).to_bytes())
    for version in (0, 2, "1", None):
        with pytest.raises(RecordUnreadable) as caught:
            kind.from_bytes(to_json({**fields, "schema_version": version}))
        assert caught.value.details["field"] == "schema_version"


@pytest.mark.parametrize("kind", RECORDS, ids=lambda kind: kind.__name__)
def test_a_record_without_its_schema_version_is_refused(kind: type[Record]) -> None:
    fields = json.loads(simplest(kind).to_bytes())
    del fields["schema_version"]
    with pytest.raises(RecordUnreadable) as caught:
        kind.from_bytes(to_json(fields))
    assert caught.value.details["field"] == "schema_version"


@pytest.mark.parametrize("kind", kinds(Part), ids=lambda kind: kind.__name__)
def test_a_record_cannot_be_changed(kind: type[Part]) -> None:
    record = simplest(kind)
    for name in kind.model_fields:
        with pytest.raises(ValidationError, match="frozen"):
            setattr(record, name, getattr(record, name))


@pytest.mark.parametrize("kind", kinds(Part), ids=lambda kind: kind.__name__)
def test_no_part_of_a_record_takes_unknown_fields(kind: type[Part]) -> None:
    assert kind.model_config.get("extra") == "forbid"
    assert kind.model_config.get("frozen") is True


@pytest.mark.parametrize("junk", [b"", b"{", b"[]", b"null", b'{"schema_version": 1', b"\xff\xfe", b"{}" * 2])
def test_what_is_no_record_is_unreadable_with_a_remedy(junk: bytes) -> None:
    for kind in RECORDS:
        with pytest.raises(RecordUnreadable) as caught:
            kind.from_bytes(junk, where="x.json")
        assert caught.value.remedy == "correct the file, or delete it so that it is made again"


def test_json_is_canonical() -> None:
    assert to_json({"b": [1, {"z": 1, "a": "é"}], "a": None}) == (
        '{\n  "a": null,\n  "b": [\n    1,\n    {\n      "a": "é",\n      "z": 1\n    }\n  ]\n}\n'.encode()
    )


@pytest.mark.parametrize("value", [float("nan"), float("inf"), {"x": -float("inf")}])
def test_json_has_no_infinity(value: Any) -> None:
    with pytest.raises(ValueError, match="Out of range"):
        to_json(value)
