"""Whether an error would be caught under a name."""

from __future__ import annotations

import builtins
from collections.abc import Sequence


def caught_as(names: Sequence[str], wanted: str) -> bool:
    """Whether an error with these names (its type, then every other) is a `wanted`.

    A name with `?` is only what a class says of itself: nobody catches anything under it.

    `package.Name` must be one of the names. A bare `Name` is the language's own where it has one of that name, and
    else any class of that name.
    """
    if "." in wanted:
        return wanted in names
    if hasattr(builtins, wanted):
        return f"builtins.{wanted}" in names
    return any(name.rpartition(".")[2] == wanted for name in names if not name.startswith("?"))
