"""Asking for a draft: findings go back, attempts are bounded, a wait is a wait."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from authoring.drafting import Desk, Feedback, draft, draft_all
from providers.interface import Refusal, Reply, Request
from taskpack.ledger import LedgerEntry
from taskpack.order import Order, read_order
from taskpack.outcome import Reason, Rejected, Stage, Waiting
from taskpack.record import Part


class Word(Part):
    word: str


class Scripted:
    """A provider that gives its replies in order, then none."""

    name = "scripted"

    def __init__(self, *replies: str) -> None:
        self.replies = list(replies)
        self.asked: list[Request] = []

    def ask(self, request: Request) -> Reply | None:
        self.asked.append(request)
        if not self.replies:
            return None
        return Reply(text=self.replies.pop(0), answered_by="script", replayed=False, drift=False)


@pytest.fixture
def order(checkout: Path) -> Order:
    return read_order(checkout / "cases/case001/order.toml")


def ask(
    order: Order, provider: Scripted, ledger: list[LedgerEntry], note: Callable[[str], None] = str
) -> Word | Rejected | Waiting:
    def prompt(feedback: Feedback | None) -> str:
        return "say a word" if feedback is None else f"again: {feedback.findings}"

    def check(answer: Word) -> Sequence[str]:
        return () if answer.word == "right" else (f"{answer.word} is wrong",)

    desk = Desk(order=order, provider=provider, record=ledger.append, note=note)
    return draft(Word, desk=desk, stage=Stage.SPEC, unit="FP-01", prompt=prompt, check=check)


def word(text: str) -> str:
    return json.dumps({"word": text})


def test_a_right_first_draft_is_taken(order: Order) -> None:
    provider, ledger = Scripted(word("right")), list[LedgerEntry]()
    assert ask(order, provider, ledger) == Word(word="right")
    assert [request.id for request in provider.asked] == ["case001.spec.FP-01.1"]
    assert (ledger[0].unit, ledger[0].attempt, ledger[0].answered_by) == ("FP-01", 1, "script")


def test_findings_go_back_word_for_word(order: Order) -> None:
    provider = Scripted(word("left"), word("right"))
    assert ask(order, provider, []) == Word(word="right")
    assert provider.asked[1].prompt == "again: ('left is wrong',)"
    assert provider.asked[1].attempt == 2


def test_a_reply_outside_the_schema_is_a_finding_and_is_not_checked(order: Order) -> None:
    provider = Scripted('{"words": []}', "no json", word("right"))
    assert ask(order, provider, []) == Word(word="right")
    assert "words" in provider.asked[1].prompt
    assert len(provider.asked) == 3


def test_people_see_what_became_of_each_reply(order: Order) -> None:
    told: list[str] = []
    ask(order, Scripted('{"word": 1, "more": 2}', word("left"), word("x" * 900), word("right")), [], told.append)
    assert told == [
        "    case001.spec.FP-01.1 goes back: word: Input should be a valid string, and 1 more",
        "    case001.spec.FP-01.2 goes back: left is wrong",
        f"    case001.spec.FP-01.3 goes back: {'x' * 160} ...",
        "    case001.spec.FP-01.4 is taken",
    ]


def test_attempts_are_bounded_and_the_last_findings_are_the_evidence(order: Order) -> None:
    provider, ledger = Scripted(*[word(f"w{number}") for number in range(9)]), list[LedgerEntry]()
    answer = ask(order, provider, ledger)
    assert isinstance(answer, Rejected)
    assert answer.reason is Reason.DRAFT_REFUSED
    assert [fact.what for fact in answer.evidence] == ["w3 is wrong"]
    assert len(provider.asked) == len(ledger) == order.attempts == 4


def test_no_reply_is_a_wait_for_that_attempt(order: Order) -> None:
    answer = ask(order, Scripted(word("left")), [])
    assert isinstance(answer, Waiting)
    assert answer.requests == ("case001.spec.FP-01.2",)


class Answers:
    """A provider that knows its replies by request; what it does not know waits."""

    name = "answers"

    def __init__(self, replies: dict[str, str]) -> None:
        self.replies = replies
        self.asked: list[str] = []

    def ask(self, request: Request) -> Reply | None:
        self.asked.append(f"{request.unit}.{request.attempt}")
        text = self.replies.get(self.asked[-1])
        return None if text is None else Reply(text=word(text), answered_by="script", replayed=False, drift=False)


def ask_all(
    order: Order, provider: Answers, *names: str, needs: Mapping[str, str] | None = None
) -> dict[str, Word] | Rejected | Waiting:
    desk = Desk(order=order, provider=provider, record=lambda _entry: None)

    def one(name: str, drafts: Mapping[str, Word]) -> Word | Rejected | Waiting | None:
        if (needs or {}).get(name, name) not in {name, *drafts}:
            return None
        return draft(
            Word,
            desk=desk,
            stage=Stage.TESTS,
            unit=name,
            prompt=lambda _feedback: "say a word",
            check=lambda answer: [f"{answer.word} is wrong"] if answer.word.startswith("bad") else [],
        )

    return draft_all(names, one)


def test_all_units_are_asked_before_any_is_waited_for(order: Order) -> None:
    provider = Answers({"FP-02.1": "good", "FP-03.1": "bad"})
    answer = ask_all(order, provider, "FP-01", "FP-02", "FP-03", "FP-04")
    assert isinstance(answer, Waiting)
    assert answer.requests == ("case001.tests.FP-01.1", "case001.tests.FP-03.2", "case001.tests.FP-04.1")
    assert provider.asked == ["FP-01.1", "FP-02.1", "FP-03.1", "FP-03.2", "FP-04.1"]


def test_drafts_come_in_the_order_of_their_units(order: Order) -> None:
    provider = Answers({"FP-02.1": "two", "FP-01.1": "bad", "FP-01.2": "one"})
    assert ask_all(order, provider, "FP-02", "FP-01") == {"FP-02": Word(word="two"), "FP-01": Word(word="one")}


def test_attempts_of_one_unit_are_not_taken_from_another(order: Order) -> None:
    bad = {f"{unit}.{attempt}": "bad" for unit in ("FP-01", "FP-02") for attempt in range(1, 4)}
    provider = Answers({**bad, "FP-01.4": "one", "FP-02.4": "two"})
    assert ask_all(order, provider, "FP-01", "FP-02") == {"FP-01": Word(word="one"), "FP-02": Word(word="two")}


def test_refused_units_are_all_named_and_go_before_a_wait(order: Order) -> None:
    bad = {f"{unit}.{attempt}": f"bad-{unit}" for unit in ("FP-01", "FP-03") for attempt in range(1, 5)}
    answer = ask_all(order, Answers(bad), "FP-01", "FP-02", "FP-03")
    assert isinstance(answer, Rejected)
    assert [(fact.where, fact.what) for fact in answer.evidence] == [
        ("FP-01", "bad-FP-01 is wrong"),
        ("FP-03", "bad-FP-03 is wrong"),
    ]
    assert "FP-01" in answer.message
    assert "FP-03" in answer.message


def test_a_unit_waits_for_the_draft_that_it_needs(order: Order) -> None:
    needs = {"FP-02": "FP-01", "FP-04": "FP-03"}
    provider = Answers({"FP-03.1": "three"})
    answer = ask_all(order, provider, "FP-01", "FP-02", "FP-03", "FP-04", needs=needs)
    assert isinstance(answer, Waiting)
    assert answer.requests == ("case001.tests.FP-01.1", "case001.tests.FP-04.1")


def test_the_stable_part_of_a_prompt_ends_before_what_an_attempt_changes(order: Order) -> None:
    provider = Scripted(word("left"), word("right"))
    text = "First line.\nSecond line.\n"

    def prompt(feedback: Feedback | None) -> str:
        return text + ("" if feedback is None else f"Wrong: {feedback.findings}\n") + "Source.\n"

    desk = Desk(order=order, provider=provider, record=lambda _entry: None)
    check = lambda answer: [] if answer.word == "right" else ["wrong"]  # noqa: E731
    draft(Word, desk=desk, stage=Stage.SPEC, unit="FP-01", prompt=prompt, check=check)
    assert [request.prompt[: request.stable] for request in provider.asked] == [text, text]


def test_a_prompt_without_feedback_is_stable_to_its_last_line(order: Order) -> None:
    provider = Scripted(word("right"))
    ask_once = Desk(order=order, provider=provider, record=lambda _entry: None)
    draft(Word, desk=ask_once, stage=Stage.SPEC, unit="x", prompt=lambda _: "One.\nTwo.\n", check=lambda _: [])
    assert provider.asked[0].stable == len("One.\nTwo.\n")


def test_drift_is_told_each_time(order: Order) -> None:
    class Old(Scripted):
        def ask(self, request: Request) -> Reply | None:
            return Reply(text=word("right"), answered_by="script", replayed=True, drift=True)

    told: list[str] = []
    desk = Desk(order=order, provider=Old(), record=lambda _entry: None, note=told.append)
    for _ in range(2):
        draft(Word, desk=desk, stage=Stage.SPEC, unit="FP-01", prompt=lambda _: "x", check=lambda _: [])
    drifts = [line for line in told if "drift" in line]
    assert len(drifts) == 2
    assert "case001.spec.FP-01.1" in drifts[0]


def test_a_reply_that_may_not_be_used_is_not_read_and_comes_back_without_its_names(order: Order) -> None:
    class Naming(Scripted):
        def ask(self, request: Request) -> Reply | None:
            reply = super().ask(request)
            if reply is None or "brass" not in reply.text:
                return reply
            refusal = Refusal(findings=("word: 'brass'",), told=("word: a name",), shown=word("[withheld]"))
            return replace(reply, refusal=refusal)

    told: list[str] = []
    seen: list[Feedback | None] = []

    def prompt(feedback: Feedback | None) -> str:
        seen.append(feedback)
        return str(feedback)

    provider, ledger = Naming(word("brass"), word("right")), list[LedgerEntry]()
    desk = Desk(order=order, provider=provider, record=ledger.append, note=told.append)
    check = lambda answer: () if answer.word == "right" else ("it was read",)  # noqa: E731
    found = draft(Word, desk=desk, stage=Stage.SPEC, unit="FP-01", prompt=prompt, check=check)
    assert found == Word(word="right")
    assert seen[-1] == Feedback(reply=word("[withheld]"), findings=("word: a name",))
    assert not any("brass" in line for line in [*told, provider.asked[1].prompt])
    assert len(ledger) == 2

    ask_twice = Desk(order=order.model_copy(update={"attempts": 2}), provider=Naming(*[word("brass")] * 2), record=str)
    refused = draft(Word, desk=ask_twice, stage=Stage.SPEC, unit="FP-01", prompt=prompt, check=check)
    assert isinstance(refused, Rejected)
    assert [fact.what for fact in refused.evidence] == ["word: a name"]
