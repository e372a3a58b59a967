"""What a sold reply costs, when no more are bought, and what is on disk at every moment of a purchase."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from providers.choose import intents_of, provider_for
from providers.intents import Intents
from providers.ledger import COLUMNS, Ledger, entry_of, ledger_rows
from providers.mailbox import Mailbox
from providers.paid import Paid
from providers.prices import cost, listed_price
from providers.vendor import Call, Failed, Said, broke_off, refused
from taskpack.drafting import Drafting, Price
from taskpack.errors import BadInput, BudgetReached, ProviderBusy
from taskpack.ledger import Ending
from tests.unit.providers.requests import request

PRICE = Price(input=Decimal(10), output=Decimal(100), cached=Decimal(1), written=Decimal(20))
RIGHT = Said(
    text='{"title": "x", "count": 1, "any": "0"}',
    ending=Ending.COMPLETE,
    why="stop",
    model="model-1",
    reply_id="r",
    input_tokens=1_000,
    output_tokens=100,
    cached_tokens=600,
    written_tokens=100,
)


@dataclass(kw_only=True)
class Vendor:
    """A client that answers from a list; its last answer is given for ever."""

    answers: list[Said | Exception | Callable[[], None]]
    calls: list[Call] = field(default_factory=list)
    name: str = "vendor"

    def ready(self) -> None:
        pass

    def send(self, call: Call) -> Said:
        self.calls.append(call)
        said = self.answers[0] if len(self.answers) == 1 else self.answers.pop(0)
        if isinstance(said, Exception):
            raise said
        if callable(said):
            said()
            return RIGHT
        return replace(said, reply_id=f"r{len(self.calls)}")


@pytest.fixture
def paid(tmp_path: Path) -> Callable[..., Paid]:
    def make(*answers: Any, **drafting: Any) -> Paid:
        asked = Drafting.model_validate({"model": "model-1", "price": PRICE, **drafting})
        made = provider_for("openai", inbox=tmp_path / "inbox", replies=tmp_path / "replies", drafting=asked)
        assert isinstance(made, Paid)
        return replace(made, client=Vendor(answers=list(answers or [RIGHT])), sleep=lambda _seconds: None)

    return make


def drafted(provider: Paid, unit: str) -> None:
    """Ask for a unit and enter its reply, as a stage does."""
    asked = request(unit=unit)
    provider.ledger.append(entry_of(asked, provider.ask(asked), provider=provider.name))


def killed_while(provider: Paid, place: str) -> None:
    """Ask in a process that is killed at `place`: while the vendor works, or before the reply is stored."""
    child = os.fork()
    if child == 0:
        die = lambda *_, **__: os.kill(os.getpid(), signal.SIGKILL)  # noqa: E731
        if place == "sending":
            provider = replace(provider, client=Vendor(answers=[die]))
        else:
            type(provider.store).keep = die  # type: ignore[method-assign]
        provider.ask(request())
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL


# money


def test_a_reply_costs_what_its_tokens_cost() -> None:
    fresh, cached, written, out = 300 * 10, 600 * 1, 100 * 20, 100 * 100
    dollars = cost(PRICE, input_tokens=1_000, output_tokens=100, cached_tokens=600, written_tokens=100)
    assert dollars == Decimal(fresh + cached + written + out) / 1_000_000


def test_a_price_without_a_word_on_caches_takes_them_for_input() -> None:
    plain = Price(input=Decimal(10), output=Decimal(0))
    assert cost(plain, input_tokens=9, output_tokens=5, cached_tokens=4, written_tokens=5) == Decimal("0.00009")


@pytest.mark.parametrize("name", ["claude-opus-4-5", "claude-opus-4-5-20251101", "gpt-5.5", "gpt-5.5-2026-04-23"])
def test_a_listed_price_is_dated_and_holds_for_a_models_snapshots(name: str) -> None:
    price = listed_price(name)
    assert price is not None
    assert price.as_of == "2026-06"
    assert price.input == 5


@pytest.mark.parametrize("name", ["", "gpt", "gpt-5.5-pro", "claude-opus-4-5-2025", "model-1"])
def test_a_model_that_is_not_listed_has_no_price(name: str) -> None:
    assert listed_price(name) is None


def test_without_a_price_the_cost_is_unknown_and_is_shown_as_that(paid: Callable[..., Paid]) -> None:
    provider = paid(price=None)
    drafted(provider, "FP-01")
    (row, total) = ledger_rows(provider.ledger.entries())
    assert dict(zip(COLUMNS, row, strict=True))["cost in $"] == "unknown"
    assert dict(zip(COLUMNS, total, strict=True))["cost in $"] == "0.0000 and 1 unknown"


def test_a_budget_in_money_needs_a_price(tmp_path: Path) -> None:
    asked = Drafting.model_validate({"model": "model-1", "budget": {"usd": 1}})
    with pytest.raises(BadInput, match="no price of model-1 is known") as caught:
        provider_for("openai", inbox=tmp_path, replies=tmp_path, drafting=asked)
    assert "drafting.price" in caught.value.remedy


def test_a_vendor_needs_a_model_and_the_flag_goes_before_the_order(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no model is named"):
        provider_for("anthropic", inbox=tmp_path, replies=tmp_path)
    made = provider_for("anthropic", inbox=tmp_path, replies=tmp_path, drafting=Drafting(model="one"), model="two")
    assert isinstance(made, Paid)
    assert made.client.model == "two"  # type: ignore[attr-defined]


def test_a_temperature_is_refused_where_there_is_none(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="takes no temperature"):
        provider_for("anthropic", inbox=tmp_path, replies=tmp_path, drafting=Drafting(model="m", temperature=0.5))


# budgets


@pytest.mark.parametrize(
    ("budget", "bought"),
    [
        ({"calls": 2}, 2),
        ({"tokens": 1_100}, 1),
        ({"tokens": 1_101}, 2),
        ({"usd": "0.0156"}, 1),
        ({"usd": "0.015601"}, 2),
        ({"usd": 100, "tokens": 10**9, "calls": 3}, 3),
    ],
)
def test_a_budget_that_is_reached_stops_before_the_next_send(
    paid: Callable[..., Paid], budget: dict[str, Any], bought: int
) -> None:
    provider = paid(budget=budget)
    units = iter(f"FP-{number:02}" for number in range(1, 9))
    with pytest.raises(BudgetReached) as caught:  # noqa: PT012
        for unit in units:
            drafted(provider, unit)
    assert len(provider.client.calls) == bought  # type: ignore[attr-defined]
    assert f"drafting.budget.{[*budget][-1]}" in caught.value.details["limit"]
    assert len(provider.ledger.entries()) == bought


def test_a_budget_counts_earlier_runs_and_is_no_matter_for_stored_replies(paid: Callable[..., Paid]) -> None:
    drafted(paid(), "FP-01")
    later = paid(budget={"calls": 1})
    assert later.ask(request(unit="FP-01")).replayed
    with pytest.raises(BudgetReached):
        later.ask(request(unit="FP-02"))
    raised = paid(budget={"calls": 2})
    assert not raised.ask(request(unit="FP-02")).replayed


def test_replies_that_nobody_sold_are_in_no_budget(paid: Callable[..., Paid], tmp_path: Path) -> None:
    provider = paid(budget={"calls": 1})
    free = Mailbox(inbox=tmp_path / "inbox", store=provider.store)
    provider.store.keep(request(), {"title": "x"}, answered_by="somebody")
    reply = free.ask(request())
    assert reply is not None
    provider.ledger.append(entry_of(request(), reply, provider="mailbox"))
    drafted(provider, "FP-02")


def test_minutes_are_of_one_run(paid: Callable[..., Paid]) -> None:
    now = [0.0]
    provider = paid(budget={"minutes": 1})
    provider = replace(provider, purse=replace(provider.purse, clock=lambda: now[0], began=0.0))
    now[0] = 59.0
    drafted(provider, "FP-01")
    now[0] = 60.0
    with pytest.raises(BudgetReached, match="minutes"):
        provider.ask(request(unit="FP-02"))
    drafted(paid(budget={"minutes": 1}), "FP-02")


def test_a_budget_that_cannot_be_kept_is_not_passed_over(paid: Callable[..., Paid]) -> None:
    drafted(paid(replace(RIGHT, input_tokens=None, output_tokens=None)), "FP-01")
    for budget in ({"tokens": 10**9}, {"usd": 10**6}):
        with pytest.raises(BudgetReached, match="cannot be kept"):
            paid(budget=budget).ask(request(unit="FP-02"))


def test_a_reply_from_before_its_price_was_known_is_counted_at_that_price(paid: Callable[..., Paid]) -> None:
    drafted(paid(price=None), "FP-01")
    with pytest.raises(BudgetReached, match="usd"):
        paid(budget={"usd": "0.0156"}).ask(request(unit="FP-02"))


def test_refused_and_cut_replies_count_each_time(paid: Callable[..., Paid]) -> None:
    cut = replace(RIGHT, ending=Ending.TRUNCATED, text="")
    provider = paid(cut, budget={"calls": 2})
    for _ in range(2):
        with pytest.raises(Exception, match="was cut"):
            provider.ask(request())
    with pytest.raises(BudgetReached):
        provider.ask(request())
    assert [entry.ending for entry in provider.ledger.entries()] == [Ending.TRUNCATED] * 2


# kills


@pytest.mark.parametrize("place", ["sending", "storing"])
def test_what_was_in_flight_at_a_kill_is_possibly_paid_and_asked_once_more(
    paid: Callable[..., Paid], place: str
) -> None:
    provider = paid()
    killed_while(provider, place)
    (intent,) = provider.intents.possibly_paid("case901", provider.store)
    assert (intent.id, intent.provider, intent.sends) == ("case901.spec.FP-01.1", provider.name, 1)
    reply = provider.ask(request())
    assert reply.usage is not None
    assert reply.usage.tries == 2
    assert len(provider.client.calls) == 1  # type: ignore[attr-defined]
    assert provider.intents.possibly_paid("case901", provider.store) == ()
    assert provider.ask(request()).replayed


def test_an_intent_is_on_disk_before_a_send(paid: Callable[..., Paid]) -> None:
    seen: list[int] = []
    provider = paid()
    look = lambda: seen.append(provider.intents.sends(request()))  # noqa: E731
    replace(provider, client=Vendor(answers=[look])).ask(request())
    assert seen == [1]


def test_a_reply_is_stored_before_its_intent_is_resolved(
    paid: Callable[..., Paid], monkeypatch: pytest.MonkeyPatch
) -> None:
    provider = paid()
    monkeypatch.setattr(Intents, "resolve", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        provider.ask(request())
    monkeypatch.undo()
    assert provider.store.load(request()) is not None
    assert provider.intents.possibly_paid("case901", provider.store) == ()
    assert provider.ask(request()).replayed
    assert list(provider.intents.root.iterdir()) == []


def test_lost_sends_count_as_calls(paid: Callable[..., Paid]) -> None:
    killed_while(paid(), "sending")
    with pytest.raises(BudgetReached, match="calls"):
        paid(budget={"calls": 1}).ask(request())
    paid(budget={"calls": 2}).ask(request())


def test_a_refusal_that_costs_nothing_leaves_nothing_possibly_paid(paid: Callable[..., Paid]) -> None:
    busy = refused(429, vendor="v", said="", headers={}, model="m")
    provider = paid(busy, retries=1)
    with pytest.raises(ProviderBusy):
        provider.ask(request())
    assert len(provider.client.calls) == 2  # type: ignore[attr-defined]
    assert provider.intents.possibly_paid("case901", provider.store) == ()


def test_a_broken_answer_is_possibly_paid_and_not_repeated_by_itself(paid: Callable[..., Paid]) -> None:
    lost: Failed = broke_off(vendor="v", fact="", model="m")
    provider = paid(lost, RIGHT)
    with pytest.raises(ProviderBusy):
        provider.ask(request())
    assert len(provider.intents.possibly_paid("case901", provider.store)) == 1
    assert provider.ask(request()).usage.tries == 2  # type: ignore[union-attr]


def test_a_mailbox_that_takes_over_does_not_hide_what_may_be_paid(paid: Callable[..., Paid], tmp_path: Path) -> None:
    provider = paid()
    killed_while(provider, "sending")
    assert Mailbox(inbox=tmp_path / "inbox", store=provider.store).ask(request()) is None
    (intent,) = intents_of(tmp_path / "inbox").possibly_paid("case901", provider.store)
    assert intent.sends == 1


# the ledger


def test_another_reply_to_the_same_attempt_is_another_entry(tmp_path: Path, paid: Callable[..., Paid]) -> None:
    provider = paid()
    drafted(provider, "FP-01")
    provider.store.path(request()).unlink()
    drafted(provider, "FP-01")
    assert [entry.reply_id for entry in provider.ledger.entries()] == ["r1", "r2"]
    drafted(provider, "FP-01")
    assert len(provider.ledger.entries()) == 2


def test_the_ledger_names_who_was_paid_whoever_hands_it_over(paid: Callable[..., Paid], tmp_path: Path) -> None:
    paid().ask(request())
    replay = provider_for("replay", inbox=tmp_path / "inbox", replies=tmp_path / "replies")
    reply = replay.ask(request())
    assert reply is not None
    entry = entry_of(request(), reply, provider=replay.name)
    assert (entry.provider, entry.model, entry.tries, entry.replayed) == ("vendor", "model-1", 1, True)
    assert entry.cost_usd == "0.015600"


def test_the_table_sums_up_what_was_paid(paid: Callable[..., Paid]) -> None:
    provider = paid()
    drafted(provider, "FP-01")
    drafted(provider, "FP-02")
    first, _, total = [dict(zip(COLUMNS, row, strict=True)) for row in ledger_rows(provider.ledger.entries())]
    assert (first["request"], first["answered by"]) == ("spec/FP-01/1", "model-1")
    assert (first["tokens in"], first["cached"], first["tokens out"], first["cost in $"]) == (
        "1000",
        "600",
        "100",
        "0.015600",
    )
    assert (total["request"], total["tokens in"], total["cost in $"]) == ("2 paid replies", "2000", "0.0312")


def test_lines_from_before_models_were_paid_are_read(tmp_path: Path) -> None:
    line = {
        "schema_version": 1, "case_id": "case901", "stage": "spec", "unit": "FP-01", "attempt": 1, "provider": "mailbox",
        "answered_by": "a", "request": "0" * 64, "reply": "1" * 64, "request_bytes": 1, "reply_bytes": 1,
        "input_tokens": None, "output_tokens": None, "cost_usd": None, "replayed": False, "drift": False,
    }  # fmt: skip
    (tmp_path / "ledger.jsonl").write_text(json.dumps(line) + "\n")
    (entry,) = Ledger(tmp_path / "ledger.jsonl").entries()
    assert ledger_rows([entry]) == [("spec/FP-01/1", "a", "-", "-", "-", "-", "-", "-")]
