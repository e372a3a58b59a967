"""What a reply costs: from an order's own price, else from the dated list beside this file."""

from __future__ import annotations

import re
import tomllib
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Annotated

from pydantic import Field

from taskpack.drafting import Price

_LIST = Path(__file__).with_name("prices.toml")
_DATED = re.compile(r"-(\d{8}|\d{4}-\d{2}-\d{2})$")
_MILLION = Decimal(1_000_000)
_SMALLEST = Decimal("0.000001")


class ListedPrice(Price):
    """A row of the list."""

    models: tuple[str, ...]
    as_of: Annotated[str, Field(pattern=r"^\d{4}-\d{2}$")]


def listed_price(model: str) -> ListedPrice | None:
    """The list's price of a model, also of a snapshot of it (`NAME-20260101`); None when it is not there."""
    rows = _rows()
    return rows.get(model) or rows.get(_DATED.sub("", model))


def cost(price: Price, *, input_tokens: int, output_tokens: int, cached_tokens: int, written_tokens: int) -> Decimal:
    """US dollars for one reply. Cached and written tokens are part of the input."""
    fresh = max(0, input_tokens - cached_tokens - written_tokens)
    dollars = (
        fresh * price.input
        + cached_tokens * _or(price.cached, price.input)
        + written_tokens * _or(price.written, price.input)
        + output_tokens * price.output
    ) / _MILLION
    return dollars.quantize(_SMALLEST)


def _or(one: Decimal | None, other: Decimal) -> Decimal:
    return other if one is None else one


@cache
def _rows() -> dict[str, ListedPrice]:
    rows = tomllib.loads(_LIST.read_text("utf-8"), parse_float=Decimal)["prices"]
    return {model: price for row in rows for price in [ListedPrice.model_validate(row)] for model in price.models}
