"""Rows of text with the verdict that the scan owes them: the kinds of the specification, in words of our own."""

from __future__ import annotations

import pytest

from neutralize.scan import Scanner
from taskpack.rename import Grade, Term

BENIGN = ("double-fetch", "pre-fetch", "fetch-and-carry", "one-fetch")


def verdict(surface: str, grade: str, text: str, kind: str = "project") -> str:
    term = Term(surface=surface, grade=Grade(grade), kind=kind, sources=("order",))
    return str(Scanner([term], benign=BENIGN).verdict(text))


GENERIC = [
    ("`fetch`", "hit"),
    ("Fetch", "hit"),
    ("fetchOptions", "hit"),
    ("fetch-context", "hit"),
    ("pyfetch2", "hit"),
    ("fetch.testing", "hit"),
    ("src/fetch/core.py", "hit"),
    ("test_fetch.py", "hit"),
    ("HTTPFetchParser", "hit"),
    ('print("\\tfetch")', "hit"),
    ('print("\\\\tfetch")', "miss"),
    ("'%dfetch'", "hit"),
    ("-DFETCH_DEBUG=1", "hit"),
    ("gcc -lfetch", "hit"),
    ("fetch==8.1", "hit"),
    ("_fetch_internal", "hit"),
    ("__FETCH__", "hit"),
    ("docs/#fetch-options", "hit"),
    ("fetch2 and more", "hit"),
    ("the client fetched twice", "miss"),
    ("fetches", "miss"),
    ("FETCHING", "miss"),
    ("fetchable", "miss"),
    ("double-fetch the row", "miss"),
    ("a fetch-and-carry job", "miss"),
    ("to fetch and carry the row", "review"),
    ("a fetch failed here.", "review"),
    ("Lists what to fetch, then stops.", "review"),
    ("f.e.t.c.h", "miss"),
    ("fletch", "miss"),
    ("rich-fetch", "hit"),
    ("fetch-8.1.7.tar.gz", "hit"),
    ("with_fetch_context", "hit"),
    ("withfetch", "hit"),
    ("fetchpkg", "miss"),
    ("f\u0435tch", "hit"),
    ("fetc\u04bb", "hit"),
    ("fe7ch", "miss"),
    ("\x1b[<0;1;1Mfetch", "hit"),
    ("\\033[31mfetch", "hit"),
    ("import fetch", "hit"),
    ("pip install fetch", "hit"),
    ("```\nto fetch now\n```", "hit"),
    ("use `to fetch now`", "hit"),
    ("fetch.get(url)", "hit"),
    ("\u4f7f\u7528fetch\u5e93", "hit"),
]
IDENTIFYING = [
    ("BrassMonocle", "hit"),
    ("brass_monocle", "hit"),
    ("brassmonocle's", "hit"),
    ("brass.monocle", "hit"),
    ("brass::monocle", "hit"),
    ("pybrassmonoclehelper", "hit"),
    ("the brass monocle on his nose", "miss"),
    ("brass, monocle", "miss"),
    ('"brassmo" + "nocle"', "hit"),
    ("'brassmo' 'nocle'", "hit"),
    ('"brassmo"\n    "nocle"', "hit"),
    ("brassmo-\n  nocle", "hit"),
    ("# brassmo-\n# nocle", "hit"),
    ("brassmo\\\nnocle", "hit"),
    ("brass%6donocle", "hit"),
    ("brass%256donocle", "hit"),
    ("brass&#109;onocle", "hit"),
    ("brass&#x6d;onocle", "hit"),
    ("brass\\u006donocle", "hit"),
    ("\\x62rassmonocle", "hit"),
    ("brass\\155onocle", "hit"),
    ("brass\u200bmonocle", "hit"),
    ("brass\u00admonocle", "hit"),
    ("\uff42\uff52\uff41\uff53\uff53monocle", "hit"),
    ("br\u00e1ssmon\u00f6cle", "hit"),
    ("brass\u2011monocle", "hit"),
    ("brass\u2014monocle", "hit"),
    ("oenffzbabpyr", "hit"),
    ("elconomssarb", "hit"),
    ("62726173736d6f6e6f636c65", "hit"),
    ("brassmonocl", "miss"),
]
DISTINCTIVE = [
    ("q17", "q17", "hit"),
    ("q17", "import q17._readers", "hit"),
    ("q17", "q170", "miss"),
    ("q17", "faq17", "miss"),
    ("q17", "q-17", "hit"),
    ("q17", "q1.7", "miss"),
    ("ovo", "ovo::parse", "hit"),
    ("ovo", "-DOVO_TESTING=ON", "hit"),
    ("ovo", "ovoid", "miss"),
    ("ovo", "ovoParse", "hit"),
    ("ovo", "denovo", "miss"),
    ("ovo", "libovo", "hit"),
    ("ovo", "x4 a7Kq9Zovo3Xy8Lm2Pb5Rt1Vw6 y", "miss"),
    ("ovo", "a7Kq9Z/ovo/3Xy8Lm2Pb5Rt1Vw6", "hit"),
    ("tomri", "tomri_w", "hit"),
    ("tomri", "tomrish", "miss"),
    ("tomri", "tomrri", "miss"),
    ("vats", "vats-eco/x", "hit"),
]
HYPHENED = [
    ("kettle-vfs", "kettle-vfs", "hit"),
    ("kettle-vfs", "kettle vfs", "hit"),
    ("kettle-vfs", "kettle\nvfs", "hit"),
    ("kettle-vfs", "kettlevfs", "hit"),
    ("kettle-vfs", "kettle/vfs", "hit"),
    ("kettle-vfs", "teakettle vfs", "miss"),
]
LITERAL = [
    ("odd-margins", "odd-margins = 0.771204", "hit"),
    ("odd-margins", "odd margins matter", "miss"),
    ("odd-margins", "Odd-margins", "miss"),
    ("0.771204", "assert x == 0.771204", "hit"),
    ("0.771204", "10.7712041", "miss"),
    ("Counts things the old way.", "Counts things\nthe old  way.", "hit"),
]
PEOPLE = [
    ("Odo Fennimore", "Odo Fennimore", "hit"),
    ("Odo Fennimore", "odo.fennimore@example.org", "hit"),
    ("Odo Fennimore", "Odo F.", "miss"),
    ("Jos\u00e9 N\u00fa\u00f1ez", "Jose Nunez", "hit"),
    ("Jose Nunez", "Jos\u00e9 N\u00fa\u00f1ez", "hit"),
]


@pytest.mark.parametrize(("text", "expected"), GENERIC)
def test_a_generic_name_counts_where_it_is_a_name(text: str, expected: str) -> None:
    assert verdict("fetch", "G", text) == expected


@pytest.mark.parametrize(("text", "expected"), IDENTIFYING)
def test_an_identifying_name_counts_anywhere(text: str, expected: str) -> None:
    assert verdict("BrassMonocle", "I", text) == expected


@pytest.mark.parametrize(("surface", "text", "expected"), DISTINCTIVE)
def test_a_short_name_counts_between_boundaries(surface: str, text: str, expected: str) -> None:
    assert verdict(surface, "D", text) == expected


@pytest.mark.parametrize(("surface", "text", "expected"), HYPHENED)
def test_a_hyphened_name_may_be_written_in_two_words(surface: str, text: str, expected: str) -> None:
    assert verdict(surface, "I", text) == expected


@pytest.mark.parametrize(("surface", "text", "expected"), LITERAL)
def test_a_literal_counts_exactly(surface: str, text: str, expected: str) -> None:
    assert verdict(surface, "L", text, kind="literal") == expected


@pytest.mark.parametrize(("surface", "text", "expected"), PEOPLE)
def test_a_person_is_found_by_the_full_name(surface: str, text: str, expected: str) -> None:
    assert verdict(surface, "I", text, kind="person") == expected


def test_a_public_identifier_counts_as_code_writes_it_and_not_as_prose_does() -> None:
    for text in ("BadTicket", "bad_ticket", "BAD_TICKET", "BadTicketError", "test_bad_ticket"):
        assert verdict("BadTicket", "D", text, kind="api-identifier") == "hit", text
    for text in ("a bad ticket", "bad-ticket", "bad.ticket"):
        assert verdict("BadTicket", "D", text, kind="api-identifier") == "miss", text


def test_a_name_in_base64_is_found_at_every_alignment() -> None:
    import base64

    for shift in range(3):
        for name in ("BrassMonocle", "brassmonocle", "brass-monocle"):
            for encode in (base64.b64encode, base64.urlsafe_b64encode):
                text = encode(b"\xfb" * shift + name.encode() + b"\xff tail").decode()
                assert verdict("BrassMonocle", "I", f"x = '{text}'") == "hit", (shift, name, text)
