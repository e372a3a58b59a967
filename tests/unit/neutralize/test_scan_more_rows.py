"""More rows of every kind of the specification, written from it alone: other names, other grades, readings in readings."""

from __future__ import annotations

import base64

import pytest

from neutralize.scan import Scanner
from taskpack.rename import Grade, Term

BENIGN = ("general-ledger", "ledger-and-pen")


def verdict(surface: str, grade: str, text: str, kind: str = "project") -> str:
    term = Term(surface=surface, grade=Grade(grade), kind=kind, sources=("order",))
    return str(Scanner([term], benign=BENIGN).verdict(text))


ONE_WORD = [
    ("numpy", "import numpy as np", "hit"),
    ("numpy", "NumPy", "hit"),
    ("numpy", "numpy's arrays", "hit"),
    ("numpy", "NUMPY_INCLUDE_DIRS", "hit"),
    ("numpy", "libnumpy", "hit"),
    ("numpy", "gcc -lnumpy", "hit"),
    ("numpy", "-DNUMPY_CORE", "hit"),
    ("numpy", '"%dnumpy"', "hit"),
    ("numpy", '"%5.2fnumpy"', "hit"),
    ("numpy", "'\\rnumpy'", "hit"),
    ("numpy", "'\\\\\\\\tnumpy'", "miss"),
    ("numpy", "\x1b[38;5;12mnumpy\x1b[0m", "hit"),
    ("numpy", "testnumpy2", "hit"),
    ("numpy", "numpyconfig", "hit"),
    ("numpy", "with_numpy_arrays", "hit"),
    ("numpy", "fromNumpyArray", "hit"),
    ("numpy", "RAWNumpyArray", "hit"),
    ("numpy", "numpydoc", "miss"),
    ("numpy", "numpyro", "miss"),
    ("numpy", "cunumpy", "miss"),
    ("numpy", "num-py", "miss"),
    ("numpy", "num py", "miss"),
    ("numpy", "n\u00adumpy", "hit"),
    ("numpy", "nu\u043cpy", "hit"),
    ("numpy", "n\u03c5mpy", "hit"),
    ("numpy", "\U0001d4c3umpy", "hit"),
    ("numpy", "n\u200bumpy", "hit"),
    ("numpy", "n%75mpy", "hit"),
    ("numpy", "n%2575mpy", "hit"),
    ("numpy", "%25%37%35mpy", "miss"),
    ("numpy", "n%25%37%35mpy", "hit"),
    ("numpy", "&#110;umpy", "hit"),
    ("numpy", "&#x6E;umpy", "hit"),
    ("numpy", "\\x6eumpy", "hit"),
    ("numpy", "\\u006eumpy", "hit"),
    ("numpy", "\\156umpy", "hit"),
    ("numpy", "'num' + 'py'", "hit"),
    ("numpy", '"num" "py"', "hit"),
    ("numpy", "num-\n  py", "hit"),
    ("numpy", "num\\\npy", "hit"),
    ("numpy", "bnVtcHk=", "miss"),
    ("numpy", "ahzcl", "miss"),
    ("numpy", "ypmun", "miss"),
    ("numpy", "6e756d7079", "miss"),
    ("typer", "7yp3r", "miss"),
    ("typer", "typer==0.9", "hit"),
    ("typer", "prototyper", "miss"),
    ("typer", "typers", "miss"),
    ("attrs", "attrs.define", "hit"),
    ("attrs", "xattrs", "hit"),
    ("attrs", "fattrs", "miss"),
    ("attrs", "a7Kq9Zattrs3Xy8Lm2Pb5Rt1Vw6", "miss"),
    ("attrs", "a7Kq9Z-attrs-3Xy8Lm2Pb5Rt1Vw6", "hit"),
]
WITH_DIGITS = [
    ("s3fs", "s3fs", "hit"),
    ("s3fs", "S3FS_CACHE", "hit"),
    ("s3fs", "S3Fs", "hit"),
    ("s3fs", "s3-fs", "hit"),
    ("s3fs", "s3.fs", "hit"),
    ("s3fs", "s_3_fs", "hit"),
    ("s3fs", "s3::fs", "hit"),
    ("s3fs", "s3:::fs", "miss"),
    ("s3fs", "s3 fs", "miss"),
    ("s3fs", "s3fs2", "hit"),
    ("s3fs", "s3fsx", "hit"),
    ("s3fs", "s3fsz", "miss"),
    ("s3fs", "aws3fs", "miss"),
    ("s3fs", "gos3fs", "hit"),
    ("s3fs", "s33fs", "miss"),
    ("s3fs", "s%33fs", "hit"),
    ("s3fs", "s\uff13fs", "hit"),
    ("h5py", "h5py.File", "hit"),
    ("h5py", "h5-py", "hit"),
    ("h5py", "h5pyd", "hit"),
    ("h5py", "h5pyq", "miss"),
    ("h2", "h2.connection", "hit"),
    ("h2", "h-2", "hit"),
    ("h2", "h.2", "miss"),
    ("h2", "h:2", "miss"),
    ("h2", "h2c", "hit"),
    ("h2", "oh2", "miss"),
    ("h2", "h22", "miss"),
]
TWO_WORDS = [
    ("Quiet Harbor", "a quiet harbor", "hit"),
    ("Quiet Harbor", "quiet\nharbor", "hit"),
    ("Quiet Harbor", "QuietHarbor", "hit"),
    ("Quiet Harbor", "QUIET_HARBOR_HOME", "hit"),
    ("Quiet Harbor", "quiet--harbor", "hit"),
    ("Quiet Harbor", "quiet---harbor", "miss"),
    ("Quiet Harbor", "quiet/harbor", "hit"),
    ("Quiet Harbor", "quiet\\harbor", "hit"),
    ("Quiet Harbor", "disquietharbor", "hit"),
    ("Quiet Harbor", "disquiet harbor", "miss"),
    ("Quiet Harbor", "quiet harbors", "miss"),
    ("Quiet Harbor", "quiet, harbor", "miss"),
    ("Quiet Harbor", "quiet%20harbor", "hit"),
    ("Quiet Harbor", "quiet&nbsp;harbor", "hit"),
    ("Quiet Harbor", "'quiet' + 'harbor'", "hit"),
    ("ox-db", "ox-db", "hit"),
    ("ox-db", "oxdb", "hit"),
    ("ox-db", "ox db", "hit"),
    ("ox-db", "fox db", "miss"),
    ("ox-db", "ox/db", "hit"),
    ("ox-db", "ox...db", "miss"),
    ("ox-db", "OxDb", "hit"),
    ("ox-db", "ox\u2010db", "hit"),
]
HIDDEN = [
    "F1zzleGr1t",
    "fizz1egrit",
    "tirgelzzif",
    "TIRGELZZIF",
    "svmmyrtevg",
    "66697a7a6c6567726974",
    "66697A7A6C6567726974",
    "fizzle\\\ngrit",
    "// fizzle-\n// grit",
    "%5Cu0066izzlegrit",
    "&#92;x66izzlegrit",
    "&amp;#102;izzlegrit",
    "\\x25\\x36\\x36izzlegrit",
    "%26%23102%3Bizzlegrit",
    "\\u0026#102;izzlegrit",
    "%2566izzlegrit",
    "%252566izzlegrit",
    "\\u{66}izzlegrit",
    "\\U00000066izzlegrit",
    "\\146izzlegrit",
    "\\\\x66izzlegrit",
    "fizzle\x1b[31mgrit",
    "\x1b[1;31mfizzlegrit\x1b[0m",
    '"fizzle" . "grit"',
    '"fizzle" .. "grit"',
    '"fizzle" & "grit"',
    '"fizzle" \\\n    "grit"',
    "f'fizzle' f'grit'",
    '"fi" + "zz" + "le" + "gr" + "it"',
    '"fizz%6Ce" + "grit"',
    "'fizzl\\x65' 'grit'",
    "['fizzleg', 'rit']",
    "fizzle\u200dgrit",
    "fizzle\U000e0067grit",
    "f\u00efzzlegr\u00eet",
    "\U0001d41f\U0001d422\U0001d433\U0001d433legrit",
    "\u24d5\u24d8\u24e9\u24e9legrit",
    "\ua730\u026a\u1d22\u1d22legrit",
    "f\u03b9zzlegrit",
    "fizzle\u2011grit",
    "x-fizzle.grit.example",
    "afizzlegritz",
    "fizzlegrit@mail.example",
]
NOT_HIDDEN = [
    "fizzIegrit",
    "fizzle9rit",
    "\\u66izzlegrit",
    "fizzle grit",
    "fizzle. Grit",
    "f.i.z.z.l.e.g.r.i.t",
    "fizzleg rit",
    "grit fizzle",
    "%2566%69zzle grit",
]
PROSE = [
    ("the ledger was lost", "review"),
    ("keep a ledger.", "review"),
    ("write it in the ledger, then rest", "review"),
    ("ledgers", "miss"),
    ("LEDGERS", "miss"),
    ("ledgered", "miss"),
    ("ledgering", "miss"),
    ("ledgerable", "miss"),
    ("ledgerly", "miss"),
    ("the general-ledger entry", "miss"),
    ("a ledger-and-pen man", "miss"),
    ("ledger-cli", "hit"),
    ("my-ledger", "hit"),
    ("ledger_id", "hit"),
    ("ledger.load()", "hit"),
    ('"ledger"', "hit"),
    ("`ledger`", "hit"),
    ("Ledger", "hit"),
    ("LEDGER", "hit"),
    ("myLedger", "hit"),
    ("ledger2", "hit"),
    ("2ledger", "hit"),
    ("subledger", "miss"),
    ("reledger", "hit"),
    ("ledgerx", "hit"),
    ("ledgerz", "miss"),
    ("l\u0435dger()", "hit"),
    ("led\u00adger()", "hit"),
    ("led%67er()", "hit"),
    ("'led' + 'ger'", "hit"),
]
PERSONS = [
    ("Mara Quillfeather", "hit"),
    ("MARA QUILLFEATHER", "hit"),
    ("mara.quillfeather@mail.example", "hit"),
    ("Mara\nQuillfeather", "hit"),
    ("Mar\u0101 Quillfeather", "hit"),
    ("maraquillfeather", "hit"),
    ("M. Quillfeather", "miss"),
    ("Quillfeather, Mara", "miss"),
    ("Tamara Quillfeather", "miss"),
    ("TWFyYSBRdWlsbGZlYXRoZXI=", "hit"),
]
EXACT = [
    ("tidy-margins", "set tidy-margins.", "hit"),
    ("tidy-margins", "x_tidy-margins", "miss"),
    ("tidy-margins", "tidy-margins2", "miss"),
    ("tidy-margins", "Tidy-margins", "miss"),
    ("tidy-margins", "tidy_margins", "miss"),
    ("3.14590217", "f(-3.14590217)", "hit"),
    ("3.14590217", "13.14590217", "miss"),
    ("3.14590217", "3.145902170", "miss"),
]


@pytest.mark.parametrize(("surface", "text", "expected"), ONE_WORD + WITH_DIGITS)
def test_a_distinctive_name_counts_between_boundaries(surface: str, text: str, expected: str) -> None:
    assert verdict(surface, "D", text) == expected


@pytest.mark.parametrize(("surface", "text", "expected"), TWO_WORDS)
def test_a_name_of_two_words_is_found_however_they_are_joined(surface: str, text: str, expected: str) -> None:
    assert verdict(surface, "I" if surface[0].isupper() else "D", text) == expected


@pytest.mark.parametrize("text", HIDDEN)
def test_a_hidden_name_is_found(text: str) -> None:
    assert verdict("FizzleGrit", "I", text) == "hit"


@pytest.mark.parametrize("text", NOT_HIDDEN)
def test_what_is_no_spelling_of_the_name_is_not_found(text: str) -> None:
    assert verdict("FizzleGrit", "I", text) == "miss"


@pytest.mark.parametrize("wrap", ["{}", "x={}", "key: '{}'", "%22{}", "a\\n{}"])
@pytest.mark.parametrize("shift", range(3))
def test_base64_is_found_wherever_it_begins(shift: int, wrap: str) -> None:
    code = base64.urlsafe_b64encode(b"\xfe" * shift + b"fizzle_grit and more").decode()
    assert verdict("FizzleGrit", "I", wrap.format(code)) == "hit"


@pytest.mark.parametrize(("text", "expected"), PROSE)
def test_a_word_counts_where_it_is_a_name(text: str, expected: str) -> None:
    assert verdict("ledger", "G", text) == expected


@pytest.mark.parametrize(("text", "expected"), PERSONS)
def test_a_person_counts_by_the_whole_name(text: str, expected: str) -> None:
    assert verdict("Mara Quillfeather", "I", text, kind="person") == expected


@pytest.mark.parametrize(("surface", "text", "expected"), EXACT)
def test_a_literal_counts_as_it_is(surface: str, text: str, expected: str) -> None:
    assert verdict(surface, "L", text, kind="literal") == expected
