from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from neutralize.boundaries import in_opaque_run, is_boundary, is_left_boundary
from neutralize.fold import OTHER, fold, folded
from neutralize.text import Text
from neutralize.views import views
from neutralize.words import is_word

ANY = st.text(st.characters(codec="utf-8"), max_size=40)


@given(text=st.text(alphabet=string.printable, max_size=60))
def test_ascii_is_never_rewritten(text: str) -> None:
    assert fold(Text(chars=text)).chars == text


@given(text=ANY)
def test_folded_text_has_one_byte_a_character_and_knows_its_origin(text: str) -> None:
    done = fold(Text(chars=text))
    assert len(done.chars.encode("latin-1")) == len(done.chars)
    assert all(char.isascii() or char == OTHER for char in done.chars)
    places = [done.at(index) for index in range(len(done.chars))]
    assert places == sorted(places)
    assert all(folded(text[place]) for place in places)


@given(text=ANY)
def test_folding_twice_changes_nothing_more(text: str) -> None:
    assert folded(folded(text).replace(OTHER, " ")) == folded(text).replace(OTHER, " ")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\u0430\u0435\u043e\u0440\u0441\u0445\u0456", "aeopcxi"),
        ("\u03bf\u03b1\u03bd", "oav"),
        ("\u1d0b\u026a\u0274\u0262", "king"),
        ("\u0142\u00f8\u0131", "loi"),
        ("\uff21\U0001d41b\u24d2", "Abc"),
        ("\U0001f1e6\U0001f171", "AB"),
        ("a\u0301\u200d\u202e\ufe0fb\U000e0041c", "abc"),
        ("\u0663\uff17", "37"),
        ("\u2014\u2212\u2010", "---"),
        ("\ufb01", "fi"),
        ("\u4e2d\u0434", OTHER * 2),
        ("\u00ff\u4e2d\u00ff", f"y{OTHER}y"),
        ("\u00ff\u3300\u00ff", f"y{OTHER * 4}y"),
        ("\u00ff" + "".join(map(chr, range(0x4E00, 0x4E14))) + "\ufb01\u3300", "y" + OTHER * 20 + "fi" + OTHER * 4),
    ],
)
def test_look_alikes_become_ascii_and_the_invisible_goes(text: str, expected: str) -> None:
    assert folded(text) == expected


@given(text=st.lists(st.one_of(ANY, st.sampled_from(['" + "', "%61", "&#97;", "\\x61", "\\u0061", "-\n  a"]))))
def test_every_view_points_into_the_file(text: list[str]) -> None:
    chars = "".join(text)
    for view in views(Text(chars=chars)):
        for index in range(len(view.text.chars)):
            assert 0 <= view.text.at(index) < len(chars)


def names(text: str) -> list[str]:
    return [view.name for view in views(Text(chars=text))]


def test_a_view_that_changes_nothing_is_not_given() -> None:
    assert names("plain") == ["raw"]
    assert names("100% of [a] & \\b - 'c'\nd") == ["raw"]
    assert names("%61 plain") == ["raw", "percent"]
    assert names("%61 \\x62") == ["raw", "percent", "escape", "combined"]


def test_text_that_is_encoded_again_is_read_to_the_end_or_three_times() -> None:
    deep = "%61"
    for _ in range(5):
        deep = deep.replace("%", "%25")
    assert "a" in [view.text.chars for view in views(Text(chars="%252561"))]
    assert "a" in [view.text.chars for view in views(Text(chars="&amp;#97;"))]
    assert "a" not in [view.text.chars for view in views(Text(chars=deep))]


@pytest.mark.parametrize("text", ["%e9%81", "%zz", "&#xd800;", "&#99999999;", "\\ud800", "\\U99999999", "\\N{NO SUCH}"])
def test_what_stands_for_no_character_does_no_harm(text: str) -> None:
    assert names(text)[0] == "raw"


@pytest.mark.parametrize("text", ["\\u006", "\\x6", "\\u{}", "%6", "&#;", "&nosuchname;", "well-\n# Known", "a - \nb"])
def test_what_only_looks_like_a_trigger_changes_nothing(text: str) -> None:
    assert names(text) == ["raw"]


def test_an_escaped_escape_is_read_too() -> None:
    assert [view.text.chars for view in views(Text(chars="\\\\x61"))] == ["\\\\x61", "a"]


def test_a_place_in_a_run_of_escapes_is_exact() -> None:
    text = "x %61%62%63 y"
    view = list(views(Text(chars=text)))[1]
    assert view.text.chars == "x abc y"
    assert text[slice(*view.text.span(3, 4))] == "%62"


def test_a_place_found_through_two_readings_names_both() -> None:
    combined = list(views(Text(chars="'%61' + 'b' %63")))[-1].text
    assert combined.chars == "'ab' c"
    assert list(combined.steps(1, 3)) == ["percent", "string-join"]
    assert list(combined.steps(5, 6)) == ["percent"]
    assert combined.span(1, 3) == (1, 10)


@pytest.mark.parametrize(
    "marked", ["|one|_|two|", "|one|2|", "|my|Click|", "|XML|Click|", "|HTTP|2|Server|", "|a|.|b|", "|UPPER|"]
)
def test_a_boundary_is_where_words_meet(marked: str) -> None:
    text, places = "", set()
    for char in marked:
        if char == "|":
            places.add(len(text))
        else:
            text += char
    assert {index for index in range(len(text) + 1) if is_boundary(text, index)} == places


@pytest.mark.parametrize("prefix", ["\\n", "\\\\\\t", "%s", "%-5d", " -l", '"-D', "\x1b[31m", "\\033[0;1m", "\\x1b[K"])
def test_a_glued_prefix_is_no_part_of_the_word(prefix: str) -> None:
    assert is_left_boundary(f"x {prefix}word", len(prefix) + 2)


@pytest.mark.parametrize("prefix", ["n", "\\\\n", "s", "well-l", "100%", "[31m"])
def test_what_only_looks_like_a_prefix_is_part_of_the_word(prefix: str) -> None:
    text = f"x {prefix}word"
    assert is_left_boundary(text, len(prefix) + 2) == (prefix == "100%")


def test_only_text_that_changes_as_random_text_does_is_opaque() -> None:
    for text in ("9f86d081884c7d659a2feada0c55ad015a3bf4f1b2b0b822", "QWxhZGRpbjpvcGVuIHNlc2FtZQada7xY2kZq"):
        assert in_opaque_run(text, text.index("ada"), text.index("ada") + 3), text
    for text in ("src/tools/adaparse2/filesystem", "the_adaptive_controller_of_version_2", "adaptivecontrollers2x"):
        assert not in_opaque_run(text, text.index("ada"), text.index("ada") + 3), text


@pytest.mark.parametrize("word", ["sign", "signer", "unsigned", "running", "caches", "parsed", "Serializer", "copied"])
def test_common_words_and_their_endings_are_words(word: str) -> None:
    assert is_word(word)


@pytest.mark.parametrize("name", ["jmespath", "tomli", "numpy", "vexsum", "lxml", "zqx", "in2"])
def test_made_up_names_are_no_words(name: str) -> None:
    assert not is_word(name)
