from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from neutralize.rename import build_map, invert
from neutralize.replace import Replacer
from neutralize.spelling import split_evenly, styles
from neutralize.terms import derive_terms
from taskpack.order import Order
from taskpack.outcome import Reason, Rejected
from taskpack.rename import Grade, Rename, RenameMap, Term

TERMS = (
    Term(surface="OldTally", grade=Grade.IDENTIFYING, kind="project", sources=("README.md:1",)),
    Term(surface="oldtally", grade=Grade.IDENTIFYING, kind="dist", sources=("order",)),
    Term(surface="oldtally", grade=Grade.IDENTIFYING, kind="import-root", sources=("order",)),
    Term(surface="Mara Quill", grade=Grade.IDENTIFYING, kind="person", sources=("LICENSE:1",)),
    Term(surface="brassworks", grade=Grade.IDENTIFYING, kind="org", sources=("pyproject.toml:7",)),
    Term(surface="brassworks.tools", grade=Grade.IDENTIFYING, kind="host", sources=("pyproject.toml:7",)),
)


def map_for(order: Order, terms: tuple[Term, ...] = TERMS) -> RenameMap:
    made = build_map(order, terms)
    assert isinstance(made, RenameMap), made
    return made


def with_identifiers(order: Order, identifiers: dict[str, str]) -> Order:
    return order.model_copy(update={"rename": order.rename.model_copy(update={"identifiers": identifiers})})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("oldtally", "vexsum"),
        ("OldTally", "VexSum"),
        ("OLDTALLY_HOME", "VEXSUM_HOME"),
        ("OLD_TALLY", "VEX_SUM"),
        ("old_tally, old-tally, oldTally", "vex_sum, vex-sum, vexSum"),
        ("pyoldtallyhelper", "pyvexsumhelper"),
        ("import oldtally.counter as c", "import vexsum.marker as c"),
        ("the Counter's counter", "the Marker's marker"),
        ("Counters recounter counter_x", "Counters recounter counter_x"),
        ("see .. counter: and 'counter'", "see .. marker: and 'marker'"),
        ("Mara Quill <mara.quill@brassworks.tools>", "Vexsumian Author <vexsumian.author@vexsum.example>"),
        ("https://oldtally.brassworks.tools/counter", "https://vexsum.vexsum.example/marker"),
        ("the old tally of things", "the old tally of things"),
    ],
)
def test_names_are_renamed_in_every_style_and_identifiers_only_whole(order: Order, text: str, expected: str) -> None:
    map_ = map_for(order)
    assert Replacer(map_).apply(text) == expected
    assert Replacer(invert(map_)).apply(expected) == text


def test_a_letter_of_any_script_belongs_to_the_identifier(order: Order) -> None:
    assert Replacer(map_for(order)).apply("\u00f1counter counter\u00f1 \u201ccounter\u201d") == (
        "\u00f1counter counter\u00f1 \u201cmarker\u201d"
    )


def test_a_common_name_is_renamed_between_boundaries_only(order: Order) -> None:
    source = order.source.model_copy(update={"name": "fetch"})
    term = Term(surface="fetch", grade=Grade.GENERIC, kind="dist", sources=("order",))
    map_ = map_for(order.model_copy(update={"source": source}), (term,))
    text = "fetch fetchOptions prefetched fetched XMLFetch FETCH_X 'fetch2'"
    assert Replacer(map_).apply(text) == "vexsum vexsumOptions prefetched fetched XMLVexsum VEXSUM_X 'vexsum2'"


def test_the_map_is_ordered_by_length_and_injective(order: Order) -> None:
    renames = map_for(order).renames
    assert [len(rename.surface) for rename in renames] == sorted((len(r.surface) for r in renames), reverse=True)
    assert len({rename.replacement for rename in renames}) == len(renames) == len({r.surface for r in renames})


@pytest.mark.parametrize(
    ("identifiers", "told"),
    [
        ({"Counter": "Marker", "Meter": "Marker"}, "both become 'Marker'"),
        ({"Counter": "Marker", "Marker": "Other"}, "would become 'Other'"),
        ({"Counter": "Meter", "Meter": "Counter"}, "would become"),
        ({"Counter": "OldtallyMarker"}, "would become"),
    ],
)
def test_a_map_that_cannot_be_taken_back_is_refused(order: Order, identifiers: dict[str, str], told: str) -> None:
    made = build_map(with_identifiers(order, identifiers), TERMS)
    assert isinstance(made, Rejected)
    assert made.reason is Reason.MAP_NOT_INVERTIBLE
    assert any(told in fact.what for fact in made.evidence), made.evidence


def test_nothing_to_rename_is_refused(order: Order) -> None:
    plain = with_identifiers(order, {}).model_copy(update={"source": order.source})
    assert isinstance(build_map(plain, ()), Rejected)


def test_derived_replacements_of_the_invented_upstream_are_neutral(upstream: Path, order: Order) -> None:
    map_ = map_for(order, derive_terms(upstream, order))
    for rename in map_.renames:
        assert "tally" not in rename.replacement.lower()
        assert "brass" not in rename.replacement.lower()


def test_a_person_is_renamed_in_the_spelling_that_the_sources_give(order: Order) -> None:
    for name in ("Odo van Fennimore", "Odo B. Fennimore", "Jos\u00e9 N\u00fa\u00f1ez"):
        term = Term(surface=name, grade=Grade.IDENTIFYING, kind="person", sources=("LICENSE:1",))
        map_ = map_for(order, (*TERMS, term))
        renamed = Replacer(map_).apply(f"by {name}.")
        assert not any(word in renamed for word in name.split() if len(word) > 3), renamed
        assert Replacer(invert(map_)).apply(renamed) == f"by {name}."


LETTERS = st.sampled_from(["oldtally", "OldTally", "OLD_TALLY", "Counter", "counter", "brassworks", "brassworks.tools"])
GLUE = st.text(alphabet=" \n._-:/'\"abcXYZ019\u00e9\u4e2d", max_size=6)
TEXTS = st.lists(st.one_of(LETTERS, GLUE), max_size=12).map("".join)


@given(text=TEXTS)
def test_taking_the_map_back_restores_every_text_without_target_spellings(text: str) -> None:
    map_, back = MAP, Replacer(invert(MAP))
    renamed = Replacer(map_).apply(text)
    if not back.spans(text):
        assert back.apply(renamed) == text


@given(text=TEXTS)
def test_a_second_application_changes_nothing(text: str) -> None:
    once = Replacer(MAP).apply(text)
    assert Replacer(MAP).apply(once) == once


@given(text=TEXTS)
def test_no_identifying_name_is_left_after_the_map(text: str) -> None:
    renamed = Replacer(MAP).apply(text).lower()
    assert "oldtally" not in renamed
    assert "brassworks" not in renamed


@given(words=st.lists(st.from_regex(r"[a-z]{1,6}", fullmatch=True), min_size=1, max_size=4))
def test_styles_of_names_with_equally_many_words_correspond(words: list[str]) -> None:
    ours = styles(tuple(words), spaces=True)
    assert len(ours) == len(styles(tuple("x" * len(words)), spaces=True))
    assert all(
        style.lower().replace("_", "").replace("-", "").replace(".", "").replace(" ", "") == "".join(words)
        for style in ours
    )


@given(name=st.from_regex(r"[a-z][a-z0-9]{4,11}", fullmatch=True), count=st.integers(1, 4))
def test_a_split_name_is_whole_again_and_every_piece_begins_with_a_letter(name: str, count: int) -> None:
    pieces = split_evenly(name, count)
    if pieces is None:
        assert sum(char.isalpha() for char in name) < count
    else:
        assert "".join(pieces) == name
        assert len(pieces) == count
        assert all(piece[0].isalpha() for piece in pieces)


def _map() -> RenameMap:
    surfaces = {
        "oldtally": "vexsum", "OldTally": "VexSum", "OLDTALLY": "VEXSUM", "OLD_TALLY": "VEX_SUM", "Oldtally": "Vexsum",
        "oldTally": "vexSum", "brassworks": "vexteam", "brassworks.tools": "vex.example",
        "BRASSWORKS": "VEXTEAM",
    }  # fmt: skip
    names = [Rename(surface=old, replacement=new, kind="name") for old, new in surfaces.items()]
    words = [
        Rename(surface=o, replacement=n, kind="identifier")
        for o, n in {"Counter": "Marker", "counter": "marker"}.items()
    ]
    return RenameMap(renames=(*names, *words))


MAP = _map()
