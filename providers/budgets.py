"""Whether one more request may be sent: the order's budget against the ledger."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal

from providers.ledger import Ledger
from taskpack.drafting import Budget
from taskpack.errors import BudgetReached
from taskpack.ledger import LedgerEntry

CostOf = Callable[[LedgerEntry], Decimal | None]
"""What an entry cost; None when nobody knows."""


@dataclass(frozen=True, kw_only=True)
class Purse:
    """A case's budget. Only replies that somebody sold count, those of earlier runs as well."""

    budget: Budget
    ledger: Ledger
    cost_of: CostOf
    clock: Callable[[], float]
    """Seconds; monotonic."""
    began: float
    """When this run began, on that clock."""

    def check(self, case_id: str, *, lost: int) -> None:
        """Raises `BudgetReached` when a limit is; `lost` is how many sends may have been paid without a reply."""
        paid = [entry for entry in self.ledger.entries() if entry.case_id == case_id and entry.model is not None]
        limits = (
            ("calls", self.budget.calls, lambda: len(paid) + lost),
            ("tokens", self.budget.tokens, lambda: _sum(paid, _tokens, "tokens")),
            ("usd", self.budget.usd, lambda: _sum(paid, self.cost_of, "usd")),
            ("minutes", self.budget.minutes, lambda: (self.clock() - self.began) / 60),
        )
        for name, limit, spent in limits:
            if limit is not None:
                used = spent()
                if used >= limit:
                    raise _reached(name, used=f"{used:.4f}" if name == "usd" else f"{used:g}", limit=f"{limit}")


def _tokens(entry: LedgerEntry) -> Decimal | None:
    if entry.input_tokens is None or entry.output_tokens is None:
        return None
    return Decimal(entry.input_tokens + entry.output_tokens)


def _sum(paid: list[LedgerEntry], measure: CostOf, name: str) -> Decimal:
    total = Decimal(0)
    for entry in paid:
        one = measure(entry)
        if one is None:
            raise BudgetReached(
                f"the budget in {name} cannot be kept: a reply's {name} are not known",
                details={"reply": f"{entry.stage}/{entry.unit}/{entry.attempt}", "model": str(entry.model)},
                remedy=f"give [drafting.price] in order.toml, or limit something else than drafting.budget.{name}",
            )
        total += one
    return total


def _reached(name: str, *, used: str, limit: str) -> BudgetReached:
    again = "run the same command again for as much time once more, or raise" if name == "minutes" else "raise"
    return BudgetReached(
        f"the budget of {limit} {name} is reached: nothing more was sent",
        details={"used": used, "limit": f"drafting.budget.{name} = {limit}"},
        remedy=f"{again} drafting.budget.{name} in order.toml; stored replies are not asked for again",
    )
