"""OldTally counts."""

from .counter import Counter as Counter
from .counter import count as count
