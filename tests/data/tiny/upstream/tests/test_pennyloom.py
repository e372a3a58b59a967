import pennyloom
import pytest


def test_totals():
    assert pennyloom.total(["1.00", "-2.05"]) == "-1.05"


def test_shares():
    assert pennyloom.split(10, 3) == [4, 3, 3]


def test_a_bad_penny():
    with pytest.raises(pennyloom.BadPenny):
        pennyloom.total(["1.005"])


def test_tags():
    assert pennyloom.tag("a", b"k") != pennyloom.tag("a", b"l")
