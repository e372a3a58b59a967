"""Inputs that no product has seen before: drawn from the run's seed and the node's own id."""

from __future__ import annotations

import random

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_BEYOND = "äßéλжשあ文\N{GRINNING FACE}"


class Inputs(random.Random):
    """A generator that starts from the same place for the same seed and node, whatever ran before.

    Node and parameter ids must not depend on it.
    """

    def __init__(self, seed: str, node: str) -> None:
        super().__init__(f"{seed}\0{node}")

    def word(self, length: int = 8) -> str:
        """Lower-case ASCII letters."""
        return "".join(self.choice(_LETTERS) for _ in range(length))

    def text(self, length: int = 12) -> str:
        """Letters, ASCII and beyond; at least one beyond when `length` is 2 or more."""
        letters = [self.choice(_LETTERS + _BEYOND) for _ in range(length)]
        if length >= 2:
            letters[self.randrange(length)] = self.choice(_BEYOND)
        return "".join(letters)

    def token(self, length: int = 16) -> bytes:
        """Any bytes."""
        return self.randbytes(length)

    def integer(self, low: int = -(10**6), high: int = 10**6) -> int:
        """Both ends included."""
        return self.randint(low, high)
