"""Pennies, summed and shared."""

from ._money import BadAmount, BadParts, add_up, split
from ._tags import tag

__all__ = ["BadAmount", "BadParts", "add_up", "split", "tag"]
