"""Everything in a folder that can hold a name: files, archives to their last member, metadata, git objects."""

from neutralize.deep.coverage import Coverage, coverage
from neutralize.deep.limits import Limits
from neutralize.deep.walk import deep_items

__all__ = ["Coverage", "Limits", "coverage", "deep_items"]
