"""Text that attacks its reader: every way to break a parser or a walk is a finding with a line, and soon."""

from __future__ import annotations

import ast
import cProfile

import pytest

from authoring.suite_lint import lint_tests
from judge import probing
from judge.parsing import DEPTH, SOURCE_BYTES, NotParsed, parse_source, shown
from judge.scenario_lint import lint_scenarios

HOSTILE = {
    "minus signs": "-" * 20_000 + "1",
    "negations": "not " * 40_000 + "1",
    "powers": "2**" * 50_000 + "2",
    "additions": "1+" * 90_000 + "1",
    "additions that still parse": "1+" * 900 + "1",
    "an attribute chain": "a" + ".b" * 60_000,
    "an attribute chain that still parses": "a" + ".b" * 900 + " == 1",
    "a chain that ends in a mark": "pytest" + ".b" * 900 + ".skip",
    "subscripts": "a" + "[0]" * 60_000,
    "calls": "a" + "()" * 90_000,
    "open parentheses": "(" * 100_000,
    "closed parentheses": "(" * 190 + "1" + ",)" * 190,
    "lists": "[" * 190 + "]" * 190,
    "conditions": "a if b else " * 10_000 + "1",
    "elifs": "if a: x\n" + "elif b: y\n" * 15_000,
    "elifs that still parse": "if a: x\n" + "elif b: y\n" * 900,
    "indentation": "".join(" " * depth + "if 1:\n" for depth in range(99)) + " " * 99 + "x",
    "indentation past the limit": "".join(" " * depth + "if 1:\n" for depth in range(150)) + " " * 150 + "x",
    "lambdas": "lambda:" * 20_000 + "1",
    "a null": "a = 1\nb\0c",
    "half a surrogate pair": "a = 1\nb = '\ud800'",
    "a number too long to read": "1" * 100_000,
    "a marked number too long to write": "(0x" + "f" * 100_000 + ").skip == pytest",
    "a compared number too long to write": "(0x" + "f" * 100_000 + ").value == 1",
    "more than may be read": "x = 1\n" * SOURCE_BYTES,
    "more than may be read, in few characters": "# " + "\u20ac" * (SOURCE_BYTES // 2),
}
LONG = {
    "many functions": lambda n: "import tally\n" + "".join(f"def f{i}(): g()\n" for i in range(n)),
    "many booleans": lambda n: "import tally\ndef f():\n return [" + "True, " * n + "]",
    "many dictionaries of booleans": lambda n: "import tally\ndef f():\n return {" + "1: True, " * n + "}",
    "many comparisons": lambda n: "a.value == 1\n" * n,
    "many tests": lambda n: "".join(f"def test_{i}(): pass\n" for i in range(n)),
    "marks in each other": lambda n: "pytest" + ".skip(a)" * (DEPTH // 2 - 4) + "\n" + "x\n" * n,
}


def linted(source: str) -> list[str]:
    return [
        *lint_scenarios(source, "F01.py", allowed_roots={"tally"}),
        *lint_tests(source, path="F01_acceptance.py", helpers=(), product="tally"),
        *lint_tests(source, path="F01_helpers.py", helpers=(), product="tally"),
    ]


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_is_a_finding_with_a_line(name: str) -> None:
    check_findings(linted(HOSTILE[name]))


def check_findings(found: list[str]) -> None:
    assert found
    assert all(int(text.split(":")[1]) >= 1 for text in found)
    assert all(len(text) < 400 and text.encode() for text in found)


@pytest.mark.parametrize("name", LONG)
def test_text_of_twice_the_length_is_twice_the_work(name: str) -> None:
    once, twice = (_calls_made(LONG[name](count)) for count in (1_000, 2_000))
    assert once < twice < 2.5 * once


def _calls_made(source: str) -> int:
    """How many functions are called for it: a measure of work that no busy machine changes."""
    profile = cProfile.Profile()
    check_findings(profile.runcall(linted, source))
    return sum(entry.callcount for entry in profile.getstats())


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_scenario_is_not_one_function(name: str) -> None:
    assert probing._only_function("def f():\n    pass\n" + HOSTILE[name].replace("else ", "else\t")) in {None, "f"}
    assert probing._only_function(f"def f(): return {HOSTILE[name]}") in {None, "f"}


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("a = 1\nb\0c", 2),
        ("a = 1\nb = '\ud800'", 2),
        ("a = 1\n\n" + "-" * 20_000 + "1\n", 3),
        ("a = 1\n\nb = " + "1+" * 900 + "1\n", 3),
        ("a = 1\n\n\nb = (\n", 4),
    ],
)
def test_the_line_is_the_one_at_fault(source: str, line: int) -> None:
    parsed = parse_source(source)
    assert isinstance(parsed, NotParsed)
    assert parsed.line == line


def test_what_is_within_the_bounds_is_parsed_and_can_be_walked_by_recursion() -> None:
    deep = "a" + ".b" * (DEPTH - 4)
    parsed = parse_source(deep)
    assert isinstance(parsed, ast.Module)
    assert ast.unparse(parsed) == deep
    assert isinstance(parse_source("x = 1\n" * (SOURCE_BYTES // 6)), ast.Module)


def test_a_node_is_shown_in_one_short_line() -> None:
    assert shown(ast.parse("seen.value")) == "seen.value"
    assert shown(ast.parse("f('''a\n\n\nb''')" + ".x" * 50)).endswith("...")
    assert shown(ast.parse("0x" + "f" * 9_000, mode="eval")) == "Expression"
