"""The ledger on disk: one line an attempt, whole after a kill, as it was after a full disk."""

from __future__ import annotations

import errno
import multiprocessing
import os
from pathlib import Path
from typing import Any

import pytest

from providers.ledger import Ledger
from taskpack.errors import NoSpace, RecordUnreadable
from taskpack.ledger import LedgerEntry


def entry(attempt: int = 1, **changes: Any) -> LedgerEntry:
    fields: dict[str, Any] = {
        "case_id": "case901",
        "stage": "spec",
        "unit": "FP-01",
        "attempt": attempt,
        "provider": "mailbox",
        "answered_by": "a line\nbreak\u2028 and é",
        "request": "0" * 64,
        "reply": "1" * 64,
        "request_bytes": 10,
        "reply_bytes": 4,
        "replayed": False,
        "drift": False,
        **changes,
    }
    return LedgerEntry(**fields)


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    return Ledger(tmp_path / "case901" / "ledger.jsonl")


def test_entries_come_back_in_order_one_line_each(ledger: Ledger) -> None:
    assert ledger.entries() == ()
    ledger.append(entry(2))
    ledger.append(entry(1))
    assert ledger.entries() == (entry(2), entry(1))
    assert ledger.path.read_bytes().count(b"\n") == 2


def test_the_same_attempt_is_entered_once(ledger: Ledger) -> None:
    ledger.append(entry())
    before = ledger.path.read_bytes()
    ledger.append(entry(replayed=True))
    assert ledger.path.read_bytes() == before


@pytest.mark.parametrize("change", [{"case_id": "case902"}, {"stage": "tests"}, {"unit": "overview"}, {"attempt": 2}])
def test_another_case_stage_unit_or_attempt_is_another_entry(ledger: Ledger, change: dict[str, Any]) -> None:
    ledger.append(entry())
    ledger.append(entry().model_copy(update=change))
    assert len(ledger.entries()) == 2


def test_a_cut_last_line_is_passed_over_and_taken_away(ledger: Ledger) -> None:
    ledger.append(entry(1))
    whole = ledger.path.read_bytes()
    ledger.append(entry(2))
    line = ledger.path.read_bytes()[len(whole) :]
    for length in (1, len(line) // 2, len(line) - 1):
        ledger.path.write_bytes(whole + line[:length])
        assert ledger.entries() == (entry(1),)
        ledger.append(entry(2))
        assert ledger.path.read_bytes() == whole + line


def test_a_broken_line_inside_is_named(ledger: Ledger) -> None:
    ledger.append(entry(1))
    ledger.path.write_bytes(b"{}\n" + ledger.path.read_bytes())
    with pytest.raises(RecordUnreadable, match=r"ledger\.jsonl:1 is not a readable ledgerentry"):
        ledger.entries()
    with pytest.raises(RecordUnreadable):
        ledger.append(entry(2))


def test_a_full_disk_leaves_the_ledger_as_it_was(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    ledger.append(entry(1))
    before = ledger.path.read_bytes()

    def full(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(NoSpace):
            ledger.append(entry(2))
    assert ledger.path.read_bytes() == before


def _append(path: Path, attempts: list[int]) -> None:
    for attempt in attempts:
        Ledger(path).append(entry(attempt))


def test_two_writers_do_not_mix_their_lines_or_double_an_entry(ledger: Ledger) -> None:
    context = multiprocessing.get_context("fork")
    writers = [
        context.Process(target=_append, args=(ledger.path, numbers))
        for numbers in (list(range(1, 30)), list(range(29, 0, -1)))
    ]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(60)
    assert sorted(item.attempt for item in ledger.entries()) == list(range(1, 30))
