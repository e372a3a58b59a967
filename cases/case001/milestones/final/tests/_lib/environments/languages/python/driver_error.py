"""What an error carries: the data that a caller can read from it, however its class keeps it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

from environments.languages.python.driver_names import is_builtin

_NAMES_CAP = 200
"""Names that are looked at; an honest error has a handful."""


def public_attributes(error: BaseException) -> dict[str, Any]:
    """Public data of `error`: what lies in its `__dict__`, then what its own classes declare, read through it.

    Its own classes are all but those of the language and its library; they may declare a property, a slot, another
    descriptor, or a plain value. What can be called is no data, and what raises when it is read is not there.
    """
    found: dict[str, Any] = {}
    own = _own_names(error)
    for name in list(dict.fromkeys([*own, *_declared(error)]))[:_NAMES_CAP]:
        try:
            value = getattr(error, name)
        except BaseException:  # noqa: BLE001, S112 (the product's own code)
            continue
        if name in own or not callable(value):
            found[name] = value
    return found


def _own_names(error: BaseException) -> list[str]:
    try:
        return [name for name in vars(error) if _is_public(name)]
    except BaseException:  # noqa: BLE001 (as above)
        return []


def _declared(error: BaseException) -> Iterator[str]:
    mro: tuple[type, ...] = type.__dict__["__mro__"].__get__(type(error))
    for kind in mro:
        inside = type.__dict__["__dict__"].__get__(kind)
        module = inside.get("__module__")
        library = type(module) is str and module.partition(".")[0] in sys.stdlib_module_names
        if not is_builtin(kind) and not library:
            yield from [name for name in inside if _is_public(name)]


def _is_public(name: object) -> bool:
    return type(name) is str and not name.startswith("_")
