"""The survey: what the reference shows to its users."""

from __future__ import annotations

from enum import StrEnum

from taskpack.record import Part, Record


class SymbolKind(StrEnum):
    FUNCTION = "function"
    CLASS = "class"
    METHOD = "method"
    ATTRIBUTE = "attribute"
    EXCEPTION = "exception"


class Symbol(Part):
    """One public name."""

    name: str
    """Dotted, from the import root."""
    kind: SymbolKind
    signature: str
    """As the source writes it, without the body; empty for attributes."""
    bases: tuple[str, ...] = ()
    path: str
    line: int
    exported: bool
    """Whether the import root itself offers it."""


class Survey(Record):
    """The public surface of the pin, in upstream's names."""

    import_root: str
    symbols: tuple[Symbol, ...]
