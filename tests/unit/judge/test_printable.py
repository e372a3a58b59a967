"""Causes on a terminal."""

from __future__ import annotations

import pytest

from judge.printable import printable


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("differs: seen 'ä', expected '漢'", "differs: seen 'ä', expected '漢'"),
        ("\x1b[2J\x07", "\\x1b[2J\\x07"),
        ("one\ntwo\r\tthree\x85\u2028", "one\\ntwo\\r\\tthree\\x85\\u2028"),
        ("\u202edessap\u2066", "\\u202edessap\\u2066"),
        ("\ud800", "\\ud800"),
        ("\U000e0041", "\\U000e0041"),
    ],
)
def test_what_a_terminal_would_obey_is_written_out(text: str, shown: str) -> None:
    assert printable(text) == shown


def test_a_cause_has_a_length() -> None:
    assert len(printable("\x1b" * 1_000_000)) == 2000
