"""Phrases in which a common word is plain English: `python -m benchmarks.benign_phrases [--names FILE] [--out FILE]`.

Counts words with hyphens, such as `double-tap`, in the text of this machine: in how many packages each of them stands
by itself, between words of prose. Those that enough packages have, and that consist of common words, are written to
`neutralize/benign.py`. What is the name of a package is left out: of one that is installed, that an installed one asks
for, and of every line of `--names`, a list of much used packages.
"""

from __future__ import annotations

import argparse
import datetime as dt
import re
import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator
from importlib.metadata import distributions
from pathlib import Path

from benchmarks.corpus import SUFFIXES, read
from benchmarks.packages import packages
from neutralize import benign
from neutralize.affixes import AFTER, BEFORE
from neutralize.words import is_word, listed

FEWEST = 3
"""Packages that have a phrase."""
_SPOKEN = re.compile(r"(?<![^\s(\"'])[A-Za-z]?[a-z]{2,14}(?:-[a-z]{2,14}){1,2}(?=[,;:.!?)\"']*\s)")
_BETWEEN = listed("and or in on of by to for the per off out up down through over under ahead only wise")
_COMPARING = listed("like style styled based compatible powered inspired aware specific driven related backed")
"""What follows the name of a project as well as a word: `requests-style`."""
_REQUIRED = re.compile(r"[A-Za-z0-9._-]+")
_HEAD = '''"""Phrases with a hyphen in which a common word is plain English: mined, not invented.

Made by `python -m benchmarks.benign_phrases`, which says how. Do not edit.
"""

from __future__ import annotations

from neutralize.words import listed

NOTE = "{note}"
PHRASES = listed(
    """
{phrases}
    """
)
'''


def spoken(text: str) -> set[str]:
    """Words with hyphens that stand between spaces and signs of prose, in lower case."""
    return {match[0].lower() for match in _SPOKEN.finditer(text)}


def is_plain(phrase: str) -> bool:
    """Whether it is two common words, also with a small one between, and none that goes with names: `-cli`, `-like`."""
    words = phrase.split("-")
    common = all(word in _BETWEEN or is_word(word) for word in words)
    within = all(word in _BETWEEN for word in words[1:-1])
    return common and within and not (BEFORE | AFTER | _COMPARING).intersection(words)


def package_names(lists: Iterable[Path]) -> set[str]:
    """Names of packages, lower case, a hyphen for every joiner."""
    names = [line.partition("\t")[0] for path in lists for line in path.read_text("utf-8").splitlines()]
    for package in distributions():
        names += [package.metadata["Name"], *(_REQUIRED.findall(needed)[0] for needed in package.requires or ())]
    return {re.sub(r"[-_.]+", "-", name.strip().lower().rpartition("/")[2]) for name in names}


def mined(documents: Iterable[set[str]], names: set[str]) -> Iterator[str]:
    """Phrases that enough documents hold and that are no package's name."""
    counts: Counter[str] = Counter()
    for phrases in documents:
        counts.update(phrases)
    yield from (
        phrase
        for phrase, count in sorted(counts.items())
        if count >= FEWEST and phrase not in names and f"{phrase}s" not in names and is_plain(phrase)
    )


def _documents() -> Iterator[set[str]]:
    """Of each package of this machine."""
    for package in packages():
        found: set[str] = set()
        for path in package.files:
            data = read(path) if path.suffix in SUFFIXES else None
            found |= spoken(data.decode()) if data is not None else set()
        if found:
            yield found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--names", type=Path, nargs="*", default=[])
    parser.add_argument("--out", type=Path, default=Path(benign.__file__))
    given = parser.parse_args()
    names = package_names(given.names)
    documents = list(_documents())
    phrases = list(mined(documents, names))
    day = dt.datetime.now(tz=dt.UTC).date()
    note = f"{day}: in {FEWEST} packages of {len(documents)} at least, without {len(names)} names of packages"
    lines = textwrap.fill(
        " ".join(phrases), 116, initial_indent="    ", subsequent_indent="    ", break_on_hyphens=False
    )
    given.out.write_text(_HEAD.format(note=note, phrases=lines), "utf-8")
    print(f"{len(phrases)} phrases, {note}")


if __name__ == "__main__":
    main()
