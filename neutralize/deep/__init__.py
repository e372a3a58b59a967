"""Everything in a folder that can hold a name: files, archives to their last member, metadata, git objects."""

from neutralize.deep.limits import Limits
from neutralize.deep.walk import deep_items

__all__ = ["Limits", "deep_items"]
