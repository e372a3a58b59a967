"""A proposed order is valid, says which fields are open, and holds nothing that its hostile source put there."""

from __future__ import annotations

import tomllib
from dataclasses import replace

import pytest

from authoring.guesses.features import ModuleSize
from authoring.guesses.guess import Guess
from authoring.guesses.trial import Setup, Trial
from flows.naming import Named
from flows.order_page import decisions, order_page
from flows.proposing import Proposal
from taskpack.order import Order, PypiSource
from taskpack.outcome import Fact
from taskpack.pin import Inventory, LicenceFile, Pin
from taskpack.survey import Survey, Symbol, SymbolKind

SOURCE = PypiSource(kind="pypi", name="tallybook", version="1.0", sha256="0" * 64)
MODULE = ModuleSize(path="src/tallybook/total.py", lines=40, names=("add", "CarryOver"), offered=2, needs=())
SETUP = Setup(
    build=(Guess(value="flit_core<4", evidence=(Fact(what="flit_core<4", where="pyproject.toml:2"),)),),
    tests=(Guess(value="pytest", evidence=(Fact(what="import pytest", where="tests/test_a.py:1"),)),),
    command=Guess(value=("python", "-m", "pytest", "-q", "tests"), evidence=(Fact(what="3 files", where="tests"),)),
)


def symbol(name: str, kind: SymbolKind) -> Symbol:
    return Symbol(name=name, kind=kind, signature="", path=MODULE.path, line=3, exported=True)


@pytest.fixture
def proposal() -> Proposal:
    return Proposal(
        source=SOURCE,
        label="tallybook 1.0",
        remark="",
        pin=Pin(
            source=SOURCE,
            file_name="a.tar.gz",
            file_sha256="0" * 64,
            commit="1" * 40,
            tree="2" * 40,
            recipe=1,
            dropped=(),
            licence="MIT",
            licence_files=(LicenceFile(path="LICENSE", sha256="3" * 64, detected="MIT"),),
            inventory=Inventory(files=4, bytes=99, source_files=2, test_files=1),
        ),
        licences=("MIT",),
        language=Guess(value="Python", evidence=(Fact(what="a manifest of Python", where="pyproject.toml"),)),
        trial=Trial(setup=SETUP, passed=7, fault="", log=""),
        left_out=(),
        survey=Survey(
            import_root="tallybook", symbols=(symbol("add", SymbolKind.FUNCTION), symbol("CarryOver", SymbolKind.CLASS))
        ),
        modules=(MODULE,),
        features=(MODULE,),
        named=Named(name="plurdin", names=None, refusal="none passed", registry=None),
    )


def read(text: str) -> Order:
    return Order.model_validate(tomllib.loads(text))


def test_the_order_is_valid_and_says_what_was_found(proposal: Proposal) -> None:
    order = read(order_page(proposal, "case007"))
    assert (order.case_id, order.source, order.product.name) == ("case007", SOURCE, "plurdin")
    assert order.testing.requirements == ("pytest",)
    assert order.testing.build_requirements == ("flit_core<4",)
    assert (order.testing.command[-1], order.testing.expected) == ("tests", 7)
    assert [feature.files for feature in order.features] == [("src/tallybook/total.py",)]


def test_every_field_that_only_the_author_knows_is_open(proposal: Proposal) -> None:
    assert decisions(order_page(proposal, "case007")) == (
        "product.name",
        "product.summary",
        "rename.identifiers",
        "rename.literals",
        "features",
        "features.title",
        "floors",
    )


def test_each_guess_stands_beside_the_place_that_it_came_from(proposal: Proposal) -> None:
    text = order_page(proposal, "case007")
    lines = text.splitlines()
    for value, evidence in (
        ('"pytest",', "# guess: tests/test_a.py:1: import pytest"),
        ('"flit_core<4",', "# guess: pyproject.toml:2: flit_core<4"),
        ('# CarryOver = ""', "# class, src/tallybook/total.py:3"),
    ):
        assert [line for line in lines if line.strip().startswith(value) and evidence in line], value
    assert "# tried: 7 passed and none failed" in lines[lines.index("expected = 7") - 1]


def test_tests_that_do_not_pass_leave_the_count_to_the_author_with_the_log(proposal: Proposal) -> None:
    broken = replace(
        proposal, trial=Trial(setup=SETUP, passed=0, fault="3 tests fail", log="FAILED tests/test_a.py::test_b")
    )
    text = order_page(broken, "case007")
    assert "testing.expected" in decisions(text)
    assert "FAILED tests/test_a.py::test_b" in text
    assert read(text).testing.expected == 1


@pytest.mark.parametrize(
    "evil",
    [
        'x"\nexpected = 99\n#',
        "\x1b[31mred\x1b[0m",
        "x\r\n[product]\nname = 'other'",
        "\x7f\u2028\U0001f600\\u0000",
        "]" * 400,
    ],
)
def test_words_of_the_source_neither_leave_their_comment_nor_their_string(proposal: Proposal, evil: str) -> None:
    guess = Guess(value=evil, evidence=(Fact(what=evil, where=evil),))
    setup = Setup(build=(guess,), tests=(guess,), command=Guess(value=("python", evil), evidence=guess.evidence))
    hostile = replace(
        proposal,
        label=evil,
        remark=evil,
        language=guess,
        left_out=(guess,),
        trial=Trial(setup=setup, passed=7, fault="", log=""),
        modules=(replace(MODULE, names=(evil,)),),
        features=(replace(MODULE, names=(evil,)),),
    )
    text = order_page(hostile, "case007")
    order = read(text)
    assert (order.testing.requirements, order.testing.command, order.testing.expected) == ((evil,), ("python", evil), 7)
    assert order.product.name == "plurdin"
    assert all(char.isprintable() or char == "\n" for char in text.replace("\u2028", ""))
