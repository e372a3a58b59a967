"""How often each generator of names fails, and at which check: `python -m benchmarks.name_rates [--draws N]`.

Asks the shipped lists only; no source and no registry. The middle rows are plain patterns of consonants and vowels, to
compare with. A name counts for every check that refuses it.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import count, islice

from neutralize.answer import Answer
from neutralize.coin import GENERATORS
from neutralize.namechecks import name_checks

_LETTERS = {"C": "bcdfghjklmnpqrstvwxz", "V": "aeiou"}
_PATTERNS = ("CVCVC", "CVCVCV", "CVCVCVC")


def pattern(shape: str) -> Iterator[str]:
    """Names of consonants and vowels without end."""
    source = random.Random(1)
    while True:
        yield "".join(source.choice(_LETTERS[letter]) for letter in shape)


def firsts(make: Callable[[str], Iterator[str]]) -> Iterator[str]:
    """The first name of one seed after the other, as sources of their own get it."""
    return (next(make(f"seed {number}")) for number in count())


def rates(names: Iterable[str]) -> tuple[int, int, Counter[str]]:
    """Names, names refused, and refusals by check."""
    total = refused = 0
    by_rule: Counter[str] = Counter()
    for name in names:
        against = [check.rule for check in name_checks(name, taken=()) if check.answer is Answer.TAKEN]
        by_rule.update(against)
        total += 1
        refused += bool(against)
    return total, refused, by_rule


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draws", type=int, default=2000, help="names of each generator")
    draws = parser.parse_args().draws
    rows = {kind.value: firsts(make) for kind, make in GENERATORS.items()}
    rows |= {shape: pattern(shape) for shape in _PATTERNS}
    for label, names in rows.items():
        total, refused, by_rule = rates(islice(names, draws))
        said = ", ".join(f"{rule} {times / total:.2%}" for rule, times in by_rule.most_common())
        print(f"{label:8}  {refused / total:6.2%} of {total} refused: {said or 'by nothing'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
