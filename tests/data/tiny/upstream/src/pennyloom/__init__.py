"""Pennyloom: exact sums of money written as text, and tags that show a later change."""

from .pennies import BadParts, BadPenny, split, total
from .tags import tag

__all__ = ["BadParts", "BadPenny", "split", "tag", "total"]
