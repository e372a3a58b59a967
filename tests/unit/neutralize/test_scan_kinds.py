"""The rows of the specification's table, and for each kind of row several more: other names, other grades."""

from __future__ import annotations

import base64
import codecs

import pytest

from neutralize.scan import Scanner
from taskpack.rename import Grade, Term

BENIGN = (
    *("double-click", "right-click", "left-click", "single-click", "one-click", "click-through", "click-and-drag"),
    *("point-and-click", "pull-requests", "quick-rich", "merge-march"),
)


def verdict(surface: str, grade: str, text: str, kind: str = "project") -> tuple[str, str]:
    """The verdict, and the view of the first finding."""
    term = Term(surface=surface, grade=Grade(grade), kind=kind, sources=("order",))
    scanner = Scanner([term], benign=BENIGN)
    found = scanner.findings(text, "a.txt")
    return str(scanner.verdict(text)), found[0].view if found else ""


# The names are spelled so that the scan knows their words.
TABLE = [
    ("click", "G", "`click`", "hit", "raw"),
    ("click", "G", "Click", "hit", "raw"),
    ("click", "G", "clickHandler", "hit", "raw"),
    ("click", "G", "click-context", "hit", "raw"),
    ("click", "G", "pyclick2", "hit", "raw"),
    ("click", "G", "click.testing", "hit", "raw"),
    ("click", "G", "src/click/core.py", "hit", "raw"),
    ("click", "G", "test_click.py", "hit", "raw"),
    ("click", "G", "XMLClickParser", "hit", "raw"),
    ("click", "G", 'print("\\nclick")', "hit", "raw"),
    ("click", "G", "-DCLICK_DEBUG=1", "hit", "raw"),
    ("click", "G", "click==8.1", "hit", "raw"),
    ("click", "G", "_click_internal", "hit", "raw"),
    ("click", "G", "__CLICK__", "hit", "raw"),
    ("click", "G", "docs/#click-options", "hit", "raw"),
    ("click", "G", "the user clicked twice", "miss", ""),
    ("click", "G", "clicks", "miss", ""),
    ("click", "G", "double-click the icon", "miss", ""),
    ("click", "G", "clickable", "miss", ""),
    ("click", "G", "cliques", "miss", ""),
    ("click", "G", "press and click the button", "review", "raw"),
    ("click", "G", "c.l.i.c.k", "miss", ""),
    ("ItsDangerous", "I", "ItsDangerous", "hit", "raw"),
    ("ItsDangerous", "I", "its_dangerous", "hit", "raw"),
    ("ItsDangerous", "I", "it's dangerous to go alone", "miss", ""),
    ("ItsDangerous", "I", "its dangerous side", "miss", ""),
    ("ItsDangerous", "I", '"itsdan" + "gerous"', "hit", "string-join"),
    ("ItsDangerous", "I", "'itsdan' 'gerous'", "hit", "string-join"),
    ("ItsDangerous", "I", "itsdan-\n  gerous", "hit", "dehyphenated"),
    ("ItsDangerous", "I", "# itsdan-\n# gerous", "hit", "dehyphenated"),
    ("ItsDangerous", "I", "its%64angerous", "hit", "percent"),
    ("ItsDangerous", "I", "its&#100;angerous", "hit", "entity"),
    ("ItsDangerous", "I", "its\\u0064angerous", "hit", "escape"),
    ("ItsDangerous", "I", "\\x69tsdangerous", "hit", "escape"),
    ("ItsDangerous", "I", "its\u200bdangerous", "hit", "raw"),
    ("ItsDangerous", "I", "\uff49\uff54\uff53\uff44\uff41\uff4e\uff47\uff45\uff52\uff4f\uff55\uff53", "hit", "raw"),
    ("ItsDangerous", "I", "its\u2011dangerous", "hit", "raw"),
    ("ItsDangerous", "I", "eyJpZCI6NSwibmFtZSI6Iml0c2Rhbmdlcm91cyJ9.6YP6T0BaO67XP", "hit", "base64"),
    ("ItsDangerous", "I", "vgfqnatrebhf", "hit", "rot13"),
    ("ItsDangerous", "I", "suoregnadsti", "hit", "reversed"),
    ("h11", "D", "h11", "hit", "raw"),
    ("h11", "D", "import h11._readers", "hit", "raw"),
    ("h11", "D", "h110", "miss", ""),
    ("h11", "D", "sha11", "miss", ""),
    ("h11", "D", "h-11", "hit", "raw"),
    ("ada", "D", "ada::parse", "hit", "raw"),
    ("ada", "D", "-DADA_TESTING=ON", "hit", "raw"),
    ("ada", "D", "adapter", "miss", ""),
    ("ada", "D", "adaParse", "hit", "raw"),
    ("ada", "D", "metadata", "miss", ""),
    ("git-lfs", "I", "git-lfs", "hit", "raw"),
    ("git-lfs", "I", "git lfs", "hit", "raw"),
    ("git-lfs", "I", "gitlfs", "hit", "raw"),
    ("git-lfs", "I", "git.lfs", "hit", "raw"),
    ("tomli", "D", "tomllib", "miss", ""),
    ("tomli", "D", "tomli_w", "hit", "raw"),
    ("tomli", "D", "tomlish", "miss", ""),
    ("Armin Ronacher", "I", "Armin Ronacher", "hit", "raw"),
    ("Armin Ronacher", "I", "armin.ronacher@example.org", "hit", "raw"),
    ("Armin Ronacher", "I", "Armin R.", "miss", ""),
    ("palletsprojects", "I", "https://palletsprojects.com/p/x", "hit", "raw"),
    ("pallets", "D", "pallets-eco/x", "hit", "raw"),
    ("js-yaml", "I", "js/yaml", "hit", "raw"),
    ("click", "G", "a click event handler", "review", "raw"),
    ("click", "G", "CLICKED", "miss", ""),
    ("click", "G", "rich-click", "hit", "raw"),
    ("click", "G", "click-8.1.7.tar.gz", "hit", "raw"),
    ("click", "G", "with_click_context", "hit", "raw"),
    ("click", "G", "clickpkg", "miss", ""),
    ("click", "G", "\u0441lick", "hit", "raw"),
    ("click", "G", "cIick", "miss", ""),
    ("click", "G", "\x1b[<0;1;1Mclick", "hit", "raw"),
    ("click", "G", "\\x1b[<0;1;1Mclick", "hit", "raw"),
    ("ItsDangerous", "I", "itsdangerous's", "hit", "raw"),
    ("ItsDangerous", "I", "its.dangerous", "hit", "raw"),
    ("requests", "G", "the server requests a token", "review", "raw"),
    ("requests", "G", "requests.get(url)", "hit", "raw"),
    ("rich", "G", "enrich", "miss", ""),
    ("rich", "G", "richer output", "miss", ""),
    ("davidism", "I", "davidism@gmail.com", "hit", "raw"),
    ("git-lfs", "I", "digit lfs", "miss", ""),
    ("precision-matters", "L", "precision-matters = 0.982492", "hit", "raw"),
    ("precision-matters", "L", "precision matters a lot", "miss", ""),
    ("0.982492", "L", "assert x == 0.982492", "hit", "raw"),
    ("0.982492", "L", "10.9824921", "miss", ""),
]

BETWEEN_BOUNDARIES = [
    ("march", "`march`", "hit"),
    ("march", "March(3)", "hit"),
    ("march", "marchPast", "hit"),
    ("march", "libmarch3", "hit"),
    ("march", "marchutils", "hit"),
    ("march", "marchctx", "hit"),
    ("march", "from march import x", "hit"),
    ("march", "JSONMarchReader", "hit"),
    ("march", "lib/march/read.rs", "hit"),
    ("march", "'\\tmarch'", "hit"),
    ("march", "'\\\\\\nmarch'", "hit"),
    ("march", "'\\\\nmarch'", "miss"),
    ("march", "'%03dmarch'", "hit"),
    ("march", "cc -lmarch", "hit"),
    ("march", "-Dmarch_x=1", "hit"),
    ("march", "march>=2,<3", "hit"),
    ("march", "march@2.1", "hit"),
    ("march", "#march-past", "hit"),
    ("march", "\x1b[0mmarch", "hit"),
    ("march", "\\033[1;31mmarch", "hit"),
    ("march", "\\e[Kmarch", "hit"),
    ("march", "%0Amarch", "hit"),
    ("march", "a&#10;march", "hit"),
    ("march", "x\\x0amarch", "hit"),
    ("march", "m\u0430rch()", "hit"),
    ("march", "\uff4darch()", "hit"),
    ("march", "they marched on", "miss"),
    ("march", "MARCHES", "miss"),
    ("march", "marching", "miss"),
    ("march", "march-test", "hit"),
    ("march", "a merge-march here", "miss"),
    ("march", "countermarch", "miss"),
    ("march", "marchioness", "miss"),
    ("march", "rnarch", "miss"),
    ("march", "m4rch", "miss"),
    ("march", "hcram", "miss"),
    ("march", "znepu", "miss"),
    ("march", "m-arch", "miss"),
    ("march", "we march at dawn", "review"),
    ("march", "(march in step)", "review"),
    ("march", "stop, march, and halt", "review"),
    ("march", "march (the package)", "review"),
    ("march", "the package march", "hit"),
    ("march", "see (march)", "hit"),
]
SHORT = [
    ("k9s", "k9s", "hit"),
    ("k9s", "k9s-plugin", "hit"),
    ("k9s", "k_9-s", "hit"),
    ("k9s", "k9.s", "miss"),
    ("k9s", "k9sx9", "hit"),
    ("k9s", "k9south", "miss"),
    ("k9s", "ack9s", "miss"),
    ("uvi", "uvi::x", "hit"),
    ("uvi", "UVI_HOME", "hit"),
    ("uvi", "pyuvi", "hit"),
    ("uvi", "uvihttp", "hit"),
    ("uvi", "fluvial", "miss"),
    ("uvi", "uvid", "hit"),
    ("uvi", "uvic", "miss"),
    ("uvi", "uvix2", "hit"),
    ("uvi", "uviol", "miss"),
    ("uvi", "deadbeef12uvi34cafe5678Qz90uvi1aB", "miss"),
    ("eda", "da39a3ee5e6b4b0d3255bfef95601890eda80709", "miss"),
    ("eda", "DA39A3EE5E6B4B0D3255BFEF95601890EDA80709", "miss"),
    ("eda", "/da39a3ee/eda/2255bfef", "hit"),
    ("eda", "(merge 1cedad6f65 later)", "miss"),
    ("eda", "ceda7308ad", "miss"),
    ("eda", "0xEDA3", "miss"),
    ("eda", "U+EDA3 and \\\\ueda1", "miss"),
    ("eda", "eda2005", "hit"),
    ("eda", "#eda", "hit"),
    ("h2o", "h2o.init()", "hit"),
    ("h2o", "h2o2", "hit"),
    ("h2o", "h20", "miss"),
    ("h2o", "h2on", "miss"),
    ("d3", "d3.select", "hit"),
    ("d3", "md3", "miss"),
    ("d3", "d3-scale", "hit"),
    ("d3", "d.3", "miss"),
    ("xlib", "xlib_open", "hit"),
    ("xlib", "xlibris", "miss"),
]
VIEWS = [
    ("\"brassmo\" + 'nocle'", "string-join"),
    ('"brassmo"."nocle"', "string-join"),
    ("'brassmo' .. 'nocle'", "string-join"),
    ('"brassmo" & "nocle"', "string-join"),
    ('"brassmo" &\n    "nocle"', "string-join"),
    ('"brassmo"\n    + "nocle"', "string-join"),
    ('"brassmo" +\n    "nocle"', "string-join"),
    ('"brassmo"  # first\n    "nocle"', "string-join"),
    ('("brassmo") + ("nocle")', "string-join"),
    ('"brassmo" \\\n  "nocle"', "string-join"),
    ('"bra" + "ss" + "mon" + "" + "ocle"', "string-join"),
    ("rb'brassmo' Rb'nocle'", "string-join"),
    ('"""brassmo""" """nocle"""', "string-join"),
    ("`brassmo` + `nocle`", "string-join"),
    ('\\"brassmo\\" + \\"nocle\\"', "string-join"),
    ("'brassmo' || 'nocle'", "string-join"),
    ("\"y\" # x = 'brassmo' +\n   'nocle'", "string-join"),
    ("['brassmo', 'nocle']", "list-join"),
    ('("b", "r", "a", "s", "s", "monocle")', "list-join"),
    ("['brassmo',\n 'nocle']", "list-join"),
    ("brass-\nmono-\ncle", "dehyphenated"),
    ("// brassmo-\n// nocle", "dehyphenated"),
    (" * brassmo-\n * nocle", "dehyphenated"),
    ("-- brassmo-\r\n-- nocle", "dehyphenated"),
    (";; brassmo-\n;; nocle", "dehyphenated"),
    ("> brassmo-\n> nocle", "dehyphenated"),
    ("% brassmo-\n% nocle", "dehyphenated"),
    ("brassmo\u00ad\nnocle", "dehyphenated"),
    ("BRASSMO-\nNOCLE", "dehyphenated"),
    ("brassmo\\\nnocle", "line-join"),
    ("brassmo\\\r\n    nocle", "line-join"),
    ("%62%72%61%73%73%6d%6f%6e%6f%63%6c%65", "percent"),
    ("brass%4Donocle", "percent"),
    ("brass%25256donocle", "percent"),
    ("br%c3%a1ssmonocle", "percent"),
    ("brass%EF%BD%8Donocle", "percent"),
    ("brass&#x6D;onocle", "entity"),
    ("brass&#0109onocle", "entity"),
    ("brass&shy;monocle", "entity"),
    ("brass&lowbar;monocle", "entity"),
    ("br&aacute;ssmonocle", "entity"),
    ("brass\\U0000006donocle", "escape"),
    ("brass\\u{6d}onocle", "escape"),
    ("brass\\N{LATIN SMALL LETTER M}onocle", "escape"),
    ("brass\\ud835\\udc26onocle", "escape"),
    ("\\142rassmonocle", "escape"),
    ("brass\\\\u006donocle", "escape"),
    ("br\\xc3\\xa1ssmonocle", "escape"),
    ("\\x62\\x72\\x61\\x73\\x73\\x6d\\x6f\\x6e\\x6f\\x63\\x6c\\x65", "escape"),
    ("brass\x1b[1mmonocle\x1b[0m", "terminal"),
    ("brass\\x1b[0;31mmonocle", "terminal"),
    ("br4ssm0n0cle", "leet"),
    ("BRA55_MONOCLE", "leet"),
    ("bra$$monoc!e", "leet"),
    ("8rassmonoc1e", "leet"),
    ('"brass%6d" + "onocle"', "percent+string-join"),
    ('"brass%6" + "donocle"', "string-join+percent"),
    ('"brass\\u006d" "onocle"', "escape+string-join"),
    ("brass&#37;6donocle", "entity+percent"),
    ("['br%61ssmo', 'nocle']", "percent+list-join"),
]
PLAIN_NEIGHBOURS = [
    "a brass monocle",
    "brass, monocle",
    "brass = monocle",
    "brass; monocle",
    "brass\n\nmonocle".replace("\n\n", "\n * \n"),
    "'brass': 'monocle'",
    "f('brass') == g('monocle')",
    "brass -\nmonocles",
    "brass%6monocle",
    "brass&#;monocle",
    "brass\\u06donocle",
    "brass\\u{}monocle",
    "6r4ssm0n0cle",
    "br4ssm0n0cl",
    "brassmon ocle",
    "elconom ssarb",
    "oenff zbabpyr",
    "62726173736d 6f6e6f636c65",
]
MANY_WORDS = [
    ("Odo Fennimore", "odofennimore", "hit"),
    ("Odo Fennimore", "Odo_Fennimore", "hit"),
    ("Odo Fennimore", "ODO FENNIMORE", "hit"),
    ("Odo Fennimore", "Odo\u00a0Fennimore", "hit"),
    ("Odo Fennimore", "Odo\nFennimore", "hit"),
    ("Odo Fennimore", "# by Odo\n# Fennimore", "hit"),
    ("Odo Fennimore", " * by Odo\n * Fennimore", "hit"),
    ("Odo Fennimore", "Odo&nbsp;Fennimore", "hit"),
    ("Odo Fennimore", "odo%20fennimore", "hit"),
    ("Odo Fennimore", "Od\u043e F\u0435nnimore", "hit"),
    ("Odo Fennimore", "Odo", "miss"),
    ("Odo Fennimore", "O. Fennimore", "miss"),
    ("Odo Fennimore", "Todo Fennimore", "miss"),
    ("Odo Fennimore", "Odo Fennimores", "miss"),
    ("kettle-vfs", "kettle::vfs", "hit"),
    ("kettle-vfs", "KETTLE_VFS_HOME", "hit"),
    ("kettle-vfs", "kettleVfs", "hit"),
    ("kettle-vfs", "kettle, vfs", "miss"),
    ("kettle-vfs", "kettle vfsx", "miss"),
    ("kettle-vfs", "kettle...vfs", "miss"),
    ("kettle-vfs", "['kettle', 'vfs']", "review"),
]


@pytest.mark.parametrize(("surface", "grade", "text", "expected", "view"), TABLE)
def test_a_row_of_the_specification(surface: str, grade: str, text: str, expected: str, view: str) -> None:
    kind = "literal" if grade == "L" else "person" if " " in surface else "project"
    assert verdict(surface, grade, text, kind) == (expected, view)


@pytest.mark.parametrize(("surface", "text", "expected"), BETWEEN_BOUNDARIES)
def test_a_generic_name_between_boundaries(surface: str, text: str, expected: str) -> None:
    assert verdict(surface, "G", text)[0] == expected


@pytest.mark.parametrize(("surface", "text", "expected"), SHORT)
def test_a_short_name_between_boundaries(surface: str, text: str, expected: str) -> None:
    assert verdict(surface, "D", text)[0] == expected


@pytest.mark.parametrize(("text", "view"), VIEWS)
@pytest.mark.parametrize("before", ["", "see \u00e9 "])
def test_an_identifying_name_is_seen_in_its_view(text: str, view: str, before: str) -> None:
    assert verdict("BrassMonocle", "I", before + text) == ("hit", view)


@pytest.mark.parametrize("text", PLAIN_NEIGHBOURS)
def test_what_is_near_an_identifying_name_is_not_it(text: str) -> None:
    assert verdict("BrassMonocle", "I", text) == ("miss", "")


@pytest.mark.parametrize(("surface", "text", "expected"), MANY_WORDS)
def test_a_name_of_several_words(surface: str, text: str, expected: str) -> None:
    assert verdict(surface, "I", text, kind="person" if " " in surface else "project")[0] == expected


@pytest.mark.parametrize("surface", ["BrassMonocle", "quorvex-lattice", "Zilpah Trennick", "vantoolkit7"])
def test_every_spelling_of_an_identifying_name_is_found_encoded(surface: str) -> None:
    plain = "".join(char for char in surface if char.isalnum())
    for spelled in (surface, surface.lower(), surface.upper(), plain.lower(), plain.upper()):
        data = spelled.encode()
        assert verdict(surface, "I", f"k={base64.b64encode(b'ab' + data + b'!').decode()}")[1] == "base64"
        assert verdict(surface, "I", data.hex().upper())[1] == "hex"
        assert verdict(surface, "I", codecs.encode(spelled, "rot13"))[1] == "rot13"
        assert verdict(surface, "I", spelled[::-1])[1] == "reversed"


def test_base64_wrapped_at_a_line_end_is_found() -> None:
    code = base64.b64encode(b"x" * 50 + b"brassmonocle" + b"y" * 30).decode()
    assert verdict("BrassMonocle", "I", f"{code[:76]}\n{code[76:]}\n") == ("hit", "unwrapped+base64")


def test_short_identifying_names_are_not_looked_for_as_other_words() -> None:
    for text in ("qvefk", "xfrid", codecs.encode("dirfx", "rot13"), "d1rfx", "7869666469"):
        assert verdict("dirfx", "I", text)[0] == "miss", text


def test_the_grades_that_stand_between_boundaries_are_not_looked_for_in_codes() -> None:
    for grade in ("D", "G", "L"):
        for text in (base64.b64encode(b"brassmonocle").decode(), b"brassmonocle".hex(), "elconomssarb", "br4ssmonocle"):
            assert verdict("brassmonocle", grade, text)[0] == "miss", (grade, text)


def test_the_first_digits_of_a_name_are_no_disguise() -> None:
    assert verdict("pol4ris", "I", "pol4ris")[1] == "raw"
    assert verdict("pol4ris", "I", "p0l4ris")[1] == "leet"
    assert verdict("pol4ris", "I", "polaris")[0] == "miss"


def test_a_leet_word_inside_base64_is_chance() -> None:
    assert verdict("BrassMonocle", "I", "aK8q2Zr7Lbr4ssm0n0cleQ9x2Lm4Pz8RtW")[0] == "miss"
