"""The operator table and the places it leaves alone."""

from __future__ import annotations

import textwrap

import pytest

from environments.languages.python.mutate import OPERATORS, Change, changes, no_mutant, splice
from environments.languages.python.syntax import ARID
from taskpack.mutant import Fate


def source(text: str) -> bytes:
    return textwrap.dedent(text).lstrip().encode()


def made(text: str, operator: str) -> list[str]:
    """The lines that the operator's mutants change, as they then read."""
    before = source(text)
    after = [splice(before, change) for change in changes("m.py", before) if change.operator == operator]
    return [_changed_line(before, new) for new in after]


def _changed_line(before: bytes, after: bytes) -> str:
    pairs = zip(before.decode().splitlines(), after.decode().splitlines(), strict=True)
    return next(new.strip() for old, new in pairs if old != new)


@pytest.mark.parametrize(
    ("operator", "text", "expected"),
    [
        ("comparison", "x = a < b", ["x = a >= b"]),
        ("comparison", "x = a is not b", ["x = a is b"]),
        ("comparison", "x = a < b == c", ["x = a >= b == c", "x = a < b != c"]),
        ("boundary", "x = a < b", ["x = a <= b"]),
        ("boundary", "x = a == b", []),
        ("arithmetic", "x = a + b", ["x = a - b"]),
        ("augmented", "a += b", ["a -= b"]),
        ("and-or", "x = a and b", ["x = a or b"]),
        ("drop-not", "x = not a", ["x = (a)"]),
        ("drop-not", "x = -a", ["x = (a)"]),
        ("integer", "x = 7", ["x = (7 + 1)"]),
        ("constant", "x = f(True, None)", ["x = f(False, None)", "x = f(True, 0)"]),
        ("constant", "x = a is None", []),
        ("string-empty", 'x = "ab"', ['x = ""']),
        ("string-empty", 'x = b"ab"', ['x = b""']),
        ("string-empty", 'x = ""', []),
        ("string-longer", 'x = ""', ['x = "~"']),
        ("return-value", "def f():\n    return a", ["return None"]),
        ("return-value", "def f():\n    return None", []),
        ("return-value", "def f():\n    return", []),
        ("statement-deletion", "f(a)", ["pass"]),
        ("raise-type", "raise E(1)", ["raise Exception(1)"]),
        ("raise-type", "raise Exception(1)", ["raise RuntimeError(1)"]),
        ("raise-removal", "raise E(1) from e", ["pass"]),
        ("uncaught", "try:\n    f()\nexcept (A, B) as e:\n    pass", ["except () as e:"]),
        ("default-argument", "def f(a=b.c): ...", ["def f(a=None): ..."]),
        ("condition", "if a:\n    pass", ["if False:", "if True:"]),
        ("condition", "while a:\n    pass", ["while False:"]),
        ("condition", "x = a if b else c", ["x = a if False else c", "x = a if True else c"]),
        ("loop-skip", "for a in b:\n    pass", ["for a in ():"]),
        ("break-continue", "for a in b:\n    break", ["continue"]),
        ("break-continue", "for a in b:\n    continue", ["break"]),
    ],
)
def test_operator_changes_what_it_is_named_after(operator: str, text: str, expected: list[str]) -> None:
    assert made(text, operator) == expected


def test_every_operator_of_the_table_has_an_example_above() -> None:
    examples = {row[0] for mark in test_operator_changes_what_it_is_named_after.pytestmark for row in mark.args[1]}
    assert examples == {operator.name for operator in OPERATORS}


@pytest.mark.parametrize(
    "text",
    [
        "import a.b as c",
        "from a import b",
        "x: int | None",
        '__version__ = "1.2"',
        '__all__ = ["a"]',
        'T = t.TypeVar("T", bound=int)',
        "X: t.TypeAlias = int | str",
        "X = t.Union[str, bytes]",
        '"""Doc."""',
        'class A:\n    """Doc."""\n    x: int',
        "@overload\ndef f(a: int = 1) -> int: ...",
        '@cache(size=3)\ndef f():\n    """Doc."""',
        "if t.TYPE_CHECKING:\n    x = 1 + 2",
        'def __getattr__(name):\n    return 1 + 2 == "x"',
        "def f(a: int | None) -> 'A | B':\n    ...",
    ],
)
def test_arid_code_has_no_mutants(text: str) -> None:
    assert changes("m.py", source(text)) == ()


def test_message_texts_are_left_alone_and_the_raise_is_not() -> None:
    found = changes("m.py", source('def f():\n    raise E(f"no {a!r}", code=3) from e'))
    assert sorted(change.operator for change in found) == ["integer", "raise-removal", "raise-type"]


def test_the_list_of_arid_code_can_be_read() -> None:
    assert len(ARID) >= 9


def test_a_change_names_the_definition_around_it() -> None:
    text = "class A:\n    def f(self):\n        return g(lambda: 1)\nx = 2\n"
    places = {change.function for change in changes("m.py", source(text))}
    assert places == {"A.f", "<module>"}


def test_ids_differ_within_a_file_and_equal_changes_are_counted() -> None:
    found = [c for c in changes("m.py", source("def f():\n    g(1)\n    h(1)")) if c.operator == "integer"]
    assert [change.occurrence for change in found] == [0, 1]
    assert len({change.id for change in found}) == 2


def test_an_id_survives_edits_elsewhere_in_the_file() -> None:
    before = changes("m.py", source("def f():\n    return a"))
    after = changes("m.py", source("x = g()\n\n\ndef f():\n    return a"))
    assert {change.id for change in before} <= {change.id for change in after}


def test_splicing_into_another_file_is_refused() -> None:
    change = changes("m.py", b"x = a + b\n")[0]
    with pytest.raises(ValueError, match="are not what"):
        splice(b"y = 0\n", change)


def _spliced(before: bytes, start: int, old: bytes, new: bytes) -> bytes:
    change = Change(
        id="0" * 12,
        operator="x",
        function="f",
        line=1,
        start=start,
        end=start + len(old),
        old=old,
        new=new,
        occurrence=0,
    )
    return splice(before, change)


def test_what_does_not_compile_is_unviable() -> None:
    before = b"x = (1)\n"
    assert no_mutant("m.py", before, _spliced(before, 4, b"(1)", b"(")) is Fate.UNVIABLE


def test_same_bytecode_is_equivalent_though_lines_differ() -> None:
    before = b"def f():\n    return 1 + 1\n"
    assert no_mutant("m.py", before, b"def f():\n\n\n    return 2\n") is Fate.EQUIVALENT


@pytest.mark.parametrize(
    ("before", "after"),
    [("x = 1", "x = True"), ("x = 0.0", "x = -0.0"), ("x = (1, 2)", "x = (1, 2.0)"), ("x = 'a'", "x = b'a'")],
)
def test_constants_that_compare_equal_or_print_alike_are_told_apart(before: str, after: str) -> None:
    assert no_mutant("m.py", before.encode(), after.encode()) is None


def test_a_mutant_deep_in_a_nested_function_is_no_equivalent() -> None:
    text = b"def f():\n    def g():\n        return [x + 1 for x in y]\n    return g\n"
    change = next(change for change in changes("m.py", text) if change.operator == "integer")
    assert no_mutant("m.py", text, splice(text, change)) is None
