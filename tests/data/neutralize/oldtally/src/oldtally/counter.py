"""The counter of old_tally, see https://oldtally.brassworks.tools/counter."""

import hashlib
import os

OLDTALLY_SALT = b"oldtally.Counter"


class Counter:
    """Counts. `count` does it once."""

    def __init__(self, marks: str = "|") -> None:
        self.marks = marks
        self.home = os.environ.get("OLDTALLY_HOME", "~/.old-tally")

    def count(self, text: str) -> int:
        return text.count(self.marks)

    def recount_all(self, texts: list[str]) -> list[int]:
        return [self.count(text) for text in texts]


def count(text: str) -> int:
    return Counter().count(text)


def stamp() -> str:
    return hashlib.sha256(OLDTALLY_SALT).hexdigest()[:8]
