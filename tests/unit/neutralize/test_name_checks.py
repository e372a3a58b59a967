"""Every check of a neutral name: what is taken, what is free, what is not known."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from neutralize.answer import Answer
from neutralize.coin import GENERATORS, Kind
from neutralize.lists.shipped import Lists, read_lists
from neutralize.namechecks import name_checks, own_words, upstream_checks
from neutralize.offence import FILE, digest, offends
from neutralize.rename import build_map, invert
from neutralize.replace import Replacer
from neutralize.reserved import KEYWORDS, LIBRARIES
from neutralize.spelling import lexemes, split_evenly, style_clashes, style_set, styles
from neutralize.words import WORDS
from taskpack.order import Order
from taskpack.rename import Grade, RenameMap, Term

WORD = st.text(alphabet="abcdefghijklmnopqrstuvwxyz", min_size=2, max_size=7)
SOURCE = st.lists(WORD, min_size=1, max_size=4).map(tuple)
NAME = st.text(alphabet="abcdefghijklmnopqrstuvwxyz", min_size=8, max_size=14)


@pytest.fixture
def nothing(tmp_path: Path) -> Lists:
    return read_lists(tmp_path)


def answer(name: str, rule: str, lists: Lists, *, taken: tuple[str, ...] = ()) -> Answer:
    return next(check.answer for check in name_checks(name, taken=taken, lists=lists) if check.rule == rule)


def against(order: Order, name: str, *terms: Term) -> dict[str, Answer]:
    named = order.model_copy(update={"product": order.product.model_copy(update={"name": name})})
    return {check.rule: check.answer for check in upstream_checks(named, terms)}


def term(surface: str, kind: str = "project", grade: Grade = Grade.IDENTIFYING) -> Term:
    return Term(surface=surface, kind=kind, grade=grade, sources=("README.md:1",))


@pytest.mark.parametrize("language", KEYWORDS)
def test_keywords_of_every_language_are_taken_and_told(language: str, nothing: Lists) -> None:
    for word in KEYWORDS[language]:
        check = name_checks(word, taken=(), lists=nothing)[0]
        assert check.answer is Answer.TAKEN
        assert f"a keyword in {language}" in check.about


@pytest.mark.parametrize("language", LIBRARIES)
def test_names_of_every_standard_library_are_taken_and_told(language: str, nothing: Lists) -> None:
    for word in LIBRARIES[language]:
        check = name_checks(word, taken=(), lists=nothing)[1]
        assert check.answer is Answer.TAKEN
        assert language in check.about


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        ("while", "keyword"),
        ("instanceof", "keyword"),
        ("fallthrough", "keyword"),
        ("constexpr", "keyword"),
        ("unsized", "keyword"),
        ("tomllib", "library"),
        ("isinstance", "library"),
        ("querystring", "library"),
        ("strconv", "library"),
        ("stdexcept", "library"),
        ("intrinsics", "library"),
        ("baskets", "word"),
    ],
)
def test_one_of_each_is_refused_by_the_check_of_its_kind(name: str, rule: str, nothing: Lists) -> None:
    assert answer(name, rule, nothing) is Answer.TAKEN


def test_a_name_that_nothing_has_is_free_but_for_the_lists_that_are_not_there(nothing: Lists) -> None:
    said = {check.rule: check.answer for check in name_checks("vexsum", taken=("brinseal",), lists=nothing)}
    assert {rule for rule, each in said.items() if each is Answer.FREE} == {"keyword", "library", "cases", "offensive"}
    assert {rule for rule, each in said.items() if each is Answer.UNKNOWN} == {
        "word", "pypi", "npm", "npm scope", "debian", "command", "near"
    }  # fmt: skip


@pytest.mark.parametrize("other", ["vexlook", "vexiook", "vex1ook", "vexl00k"])
def test_another_cases_name_is_taken_in_every_look_alike(other: str, nothing: Lists) -> None:
    assert answer("vexlook", "cases", nothing, taken=(other,)) is Answer.TAKEN
    assert answer("vexsum", "cases", nothing, taken=(other,)) is Answer.FREE


@pytest.fixture
def refused_word(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("neutralize.offence._refused", lambda: frozenset({digest("vexo"), digest("grap")}))


@pytest.mark.parametrize("name", ["vexoline", "brinvexo", "advexoly", "VEXOline", "v3xoline", "vex0line", "grapnel"])
def test_a_refused_word_is_found_anywhere_in_any_case_and_with_digits(name: str, refused_word: None) -> None:
    assert offends(name)


@pytest.mark.parametrize("name", ["vexline", "vexsum", "grapevine", "brinseal"])
def test_other_words_do_not_offend_nor_those_that_hold_one_by_chance(name: str, refused_word: None) -> None:
    assert not offends(name)


def test_refused_words_are_kept_as_digests_only_and_no_common_word_offends() -> None:
    lines = FILE.read_text("ascii").splitlines()
    assert len(lines) > 50
    assert all(len(line) == 16 and set(line) <= set("0123456789abcdef") for line in lines)
    assert lines == sorted(set(lines))
    assert not [word for word in WORDS if offends(word)]


@pytest.mark.parametrize(
    ("name", "surface", "kind", "grade"),
    [
        ("pathsel", "pathology", "dist", Grade.IDENTIFYING),
        ("tomlparse", "tomli", "import-root", Grade.IDENTIFYING),
        ("clicksum", "click", "project", Grade.GENERIC),
        ("sumclick", "click", "dist", Grade.GENERIC),
        ("richsum", "rich", "project", Grade.GENERIC),
        ("palletum", "Pallets", "org", Grade.IDENTIFYING),
        ("quillor", "Mara Quill", "person", Grade.IDENTIFYING),
        ("lfsbrin", "git-lfs", "project", Grade.IDENTIFYING),
        ("brinlfs", "git-lfs", "org", Grade.IDENTIFYING),
        ("recount", "recount_all", "api-identifier", Grade.DISTINCTIVE),
    ],
)
def test_letters_and_words_of_any_term_are_not_shared(
    order: Order, name: str, surface: str, kind: str, grade: Grade
) -> None:
    assert against(order, name, term("oldtally"), term(surface, kind, grade))["overlap"] is Answer.TAKEN
    assert against(order, "zumbivex", term("oldtally"), term(surface, kind, grade))["overlap"] is Answer.FREE


@pytest.mark.parametrize(
    ("name", "surface", "kind"),
    [("brinseal", "Seals values at rest.", "literal"), ("fullrecor", "recount_all", "api-identifier")],
)
def test_prose_and_parts_of_public_names_are_no_overlap(order: Order, name: str, surface: str, kind: str) -> None:
    grade = Grade.LITERAL if kind == "literal" else Grade.DISTINCTIVE
    assert against(order, name, term("oldtally"), term(surface, kind, grade))["overlap"] is Answer.FREE


@pytest.mark.parametrize(
    ("name", "surface", "answers"),
    [
        ("vexsum", "oldtally", Answer.FREE),
        ("vexsum", "old-tally", Answer.FREE),
        ("x2345", "oldtally", Answer.TAKEN),
        ("x23456", "old-tally", Answer.TAKEN),
    ],
)
def test_a_name_that_styles_cannot_tell_apart_is_refused(
    order: Order, name: str, surface: str, answers: Answer
) -> None:
    assert against(order, name, term("oldtally", "dist"), term(surface))["styles"] is answers


def test_the_words_of_the_upstreams_name_are_those_of_its_finest_spelling(order: Order) -> None:
    assert own_words(order, (term("oldtally", "dist"), term("OldTally"), term("other_name", "org"))) == ("old", "tally")
    assert own_words(order, ()) == ("upstream",)


@settings(deadline=None)
@given(SOURCE, NAME)
def test_all_styles_of_a_name_of_letters_are_injective(source: tuple[str, ...], name: str) -> None:
    target = split_evenly(name, len(source))
    assert target is not None
    assert style_clashes(source, target) == []
    ours, theirs = vars(style_set(target)), vars(style_set(source))
    pairs = set(zip(theirs.values(), ours.values(), strict=True))
    assert len({replacement for _, replacement in pairs}) == len({surface for surface, _ in pairs}) == len(pairs)


@settings(deadline=None)
@given(SOURCE, NAME)
def test_styles_that_keep_words_apart_give_the_words_back(source: tuple[str, ...], name: str) -> None:
    target = split_evenly(name, len(source)) or ()
    made = style_set(target)
    for text in (made.snake, made.kebab, made.dotted, made.screaming, made.cli):
        assert lexemes(text) == target
    for text in vars(made).values():
        assert "".join(lexemes(text.removesuffix(".example"))) == name


@settings(deadline=None)
@given(st.sampled_from(Kind), st.integers(0, 10_000))
def test_the_map_from_a_proposal_takes_every_style_back(kind: Kind, seed: int) -> None:
    name = next(GENERATORS[kind](str(seed)))
    order = Order.model_validate(
        {
            "case_id": "case901", "language": "python",
            "source": {"kind": "pypi", "name": "oldtally", "version": "1", "sha256": "0" * 64},
            "product": {"name": name, "summary": "A library that counts."},
            "testing": {"requirements": ["pytest"], "command": ["python"], "expected": 5},
            "features": [{"id": "FP-01", "title": "Count", "about": "Counting.", "files": ["a.py"]}],
        }
    )  # fmt: skip
    map_ = build_map(order, (term("OldTally"), term("oldtally", "dist"), term("oldtally", "import-root")))
    assert isinstance(map_, RenameMap), map_
    text = "\n".join(dict.fromkeys([*styles(("old", "tally"), spaces=False), *styles(("oldtally",), spaces=False)]))
    renamed = Replacer(map_).apply(text)
    assert len(set(renamed.split("\n"))) == len(text.split("\n"))
    assert Replacer(invert(map_)).apply(renamed) == text


def test_two_words_of_one_length_come_back_when_the_name_is_split() -> None:
    for name in islice(GENERATORS[Kind.WORDS]("seed"), 200):
        halves = split_evenly(name, 2)
        assert halves is not None
        assert len(halves[0]) == len(halves[1])


@pytest.mark.parametrize("kind", Kind)
def test_one_seed_gives_the_same_names_anywhere_and_another_seed_others(kind: Kind) -> None:
    names = list(islice(GENERATORS[kind]("seed"), 100))
    assert names == list(islice(GENERATORS[kind]("seed"), 100))
    assert not set(names[:20]) & set(islice(GENERATORS[kind]("other"), 20))
    assert all(name.isascii() and name.isalpha() and name.islower() and 6 <= len(name) <= 14 for name in names)
