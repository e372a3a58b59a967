"""Adds up lines of `name amount`."""

from tally.ledger import BadLine, Ledger, parse, total

__all__ = ["BadLine", "Ledger", "parse", "total"]
