"""Hypothesis strategies for our records, made from their own field types."""

from __future__ import annotations

import functools
import types
import typing
from decimal import Decimal
from enum import Enum
from typing import Any

from annotated_types import Ge, Gt, Le, MaxLen, MinLen
from hypothesis import Phase, given, reject, settings
from hypothesis import strategies as st
from pydantic import AfterValidator, BaseModel, ValidationError
from pydantic.fields import FieldInfo

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)
_PLAIN: dict[Any, st.SearchStrategy[Any]] = {
    str: st.text(max_size=12),
    bool: st.booleans(),
    float: st.floats(allow_nan=False, allow_infinity=False),
    type(None): st.none(),
    Any: JSON,
}
_NAMES = st.from_regex("[a-z]{1,8}", fullmatch=True)
_RULES = {
    "_fetchable": _NAMES.map(lambda name: f"https://example.org/{name}"),
    "_below": st.just("") | _NAMES,
    "_destination": _NAMES.map(lambda name: f"/srv/{name}"),
    "_licence": st.sampled_from(["CC0-1.0", "MIT OR Apache-2.0"]),
}
"""What keeps to a rule that a field's type does not tell, by the name of the function that holds it."""


@functools.cache
def drawn(model: type[BaseModel]) -> st.SearchStrategy[Any]:
    """Valid instances of `model`, every field drawn from its type and bounds."""
    fields = {name: _value(field.annotation, tuple(field.metadata)) for name, field in model.model_fields.items()}
    return st.fixed_dictionaries(fields).map(functools.partial(_made, model))


def _made(model: type[BaseModel], values: dict[str, Any]) -> Any:
    """What breaks a rule between fields, which types and bounds do not tell, is drawn again; few may."""
    try:
        return model(**values)
    except ValidationError:
        reject()


@functools.cache
def simplest(model: type[BaseModel]) -> Any:
    """The simplest valid instance of `model`: the first that is drawn."""
    seen: list[Any] = []

    @settings(max_examples=1, phases=[Phase.generate], database=None, deadline=None)
    @given(drawn(model))
    def draw(record: Any) -> None:
        seen.append(record)

    draw()
    return seen[0]


def _value(kind: Any, bounds: tuple[Any, ...]) -> st.SearchStrategy[Any]:  # noqa: PLR0911 (one for each shape)
    origin, args = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.Annotated:
        return _value(args[0], (*bounds, *_flat(args[1:])))
    if origin in {typing.Union, types.UnionType}:
        return st.one_of([_value(arg, bounds) for arg in args])
    if origin is typing.Literal:
        return st.sampled_from(args)
    if origin is tuple:
        low = next((item.min_length for item in bounds if isinstance(item, MinLen)), 0)
        high = min(next((item.max_length for item in bounds if isinstance(item, MaxLen)), low + 2), low + 2)
        return st.lists(_value(args[0], ()), min_size=low, max_size=high).map(tuple)
    if origin is dict:
        return st.dictionaries(_value(args[0], ()), _value(args[1], ()), max_size=3)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return st.sampled_from(list(kind))
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return drawn(kind)
    return _scalar(kind, bounds)


def _scalar(kind: Any, bounds: tuple[Any, ...]) -> st.SearchStrategy[Any]:
    rule = next((item.func.__name__ for item in bounds if isinstance(item, AfterValidator)), "")
    if rule in _RULES:
        return _RULES[rule]
    pattern = next((item.pattern for item in bounds if getattr(item, "pattern", None)), None)
    if kind is str and pattern:
        return _matching(pattern)
    if kind is int:
        return st.integers(
            next((item.ge for item in bounds if isinstance(item, Ge)), None),
            next((item.le for item in bounds if isinstance(item, Le)), None),
        )
    if kind in {float, Decimal} and bounds:
        low = next((item.ge if isinstance(item, Ge) else item.gt for item in bounds if isinstance(item, Ge | Gt)), 0)
        high = next((item.le for item in bounds if isinstance(item, Le)), 9_999)
        return st.integers(int(low * 8) + 1, int(high * 8)).map(lambda eighths: kind(eighths) / 8)
    return _PLAIN[kind]


@functools.cache
def _matching(pattern: str) -> st.SearchStrategy[str]:
    if pattern == "^[0-9a-f]{64}$":  # drawing digests letter by letter takes most of the time otherwise
        return st.binary(min_size=32, max_size=32).map(bytes.hex)
    return st.from_regex(pattern, fullmatch=True)


def _flat(bounds: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(part for item in bounds for part in (item.metadata if isinstance(item, FieldInfo) else [item]))
