from __future__ import annotations

from pathlib import Path

import pytest

from neutralize.finding import Finding
from neutralize.known.allow import Allow
from neutralize.known.background import NOTHING
from neutralize.known.detect import detectors
from neutralize.known.facts import Asset, Fact, Known
from neutralize.known.replies import ReplySearch
from neutralize.scan import Scanner
from neutralize.traverse import Item
from taskpack.rename import Grade, Term

ID = "9c1e2f7a0b4d5566778899aabbccddeeff001122"
NUMBERS = "1234567" + "0" * 33
WORD = "deadbee" + "1" * 33


def facts(*values: str) -> tuple[Fact, ...]:
    return tuple(Fact(value=value, source="a:1") for value in values)


KNOWN = Known(
    objects=tuple(sorted((ID, NUMBERS, WORD))),
    people=facts("Orla Quibbleton", "Zoë Nuñez-Harrowgate", "Grainfolk", "Mark", "Aurelio Will"),
    logins=facts("quernkeeper", "admin2", "super"),
    emails=facts("orla@grainmill.tools", "orla.q@gmail.com"),
    hosts=facts("grainmill.tools"),
    owners=facts("grainfolk", "grainfolk/grml"),
    literals=facts("0.982492", "precision-matters", 'say "flour" twice', "Größe der Mühle", "30071"),
    messages=facts("cannot winnow \0 because the hopper is dry", "the mill is shut on sundays"),
    headings=facts("winnowing-at-the-quern", "chaffblower-use"),
    stems=facts("chaffblower"),
    tests=facts("test_winnow_drops_every_husk", "test_quern", "turns the mill both ways"),
    assets=(Asset(path="docs/logo.png", sha256="c" * 64),),
    versions=facts("1.4.2"),
    dates=facts("2031-03-07"),
)


def findings(
    text: str, path: str = "public/Full_PRD.md", known: Known | None = KNOWN, **given: object
) -> list[Finding]:
    item = Item(path=path, data=text.encode("utf-8", "replace"))
    made = detectors(known, background=NOTHING, **given)  # type: ignore[arg-type]
    return [finding for detector in made for finding in detector.findings(item, text)]


def seen(
    text: str, path: str = "public/Full_PRD.md", known: Known | None = KNOWN, **given: object
) -> list[tuple[str, str, str]]:
    return [(finding.rule, str(finding.found), finding.surface) for finding in findings(text, path, known, **given)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("see 9c1e2f7", ("commit", "hit", "9c1e2f7")),
        ("v1-3-g9c1e2f7a", ("commit", "hit", "9c1e2f7a")),
        (f"/commit/{ID.upper()}", ("commit", "hit", ID.upper())),
        ("number 1234567", ("commit", "review", "1234567")),
        ("write to hello@grainmill.tools", ("address", "hit", "hello@grainmill.tools")),
        ("write to orla.q@gmail.com.", ("address", "hit", "orla.q@gmail.com")),
        ("quernkeeper@mill.example.org", ("address", "hit", "quernkeeper@mill.example.org")),
        ("<https://docs.GRAINMILL.tools/x>", ("address", "hit", "https://docs.GRAINMILL.tools/x")),
        ("https://github.com/grainfolk/other", ("address", "hit", "https://github.com/grainfolk/other")),
        ("git+ssh://git@github.com/Grainfolk/grml.git", ("address", "hit", "git+ssh://git@github.com/Grainfolk/grml.git")),
        ("at www.grainmill.tools, daily", ("address", "hit", "grainmill.tools")),
        ("https://elsewhere.io/a", ("address", "review", "https://elsewhere.io/a")),
        ("somebody@elsewhere.io", ("address", "review", "somebody@elsewhere.io")),
        ("by ORLA  QUIBBLETON", ("person", "hit", "ORLA  QUIBBLETON")),
        ("# thanks to Orla\n# Quibbleton", ("person", "hit", "Orla\\n# Quibbleton")),
        ("zoe nunez-harrowgate", ("person", "hit", "zoe nunez-harrowgate")),
        ("as Quibbleton said", ("person", "hit", "Quibbleton")),
        ("as Orla said", ("person", "review", "Orla")),
        ("@quernkeeper", ("person", "hit", "quernkeeper")),
        ("orla_quibbleton", ("person", "hit", "orla_quibbleton")),
        ("Copyright 2011 Somebody Else", ("copyright", "hit", "Copyright 2011 Somebody Else")),
        ("// (c) 2019-2021 Flour Ltd.", ("copyright", "hit", "(c) 2019-2021 Flour Ltd.")),
        ("© Millers", ("copyright", "hit", "© Millers")),
        ("SPDX-FileCopyrightText: 2020 Pim <p@x.example>", ("copyright", "hit", "SPDX-FileCopyrightText: 2020 Pim <p@x.example>")),
        ("assert x == 0.982492", ("literal", "hit", "0.982492")),
        ("-0.982492", ("literal", "hit", "0.982492")),
        ("precision-matters = 1", ("literal", "hit", "precision-matters")),
        ('x = "say \\"flour\\" twice"', ("literal", "hit", 'say \\"flour\\" twice')),
        ("'Gr\\xf6\\xdfe der M\\xfchle'", ("literal", "hit", "Gr\\xf6\\xdfe der M\\xfchle")),
        ("It says: Cannot winnow <kernels>\nbecause  the hopper is dry.", ("message", "hit", "Cannot winnow <kernels>\\nbecause  the hopper is dry")),
        ("`the mill is shut on Sundays`", ("message", "hit", "the mill is shut on Sundays")),
        ("## Winnowing at the *quern*", ("heading", "hit", "Winnowing at the *quern*")),
        ("Chaffblower use\n---------------", ("heading", "review", "Chaffblower use")),
        ("see [it](#winnowing-at-the-quern)", ("heading", "hit", "winnowing-at-the-quern")),
        ("def test_winnow_drops_every_husk():", ("test-name", "hit", "test_winnow_drops_every_husk")),
        ("check_(winnow_drops_every_husk)", ("test-name", "hit", "winnow_drops_every_husk")),
        ("test_quern", ("test-name", "review", "test_quern")),
        ("it('turns the mill both ways')", ("test-name", "hit", "turns the mill both ways")),
        ("since version 1.4.2 of it", ("release", "review", "1.4.2")),
        ("released as v1.4.2", ("release", "review", "1.4.2")),
        ("on 7 March 2031", ("release", "review", "7 March 2031")),
        ("2031-03-07", ("release", "review", "2031-03-07")),
        ("\u0441lick", ("mixed-script", "hit", "\u0441lick")),
        ("\u0433\u043e\u0434\u0438\u043da", ("mixed-script", "review", "\u0433\u043e\u0434\u0438\u043da")),
    ],
)  # fmt: skip
def test_a_planted_fact_is_found(text: str, expected: tuple[str, str, str]) -> None:
    assert expected in [(rule, found, surface) for rule, found, surface in seen(text)]


@pytest.mark.parametrize(
    "text",
    [
        "\u00e4\u00df\u03bb\u0436\u05e9\u3042", "deadbeef", "9c1e2f", "9c1e2f8", "a9c1e2f7", "9c1e2f70", "0x9c1e2f7b",
        "user@example.com", "a@b.test", "https://example.org/x", "http://localhost:8080/a", "http://127.0.0.1/x",
        "https://www.rfc-editor.org/rfc/rfc4226", "https://docs.python.org/3/", "x@y", "matrix @ other.T", "@decorator.name",
        "://", "s3://bucket/key", "othergrainmill.tools", "grainmill.toolshed", "GRAINMILL",
        "orlas quibble", "Quibbletons", "will mark the page", "the orla flower", "superb", "super",
        "copyright notice", "Copyright (c) <year> <holder>", "Copyright [yyyy] [name of owner]", "(c) the third case",
        "Copyright 2031 The Task Authors", "copyright statement to Your modifications", "© 2020",
        "10.9824921", "0.9824921", "10.982492", "300710", "1.30071", "30071.5", "precision-mattersX", "precision matters",
        "Precision-Matters", "cannot winnow because it is dry", "the hopper is dry", "the mill is shut on sundayss",
        "winnowing at the quern", "# Winnowing at the querns", "xtest_quern", "test_querns", "winnow_drops",
        "value 1.4.2 here", "version 11.4.2", "version 1.4.2.9", "version 1.4.21", "2031-03-08", "12031-03-07",
        "naïve Größe", "привет world", "µm and Ωmega".replace("Ωmega", "Ω"),
        "test of a chaffblower", "5 \u03bcF", "\u03bcs",
    ],
)  # fmt: skip
def test_a_harmless_neighbour_is_not(text: str) -> None:
    assert seen(text) == []


def test_a_file_named_as_the_upstreams_is_reviewed_and_others_are_not() -> None:
    assert seen("", "tests/ChaffBlower.spec.js") == [("file-name", "review", "tests/ChaffBlower.spec.js")]
    assert seen("", "tests/blower.py") == []


def test_an_asset_is_told_by_its_bytes() -> None:
    import hashlib

    logo = b"\x89PNG\r\n\x1a\n of the mill"
    known = Known(assets=(Asset(path="docs/logo.png", sha256=hashlib.sha256(logo).hexdigest()),))
    (detector,) = [made for made in detectors(known) if made.rule == "asset"]

    def said(path: str, data: bytes) -> list[tuple[str, str]]:
        return [(str(finding.found), finding.term) for finding in detector.findings(Item(path=path, data=data), None)]

    assert said("other.dat", logo) == [("hit", "docs/logo.png")]
    assert said("other.dat", logo + b"!") == [("review", "other.dat")]
    assert said("a.dat", b"%PDF-1.7") == [("review", "a.dat")]
    assert said("a.txt", b"<svg xmlns='x'/>") == [("review", "a.txt")]
    assert said("a.txt", b"BM is how a text may begin") == []
    assert said("a.txt", b"") == []


def test_what_the_contract_fixes_may_stand() -> None:
    allow = Allow(literals=("precision-matters", "cannot winnow {kernels} because the hopper is dry"))
    assert seen("precision-matters", allow=allow) == []
    assert seen("cannot winnow 3 because the hopper is dry", allow=allow) == []
    assert seen("0.982492", allow=allow) != []


def test_a_host_of_the_upstream_is_never_allowed() -> None:
    assert seen("https://grainmill.tools/", allow=Allow(hosts=("grainmill.tools",)))[0][:2] == ("address", "hit")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"at {ID}", ("commit", "review", ID)),
        ("in commit 9c1e2f7", ("commit", "review", "9c1e2f7")),
        ("/blob/9c1e2f7ab/x", ("commit", "review", "9c1e2f7ab")),
        ("https://elsewhere.io/a", ("address", "review", "https://elsewhere.io/a")),
        ("Copyright 2011 Somebody Else", ("copyright", "hit", "Copyright 2011 Somebody Else")),
        ("Author: Thilda Quasterman", ("person", "review", "Thilda Quasterman")),
        ("thanks to Jan van Quasterman", ("person", "review", "Jan van Quasterman")),
        ("asked Hugo Quasterman", ("person", "review", "Hugo Quasterman")),
        ("use `leftpadder` here", ("package", "review", "leftpadder")),
        ("\u0441lick", ("mixed-script", "hit", "\u0441lick")),
    ],
)  # fmt: skip
def test_with_no_upstream_what_looks_like_identity_is_shown(text: str, expected: tuple[str, str, str]) -> None:
    assert expected in seen(text, known=None, is_package={"leftpadder"}.__contains__)


@pytest.mark.parametrize(
    "text",
    ["deadbeef", "a" * 40, "1" * 40, "commit message", "9c1e2f7", "revision 1234567", f"sha256 {'ab12' * 16}",
     "written by the author", "by The Way", "Will Time tell", "use `leftpadders` here", "leftpadder", "`x.y`"],
)  # fmt: skip
def test_with_no_upstream_ordinary_text_is_quiet(text: str) -> None:
    assert seen(text, known=None, is_package={"leftpadder"}.__contains__) == []


def test_a_finding_says_where() -> None:
    (finding,) = findings("first\n\u0130x see 0.982492\n")
    assert (finding.line, finding.column, finding.term, finding.rule) == (2, 8, "0.982492", "literal")
    (finding,) = findings("e\u0301 \u0130\nby orla  quibbleton")
    assert (finding.line, finding.column, finding.surface) == (2, 4, "orla  quibbleton")


def test_the_same_text_gives_the_same_findings_in_the_same_order() -> None:
    text = "orla quibbleton 9c1e2f7 0.982492 https://a.io the mill is shut on sundays\n" * 30
    assert findings(text) == findings(text)


@pytest.mark.parametrize(
    "piece",
    [
        "precision-matters ",
        "orla quibbleton ",
        "a@b.",
        "://",
        "©",
        "0.982492",
        "cannot winnow ",
        "\n#\t",
        "9c1e2f7 ",
        "`a`",
    ],
)
def test_one_giant_line_is_searched(piece: str) -> None:
    text = piece * (1_000_000 // len(piece)) + " the mill is shut on sundays"
    assert "the mill is shut on sundays" in {surface for _, _, surface in seen(text)}


def test_ten_thousand_messages_with_one_beginning_are_searched() -> None:
    known = Known(messages=facts(*(f"cannot winnow \0 because of reason {n}" for n in range(10_000))))
    text = "cannot winnow x because of reason 777\n" * 2000
    assert ("message", "hit", "cannot winnow x because of reason 777") in seen(text, known=known)


def test_nothing_known_finds_nothing_and_nested_needles_are_all_found() -> None:
    assert seen("orla quibbleton 0.982492", known=Known()) == []
    known = Known(literals=facts("mill-race", "mill-race-gate"))
    assert [surface for _, _, surface in seen("mill-race-gate", known=known)] == ["mill-race", "mill-race-gate"]


def test_a_needle_across_the_pieces_of_a_long_text_is_found_once() -> None:
    for shift in range(-20, 3):
        text = "x" * (16 * 1024 + shift - 1) + " precision-matters"
        assert [surface for _, _, surface in seen(text)] == ["precision-matters"]


def test_half_a_character_in_a_text_does_no_harm() -> None:
    assert ("literal", "hit", "precision-matters") in seen("\udc80 precision-matters \ud800")


def test_a_reply_is_looked_at_by_names_and_by_facts(tmp_path: Path) -> None:
    term = Term(surface="BrassMonocle", grade=Grade.IDENTIFYING, kind="project", sources=("order",))
    glued = Term(surface="grmlhttp", grade=Grade.IDENTIFYING, kind="project", sources=("a:1",))
    known = KNOWN.model_copy(update={"terms": (glued,)})
    search = ReplySearch(scanner=Scanner((term, glued)), detectors=detectors(known))
    found = search.findings("As in brass_monocle,\nuse grmlhttp and 0.982492.")
    assert [(finding.line, finding.rule, finding.surface) for finding in found] == [
        (1, "term", "brass_monocle"),
        (2, "term", "grmlhttp"),
        (2, "literal", "0.982492"),
    ]
    assert search.findings("A library that counts marks in lines.") == ()
    knowing_nothing = ReplySearch(scanner=Scanner((term,)), detectors=detectors(None))
    assert [finding.rule for finding in knowing_nothing.findings("see https://elsewhere.io")] == ["address"]
