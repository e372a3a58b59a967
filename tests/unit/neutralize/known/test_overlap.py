from __future__ import annotations

import random
import string

import numpy as np
import pytest

from neutralize.known.facts import Fact, Identifier, Known
from neutralize.known.nearby import near_duplicates
from neutralize.known.overlap import OverlapLimits, overlap
from neutralize.known.runs import longest_run
from neutralize.known.tokens import Ids, sequence, tokens_of


def prose(seed: int, count: int) -> str:
    """Invented words, in lines of twelve."""
    source = random.Random(seed)
    words = ["".join(source.choices(string.ascii_lowercase, k=source.randint(3, 9))) for _ in range(count)]
    return "\n".join(" ".join(words[start : start + 12]) for start in range(0, count, 12)) + "\n"


UPSTREAM = {
    "README.md": prose(1, 3000),
    "src/a.py": "def mill(grain):\n    return [sift(g, 3) for g in grain if g.dry]\n" * 3,
}


def words(text: str, start: int, count: int) -> str:
    return " ".join(text.split()[start : start + count])


def test_texts_with_nothing_in_common_share_nothing() -> None:
    found = overlap({"PRD.md": prose(2, 2000)}, UPSTREAM)
    assert (found.prose.short, found.prose.long, found.copied_in_all, found.exceeded) == (0, 0, 0, ())
    assert found.words == 2000
    assert found.prose.windows == 2000 - 7
    assert found.longest_prose is not None
    assert found.longest_prose.length < 15


def test_a_copied_stretch_is_counted_listed_and_placed() -> None:
    copy = words(UPSTREAM["README.md"], 1201, 40)
    found = overlap({"PRD.md": prose(2, 960) + copy.replace(" ", "\n  ").upper() + "\n" + prose(3, 960)}, UPSTREAM)
    assert found.prose.short == 40 - 7
    assert found.prose.long == 40 - 12
    assert found.prose.short_percent == pytest.approx(100 * 33 / found.prose.windows, abs=1e-3)
    (stretch,) = found.copied
    assert (stretch.length, stretch.unit, stretch.path, stretch.line) == (40, "words", "PRD.md", 81)
    assert (stretch.upstream_path, stretch.upstream_line) == ("README.md", 101)
    assert stretch.text.lower() == copy[:200]
    assert found.longest_prose is not None
    assert len(copy) <= found.longest_prose.length <= len(copy) + 6
    assert (found.longest_prose.line, found.longest_prose.upstream_line) == (81, 101)
    assert len(found.exceeded) == 3


def test_what_three_documents_or_a_standard_hold_does_not_count() -> None:
    copy = words(UPSTREAM["README.md"], 600, 60)
    bundle = {"PRD.md": prose(2, 600) + copy}
    assert overlap(bundle, UPSTREAM).prose.short == 53
    assert overlap(bundle, UPSTREAM, background=[copy + f" {n}" for n in range(2)]).prose.short == 53
    assert overlap(bundle, UPSTREAM, background=[copy + f" {n}" for n in range(3)]).prose.short == 0
    assert overlap(bundle, UPSTREAM, cited=[copy]).prose.long == 0


def test_a_run_does_not_go_on_across_the_end_of_a_file() -> None:
    copy = words(UPSTREAM["README.md"], 0, 20).split()
    found = overlap({"a.md": " ".join(copy[:7]), "b.md": " ".join(copy[7:14])}, UPSTREAM)
    assert found.prose.short == 0
    assert found.longest_prose is not None
    assert found.longest_prose.length <= max(len(" ".join(copy[:7])), len(" ".join(copy[7:14])))


def test_code_with_other_names_comments_and_spacing_is_the_same_code() -> None:
    code = (
        "def total(rows, limit):\n    for row in rows:\n        if row.size > limit[0]:\n            yield row.size * 2 + f(row, 'a')\n"
        * 2
    )
    copy = (
        code.replace("rows", "kernels")
        .replace("row", "grain")
        .replace("limit", "cap")
        .replace("'a'", "'x'")
        .replace(":\n", ":  # why\n")
    )
    other = (
        "class Mill:\n    def __init__(self, *, gate=None):\n        self.gate = gate or {}\n        del self.gate['x'], gate\n"
        * 3
    )
    assert tokens_of(code) == tokens_of(copy)
    found = overlap({"t/test_a.py": copy}, {"a.py": code})
    assert found.code_tokens.long_percent == 100
    assert found.code.short == 0
    assert found.longest_tokens is not None
    assert found.longest_tokens.length == len(tokens_of(code))
    assert any("tokens of code in one run" in said for said in found.exceeded)
    assert overlap({"t/test_a.py": other}, {"a.py": code}).code_tokens.long == 0


def test_literals_and_names_that_are_left_are_counted() -> None:
    known = Known(
        literals=(Fact(value="0.982492", source="a:1"), Fact(value="not there", source="a:1")),
        identifiers=(Identifier(value="HusklessSieve", source="a:1", rarity=4),),
    )
    text = "HusklessSieve gives 0.982492 and 0.982492 but HusklessSieves " + prose(4, 992)
    found = overlap({"PRD.md": text}, UPSTREAM, known=known)
    assert (found.literals, found.identifiers) == (("0.982492",), ("HusklessSieve",))
    assert found.literals_rate == pytest.approx(10_000 * 2 / found.words, abs=0.01)
    assert found.identifiers_rate == pytest.approx(10_000 / found.words, abs=0.01)
    assert found.exceeded == ("1 distinctive literals, limit 0",)


def test_limits_are_data() -> None:
    bundle = {"PRD.md": prose(2, 600) + words(UPSTREAM["README.md"], 600, 12)}
    assert overlap(bundle, UPSTREAM).exceeded
    assert overlap(bundle, UPSTREAM, limits=OverlapLimits(prose_percent=2.0)).exceeded == ()


def test_the_same_texts_give_the_same_bytes_in_any_order() -> None:
    bundle = {"b.md": prose(2, 300), "a.md": words(UPSTREAM["README.md"], 5, 99), "t.py": UPSTREAM["src/a.py"]}
    one = overlap(bundle, UPSTREAM)
    other = overlap(dict(reversed(bundle.items())), dict(reversed(UPSTREAM.items())))
    assert one.to_bytes() == other.to_bytes()


@pytest.mark.parametrize(
    ("bundle", "upstream"),
    [({}, {}), ({"a.md": ""}, UPSTREAM), ({"a.py": "x"}, {}), ({"a.md": "\0\1 \udc80"}, UPSTREAM)],
)
def test_empty_and_odd_texts_give_figures(bundle: dict[str, str], upstream: dict[str, str]) -> None:
    assert overlap(bundle, upstream).prose.short == 0


@pytest.mark.parametrize("dtype", [np.uint8, np.uint32])
def test_the_longest_run_is_that_of_a_plain_search(dtype: type[np.unsignedinteger]) -> None:
    source = random.Random(5)
    for size in (1, 3, 40, 400):
        left = [source.randint(2, 4) for _ in range(size)] + [0]
        right = [source.randint(2, 4) for _ in range(size)] + [1]
        run = longest_run(np.array(left, dtype), np.array(right, dtype), seeds=(8, 1))
        assert run.length == _plain(left, right)
        assert left[run.left : run.left + run.length] == right[run.right : run.right + run.length]


def _plain(left: list[int], right: list[int]) -> int:
    best, row = 0, [0] * (len(right) + 1)
    for one in left:
        row = [0, *(row[n] + 1 if one == other else 0 for n, other in enumerate(right))]
        best = max(best, *row)
    return best


@pytest.mark.parametrize(
    "text", ["a" * 60_000, '"' + "\\" * 60_000, "'" * 60_000, "/*" * 40_000, "#" * 60_000, "''' " * 20_000]
)
def test_one_giant_line_is_compared(text: str) -> None:
    found = overlap({"a.py": text, "a.md": text}, {"a.py": text})
    assert found.longest_code is not None
    assert found.longest_code.length >= len(text) - 1


def test_a_long_text_is_the_same_sequence_as_its_words() -> None:
    text = prose(6, 300_000)
    ids = Ids()
    numbers = sequence({"a": text}, ids, code=False).numbers
    assert len(numbers) == 300_000 + 1
    assert len({*numbers.tolist()}) == len(set(text.split())) + 1


def test_near_duplicates_are_named_and_a_common_frame_is_not_one() -> None:
    frame = prose(50, 400)
    cases = {
        f"case{n}": {
            "PRD.md": frame + prose(60 + n, 800),
            "t.py": f"def f{n}(a):\n    return a.x[{n}] {'+-*/%&'[n]} {n}\n",
        }
        for n in range(6)
    }
    cases["copy"] = {"PRD.md": cases["case2"]["PRD.md"].replace("\n", " \n")[:4000], "t.py": ""}
    (pair,) = near_duplicates(cases)
    assert (pair.one, pair.other) == ("case2", "copy")
    assert pair.prose_percent > 90
    assert near_duplicates({}) == ()


def test_three_copies_of_one_case_are_no_common_frame() -> None:
    text = prose(70, 500)
    found = near_duplicates({name: {"PRD.md": text} for name in ("a", "b", "c")})
    assert [(pair.one, pair.other, pair.prose_percent) for pair in found] == [
        ("a", "b", 100),
        ("a", "c", 100),
        ("b", "c", 100),
    ]


def test_suites_that_are_alike_but_for_names_are_near() -> None:
    suite = "".join(
        f"def test_{n}(mill):\n    assert mill.grind({n}, rate='x')[{n}] == (mill.a - 1) * {n}\n" for n in range(9)
    )
    pairs = near_duplicates(
        {"a": {"t.py": suite}, "b": {"t.py": suite.replace("mill", "quern")}, "c": {"t.py": "x = 1"}}
    )
    assert [(pair.one, pair.other, pair.code_percent) for pair in pairs] == [("a", "b", 100)]
