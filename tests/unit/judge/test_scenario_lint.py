"""Scenario files only take data to the product and bring raw data back."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge.scenario_lint import lint_scenarios

GOOD = '''
"""Scenarios."""
import tally
from tally import errors


def total(text):
    return tally.load(text).total()


async def later(text):
    value = await tally.later(text)
    return value


def shown(text):
    return describe(tally.load(text), "rows", "name")


def called_back(text):
    def refuse(line):
        raise tally.Refused(line)
    return tally.load(text, on_line=refuse)


def option(text):
    return [tally.load(text, strict=True), tally.load(text, strict=False)]


def parts(text):
    for part in tally.split(text):
        yield part
'''


def lint(source: str) -> list[str]:
    return lint_scenarios(source, "F01.py", allowed_roots={"tally"})


def test_honest_scenarios_have_no_problem() -> None:
    assert lint(GOOD) == []


BAD = {
    "a comparison": "return tally.f(a) == 1",
    "an in": "return tally.f(a) in [1]",
    "a match": "match tally.f(a):\n        case 1: return tally.g()",
    "a try": "try:\n        return tally.f(a)\n    except ValueError:\n        return a",
    "a constant": "tally.f(a)\n    return 1",
    "a None": "tally.f(a)\n    return None",
    "a list of constants": "tally.f(a)\n    return [1, 'a']",
    "a map of constants": "tally.f(a)\n    return {'a': 1}",
    "formatted text": "return f'{tally.f(a)}'",
    "a made-up boolean": "return [tally.f(a), True]",
    "a boolean of a choice": "return True if tally.f(a) else False",
    "a not": "return not tally.f(a)",
    "an and": "return tally.f(a) and tally.g(a)",
    "bool()": "return bool(tally.f(a))",
    "isinstance()": "return isinstance(tally.f(a), int)",
    "any()": "return any(tally.f(a))",
    "an assert": "assert tally.f(a)",
    "a raise": "raise tally.Refused(a)",
    "a dunder": "return tally.f(a).__class__",
    "a dunder name": "return __import__(a), tally.f()",
    "sys": "return tally.f(sys.argv)",
    "exec": "return tally.f(exec(a))",
    "an import inside": "import os\n    return tally.f(os.environ)",
    "no product": "return a",
    "a yielded constant": "yield tally.f(a)\n    yield 1",
    "state": "global x\n    return tally.f(a)",
}


@pytest.mark.parametrize("name", BAD)
def test_each_thing_that_a_scenario_must_not_do_is_named_with_its_line(name: str) -> None:
    problems = lint(f"import tally\n\n\ndef bad(a):\n    {BAD[name]}\n")
    assert problems
    assert all(problem.startswith("F01.py:") and int(problem.split(":")[1]) >= 4 for problem in problems)


@pytest.mark.parametrize(
    "source",
    [
        "import os\nimport tally\ndef f(): return tally.f()\n",
        "from os import path\nimport tally\ndef f(): return tally.f()\n",
        "from . import other\nimport tally\ndef f(): return tally.f()\n",
        "from tally import *\nimport tally\ndef f(): return tally.f()\n",
        "import tallyho\ndef f(): return tallyho.f()\n",
        "import tally\nx = tally.f()\ndef f(): return tally.f(x)\n",
        "import tally\n",
        "import tally\ndef f(): return tally.f()\ndef f(): return tally.g()\n",
        "def (",
        "import tally\ndef f():\n" + "    tally.f()\n" * 15,
    ],
)
def test_a_file_that_is_more_than_imports_and_short_functions_is_refused(source: str) -> None:
    assert lint(source)


def test_the_scenarios_of_the_tiny_product_keep_the_rules(checkout: Path) -> None:
    path = checkout / "tests/data/judge/tally/suite/tests/scenarios/F01.py"
    assert lint(path.read_text()) == []


def test_fifteen_lines_are_allowed() -> None:
    assert lint("import tally\ndef f():\n" + "    tally.f()\n" * 14) == []


OPERATORS = """
import operator
import tally


def before(one, other):
    return operator.lt(tally.Mark(one), tally.Mark(other))
"""


def test_an_operator_of_the_product_is_used_through_its_function() -> None:
    assert lint_scenarios(OPERATORS, "F01.py", allowed_roots={"tally", "operator"}) == []
    assert lint(OPERATORS) == ["F01.py:2: import of operator: only tally may be imported"]


@pytest.mark.parametrize("name", ["not_", "is_", "truth", "attrgetter", "methodcaller", "call"])
def test_nothing_else_of_operator_is_used(name: str) -> None:
    roots = {"tally", "operator"}
    found = lint_scenarios(OPERATORS.replace("operator.lt", f"operator.{name}"), "F01.py", allowed_roots=roots)
    assert len(found) == 1
    assert f"operator.{name}" in found[0]
    direct = OPERATORS.replace("import operator", f"from operator import {name}").replace("operator.lt", name)
    assert any("as a whole" in each for each in lint_scenarios(direct, "F01.py", allowed_roots=roots))
    renamed = OPERATORS.replace("import operator", "import operator as op").replace("operator.lt", f"op.{name}")
    assert lint_scenarios(renamed, "F01.py", allowed_roots=roots) != []
