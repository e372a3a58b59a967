"""Lists of names in use: three answers, never a false `free`, and a date."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.name_lists import read_table
from neutralize.answer import Answer
from neutralize.lists.shipped import (
    FILTERS,
    FOLDER,
    MOST_USED,
    Head,
    MostUsed,
    NameFilter,
    fits,
    make_filter,
    read_filter,
    read_lists,
    read_most_used,
    shipped,
    strict_key,
    written,
)
from taskpack.errors import RecordUnreadable

LETTERS = "abcdefghijkmnpqrstuvwxyz"
NAMES = st.text(alphabet="abcilo01-_.", min_size=1, max_size=16)


def made(*names: str, whole: bool = True) -> NameFilter:
    head: dict[str, Any] = {"title": "a place", "date": "2030-01-02", "count": len(names), "whole": whole, "note": "n"}
    return make_filter(names, head, tries=())


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Brin.Seal", "brin-seal"),
        ("brin__seal", "brinseal"),
        ("BRINSEAL", "brinseal"),
        ("br1nsea1", "brlnseai"),
        ("vexIon", "vex1on"),
        ("d0tmark", "dotmark"),
    ],
)
def test_look_alikes_and_forms_of_one_name_have_one_key(one: str, other: str) -> None:
    assert strict_key(one) == strict_key(other)


def test_a_whole_list_says_taken_and_free_and_a_partial_one_never_free() -> None:
    for whole, otherwise in ((True, Answer.FREE), (False, Answer.UNKNOWN)):
        filter_ = made("brinseal", "Dot-Mark", whole=whole)
        assert filter_.answer("brinsea1") is Answer.TAKEN
        assert filter_.answer("d0tmark") is Answer.TAKEN
        assert filter_.answer("vexsum") is otherwise


@pytest.mark.parametrize("name", ["abcd", "vex2sum", "a" * 15, "9lives"])
def test_a_name_of_another_shape_is_unknown_to_every_list(name: str) -> None:
    assert made(name).answer(name) is Answer.UNKNOWN
    assert {filter_.answer(name) for filter_ in shipped().filters.values()} == {Answer.UNKNOWN}


@settings(deadline=None)
@given(st.lists(NAMES, max_size=30), st.booleans())
def test_what_was_put_in_is_never_free(names: list[str], whole: bool) -> None:
    filter_ = made(*names, whole=whole)
    for name in names:
        assert filter_.answer(name) is (Answer.TAKEN if fits(strict_key(name)) else Answer.UNKNOWN)


def test_the_check_names_the_list_its_date_and_its_state() -> None:
    check = made("brinseal", whole=False).check("place", "vexsum")
    assert check.line == "place: unknown, not among 1 names of a place, 2030-01-02, partial"


def test_a_list_that_is_not_there_knows_nothing(tmp_path: Path) -> None:
    lists = read_lists(tmp_path)
    assert {filter_.answer("requests") for filter_ in lists.filters.values()} == {Answer.UNKNOWN}
    assert lists.most_used.check("near", "requests").answer is Answer.UNKNOWN


@pytest.mark.parametrize("damage", [b"", b"{}\n", b"not json\n\0\0", b"[]\n"])
def test_a_damaged_list_is_an_error_that_names_it(tmp_path: Path, damage: bytes) -> None:
    for file, read in (("x.filter", read_filter), ("y.txt", read_most_used)):
        (tmp_path / file).write_bytes(damage)
        with pytest.raises(RecordUnreadable, match=file):
            read(tmp_path / file)


def test_a_list_that_was_cut_is_an_error_and_a_whole_one_reads_back(tmp_path: Path) -> None:
    file = tmp_path / "x.filter"
    file.write_bytes(written(made("brinseal")))
    assert read_filter(file) == made("brinseal")
    file.write_bytes(written(made("brinseal", "vexsum"))[:-1])
    with pytest.raises(RecordUnreadable):
        read_filter(file)


def test_every_shipped_list_is_there_small_and_dated() -> None:
    lists = shipped()
    for rule, filter_ in lists.filters.items():
        assert (FOLDER / FILTERS[rule]).is_file()
        assert filter_.head.date >= "2026-11"
        assert 0 < filter_.head.kept <= filter_.head.count
        assert 0 < filter_.head.wrong < 0.01
    assert (FOLDER / MOST_USED).is_file()
    assert sum(path.stat().st_size for path in FOLDER.iterdir() if path.is_file()) < 1_500_000


def test_the_share_of_false_taken_is_what_the_head_says() -> None:
    source = random.Random(7)
    names = ["".join(source.choices(LETTERS, k=12)) for _ in range(3000)]
    for filter_ in shipped().filters.values():
        wrong = sum(filter_.answer(name) is Answer.TAKEN for name in names) / len(names)
        assert wrong < 3 * filter_.head.wrong


@pytest.mark.parametrize(
    ("rule", "name"),
    [
        ("pypi", "itsdangerous"),
        ("pypi", "Its.Dangerous"),
        ("pypi", "sqlalchemy"),
        ("npm", "lodash"),
        ("npm", "left-pad"),
        ("npm scope", "helper-plugin-utils"),
        ("debian", "coreutils"),
        ("command", "debuild"),
        ("word", "theorem"),
    ],
)
def test_well_known_names_are_in_the_list_of_their_kind(rule: str, name: str) -> None:
    answer = shipped().filters[rule].answer(name)
    assert answer is (Answer.TAKEN if fits(strict_key(name)) else Answer.UNKNOWN)


@settings(deadline=None)
@given(st.sampled_from(sorted(shipped().most_used.names)), st.data())
def test_one_letter_more_less_or_other_is_near_and_told(key: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(key) - 1))
    letter = data.draw(st.sampled_from(LETTERS))
    used = MostUsed(head=shipped().most_used.head, names={key: key})
    for name in (key, key[:at] + key[at + 1 :], key[:at] + letter + key[at:], key[:at] + letter + key[at + 1 :]):
        assert used.near(name) == key
    assert used.near(f"{key}zz") is None


@pytest.mark.parametrize(
    ("name", "near"),
    [("sqlalchemyx", "sqlalchemy"), ("numpyy", "numpy"), ("djang0", "django"), ("vexsum", None), ("brinseal", None)],
)
def test_names_beside_the_most_used_are_refused(name: str, near: str | None) -> None:
    assert shipped().most_used.near(name) == near
    wanted = Answer.TAKEN if near else Answer.UNKNOWN
    assert shipped().most_used.check("near", name).answer is wanted


def test_a_whole_list_of_the_most_used_can_say_free() -> None:
    head = Head(title="all", date="2030-01-02", count=1, whole=True, note="")
    used = MostUsed(head=head, names={"numpy": "numpy"})
    assert used.check("near", "vexsum").answer is Answer.FREE


def table(tmp_path: Path, column: str, *rows: tuple[str, str]) -> Path:
    path = tmp_path / "table.tsv"
    path.write_text(f"name\tversion\t{column}\n" + "".join(f"{name}\t1\t{place}\n" for name, place in rows))
    return path


def test_a_table_without_some_of_its_most_used_is_partial_whatever_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("benchmarks.name_lists._MOST", {"pypi": 3, "npm": 2})
    whole = read_table(
        "pypi", table(tmp_path, "rank_of", ("b", "2"), ("a", "1"), ("c", "3"), ("d", "")), "2030", "whole"
    )
    assert (whole.whole, whole.used, whole.names) == (True, ["a", "b", "c"], ["b", "a", "c", "d"])
    lacking = read_table("pypi", table(tmp_path, "rank_of", ("a", "1"), ("c", "3")), "2030", "whole")
    assert not lacking.whole
    assert lacking.note.startswith("1 of the 3 most used")
    loads = read_table("npm", table(tmp_path, "downloads", ("a", "5"), ("b", "9"), ("c", "7")), "2030", "partial")
    assert (loads.used, loads.whole) == (["b", "c"], False)


def test_heads_are_one_line_of_json() -> None:
    for file in (*FILTERS.values(), MOST_USED):
        assert json.loads((FOLDER / file).read_bytes().partition(b"\n")[0])["title"]
