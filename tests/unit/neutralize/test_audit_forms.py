"""The forms of a report: what may be given away tells nothing, SARIF is SARIF, changes are found."""

from __future__ import annotations

import datetime as dt
import json
import stat
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from neutralize.audit.changes import changes
from neutralize.audit.core import Known, audit
from neutralize.audit.keys import keyed, project_key
from neutralize.audit.report import Answer, AuditReport, Form, Measured, Metric, Mode
from neutralize.audit.sarif import sarif
from neutralize.audit.shareable import WITHHELD, shareable
from neutralize.audit.termlists import terms_of
from neutralize.fold import folded
from neutralize.scan import Scanner
from neutralize.spelling import key as letters
from neutralize.traverse import Item
from neutralize.waivers import Waiver, Waivers
from taskpack.errors import BadInput
from taskpack.rename import Grade
from tests.bundles import TERMS
from tests.unit.neutralize.test_audit import Spotter

DAY = dt.date(2030, 1, 1)
LIST = terms_of([*TERMS, "https://github.com/monocleworks/brassmonocle", "Ada Q. <ada@quill.example>"], source="x")
SCANNER = Scanner(LIST)
KEY = bytes(32)
ITEMS = (
    Item(path="case101/source/manifest.json", data=json.dumps({"sensitive_terms": TERMS}).encode()),
    Item(path="case101/public/Full_PRD.md", data=b"It will fetch.\nAs Brass_Monocle does, in 3fa9c1d.\n"),
    Item(path="case101/public/Interface_Contract.md", data=b"`import brassmonocle` by Ada Quillfeather\n"),
    Item(path="case101/tests/brassmonocle/data 3fa9c1d.bin", data=b"\x00 brassmonocle"),
    Item(path="case101/monocleworks/brassmonocle.md", data=None, problem="brassmonocle.md is larger than 1 byte"),
    Item(path="case101/brass/monocle/x.md", data=b"plain\n"),
)


def made(*, waived: bool = True, items: tuple[Item, ...] = ITEMS) -> AuditReport:
    known = Known(
        name="brass-monocle-1.4",
        mode=Mode.TERMS,
        terms=LIST,
        searcher=SCANNER,
        detectors=[Spotter("commit", "3fa9c1d")],
        today=DAY,
        notes=("terms: 8 from brassmonocle.txt",),
        measured=[
            Metric(id="longest", name="Longest copied run", value="fetch the next row", threshold="short",
                   result=Measured.NOT_MET, why="in brassmonocle", details=("brassmonocle/core.py",)),
        ],
    )  # fmt: skip
    report = audit(items, known)
    if not waived:
        return report
    place = next(place for place in report.findings if place.found == "review")
    waiver = Waiver(term="fetch", path=place.path, line_digest=place.line_digest, reason="to fetch", expires=DAY)
    stale = waiver.model_copy(update={"path": "brassmonocle.md", "reason": "brassmonocle"})
    known = Known(**{**vars(known), "waivers": Waivers(waivers=(waiver, stale))})
    return audit(items, known)


def strings(value: Any) -> Iterator[str]:
    """Every text in a document, also the keys that are data."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from strings(each)
    elif isinstance(value, list):
        for each in value:
            yield from strings(each)


def assert_tells_nothing(document: bytes) -> None:
    told = letters(folded(document.decode()))
    for term in LIST:
        if term.grade is not Grade.GENERIC:
            assert letters(term.surface) not in told, term.surface
    assert "3fa9c1d" not in document.decode().lower()
    for text in strings(json.loads(document)):
        assert not SCANNER.findings(text, ""), text


def test_the_private_form_has_what_the_shareable_one_must_not() -> None:
    with pytest.raises(AssertionError):
        assert_tells_nothing(made().to_bytes())


def test_the_shareable_form_tells_no_term_in_any_spelling() -> None:
    report = shareable(made(), KEY, SCANNER)
    assert_tells_nothing(report.to_bytes())
    assert report.form is Form.SHAREABLE
    assert len(report.findings) == len(made().findings) > 5
    assert all(place.excerpt is None for place in report.findings)
    assert {one.reason for one in report.waived} == {WITHHELD}


def test_sarif_of_the_shareable_form_tells_no_term_either() -> None:
    assert_tells_nothing(json.dumps(sarif(shareable(made(), KEY, SCANNER), engine="1")).encode())


def test_surfaces_become_keyed_hashes_that_depend_on_the_key() -> None:
    private = made()
    one, other = shareable(private, KEY, SCANNER), shareable(private, bytes([1]) * 32, SCANNER)
    surfaces = [place.surface for place in private.findings]
    assert [place.surface for place in one.findings] == [keyed(KEY, surface).hexdigest() for surface in surfaces]
    assert all(a.surface != b.surface for a, b in zip(one.findings, other.findings, strict=True))
    assert all(a.line_digest != b.line_digest for a, b in zip(one.findings, private.findings, strict=True))
    assert {one.digest for one in one.inputs}.isdisjoint(one.digest for one in private.inputs)


def test_only_telling_parts_of_a_path_are_hashed() -> None:
    paths = {rest.path for rest in shareable(made(), KEY, SCANNER).coverage.rest}
    assert all(path.startswith("case101/") for path in paths)
    assert any(path.startswith("case101/tests/~") for path in paths)


def test_a_path_that_tells_only_as_a_whole_is_hashed_as_a_whole() -> None:
    report = made(items=(*ITEMS, Item(path="case101/brass/monocle/y.bin", data=b"\x00")))
    whole = next(rest.path for rest in report.coverage.rest if rest.path.endswith("y.bin"))
    hidden = {rest.path for rest in shareable(report, KEY, SCANNER).coverage.rest}
    assert whole not in hidden
    assert any(path.startswith("~") and path.count("/") == 3 for path in hidden)


def test_shareable_reports_of_the_same_input_are_the_same_bytes() -> None:
    assert shareable(made(), KEY, SCANNER).to_bytes() == shareable(made(), KEY, SCANNER).to_bytes()


def test_the_key_is_made_once_for_its_owner_and_is_another_for_each_project(tmp_path: Path) -> None:
    path = tmp_path / "audit/key"
    with ThreadPoolExecutor(8) as pool:
        keys = set(pool.map(lambda _: project_key(path, "case101"), range(16)))
    assert len(keys) == 1
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert project_key(path, "case102") not in keys


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604])
def test_a_key_that_others_can_read_is_refused(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "key"
    project_key(path, "x")
    path.chmod(mode)
    with pytest.raises(BadInput, match="others"):
        project_key(path, "x")


@pytest.mark.parametrize("content", [b"", b"zz", b"00" * 31, b"\xff\xfe"])
def test_a_damaged_key_is_refused_and_not_replaced(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "key"
    path.write_bytes(content)
    path.chmod(0o600)
    with pytest.raises(BadInput, match="damaged"):
        project_key(path, "x")
    assert path.read_bytes() == content


# What is used of SARIF 2.1.0, in the words of its schema.
MESSAGE = {
    "type": "object",
    "required": ["text"],
    "additionalProperties": False,
    "properties": {"text": {"type": "string"}},
}
LOCATION = {
    "type": "object",
    "required": ["physicalLocation"],
    "additionalProperties": False,
    "properties": {
        "physicalLocation": {
            "type": "object",
            "required": ["artifactLocation"],
            "additionalProperties": False,
            "properties": {
                "artifactLocation": {
                    "type": "object",
                    "additionalProperties": False,
                    "properties": {"uri": {"type": "string", "pattern": r"^[A-Za-z0-9\-._~!$&'()*+,;=:@/%]+$"}},
                },
                "region": {
                    "type": "object",
                    "additionalProperties": False,
                    "dependentRequired": {"byteLength": ["byteOffset"]},
                    "properties": {
                        "startLine": {"type": "integer", "minimum": 1},
                        "startColumn": {"type": "integer", "minimum": 1},
                        "byteOffset": {"type": "integer", "minimum": 0},
                        "byteLength": {"type": "integer", "minimum": 0},
                    },
                },
            },
        }
    },
}
LEVEL = {"enum": ["none", "note", "warning", "error"]}
SCHEMA = {
    "type": "object",
    "required": ["version", "runs"],
    "additionalProperties": False,
    "properties": {
        "version": {"const": "2.1.0"},
        "runs": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["tool"],
                "additionalProperties": False,
                "properties": {
                    "tool": {
                        "type": "object",
                        "required": ["driver"],
                        "properties": {
                            "driver": {
                                "type": "object",
                                "required": ["name"],
                                "additionalProperties": False,
                                "properties": {
                                    "name": {"type": "string"},
                                    "version": {"type": "string"},
                                    "rules": {
                                        "type": "array",
                                        "uniqueItems": True,
                                        "items": {
                                            "type": "object",
                                            "required": ["id"],
                                            "additionalProperties": False,
                                            "properties": {"id": {"type": "string"}, "shortDescription": MESSAGE},
                                        },
                                    },
                                },
                            }
                        },
                    },
                    "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
                    "invocations": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "required": ["executionSuccessful"],
                            "additionalProperties": False,
                            "properties": {
                                "executionSuccessful": {"type": "boolean"},
                                "toolExecutionNotifications": {
                                    "type": "array",
                                    "items": {
                                        "type": "object",
                                        "required": ["message"],
                                        "additionalProperties": False,
                                        "properties": {
                                            "message": MESSAGE,
                                            "level": LEVEL,
                                            "locations": {"type": "array", "items": LOCATION},
                                        },
                                    },
                                },
                            },
                        },
                    },
                    "results": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "required": ["message"],
                            "additionalProperties": False,
                            "properties": {
                                "ruleId": {"type": "string"},
                                "ruleIndex": {"type": "integer", "minimum": -1},
                                "level": LEVEL,
                                "message": MESSAGE,
                                "locations": {"type": "array", "items": LOCATION},
                                "partialFingerprints": {
                                    "type": "object",
                                    "additionalProperties": {"type": "string"},
                                },
                                "suppressions": {
                                    "type": "array",
                                    "uniqueItems": True,
                                    "items": {
                                        "type": "object",
                                        "required": ["kind"],
                                        "additionalProperties": False,
                                        "properties": {
                                            "kind": {"enum": ["inSource", "external"]},
                                            "status": {"enum": ["accepted", "underReview", "rejected"]},
                                            "justification": {"type": "string"},
                                        },
                                    },
                                },
                                "properties": {"type": "object"},
                            },
                        },
                    },
                    "properties": {"type": "object"},
                },
            },
        },
    },
}


@pytest.mark.parametrize("form", Form)
def test_sarif_follows_its_schema(form: Form) -> None:
    report = made() if form is Form.PRIVATE else shareable(made(), KEY, SCANNER)
    document = json.loads(json.dumps(sarif(report, engine="9.9")))
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    jsonschema.validate(document, SCHEMA)
    (run,) = document["runs"]
    assert len(run["results"]) == len(report.findings) + len(report.waived)
    rules = run["tool"]["driver"]["rules"]
    assert all(rules[result["ruleIndex"]]["id"] == result["ruleId"] for result in run["results"])
    assert sum("suppressions" in result for result in run["results"]) == 1
    assert {result["level"] for result in run["results"] if "suppressions" not in result} == {"error"}


def test_sarif_of_an_incomplete_audit_is_of_a_run_that_did_not_succeed() -> None:
    report = made()
    (invocation,) = sarif(report, engine="1")["runs"][0]["invocations"]
    assert invocation["executionSuccessful"] is False
    assert len(invocation["toolExecutionNotifications"]) == len(report.coverage.rest) == 2
    whole = made(items=ITEMS[:3], waived=False)
    (invocation,) = sarif(whole, engine="1")["runs"][0]["invocations"]
    assert invocation == {"executionSuccessful": True, "toolExecutionNotifications": []}


def test_a_path_that_no_address_may_hold_is_written_out_in_sarif() -> None:
    item = Item(path="case101/public/a b\x1b#?é.md", data=b"brassmonocle\n")
    document = sarif(made(items=(item,), waived=False), engine="1")
    jsonschema.validate(json.loads(json.dumps(document)), SCHEMA)


def test_changes_are_what_came_and_what_went_and_a_moved_line_is_none() -> None:
    before = made(waived=False)
    moved = (*ITEMS[:1], Item(path=ITEMS[1].path, data=b"\n\n" + (ITEMS[1].data or b"")), *ITEMS[2:])
    found = changes(before, made(waived=False, items=moved))
    assert (found.came, found.went) == ((), ())
    assert not changes(before, made(waived=False)).any
    fewer = changes(before, made(waived=False, items=ITEMS[:2]))
    assert {place.path for place in fewer.went} >= {ITEMS[2].path}
    assert fewer.came == ()
    assert "case101/monocleworks/brassmonocle.md" in fewer.rest_went
    more = changes(made(waived=False, items=ITEMS[:2]), before)
    assert {place.surface for place in more.came} == {place.surface for place in fewer.went}
    assert any(change.name == "Coverage" for change in more.metrics)


def test_a_second_finding_on_a_line_like_another_is_a_change() -> None:
    (first, second, third) = ITEMS[:3]
    twice = Item(path=third.path, data=(third.data or b"") * 2)
    before, after = (made(waived=False, items=(first, second, each)) for each in (third, twice))
    assert len(changes(before, after).came) == 2


def test_changes_tell_another_answer() -> None:
    clean = made(waived=False, items=(Item(path="a", data=b"x"),))
    assert changes(clean, made()).answer == (Answer.NEUTRAL, Answer.NAMES)
