"""Exact sums of money written as text, and tags that show a later change."""

from .amounts import BadAmount, BadParts, split, total
from .middle import middle
from .tags import tag

__all__ = ["BadAmount", "BadParts", "split", "tag", "total"]
