"""The lists of names that are shipped: `python -m benchmarks.name_lists [--table LIST FILE DATE STATE] [--apt]`.

`--table` reads a registry's names from a table: tab-separated, its first line names the columns. `name` is one of them;
one that begins with `rank` or `downloads` gives the most used. LIST is `pypi` or `npm`, DATE the day or month of the
table, STATE `whole` or `partial`; a table that lacks some of its own most used is partial, whatever is said. `--apt`
takes Debian's packages, executables and English words through apt, with a state folder of its own: the machine's lists
stay as they are. What is not asked for stays as it is. Prints one line a list. New lists change what the names stage
writes down: raise VERSION in `neutralize/names.py` with them.

    python -m benchmarks.name_lists --refuse FILE

adds the words of a file to those that offend, as digests.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, date
from email.utils import parsedate_to_datetime
from pathlib import Path

from neutralize.lists.shipped import FILTERS, FOLDER, HASHES, MOST_USED, Head, make_filter, strict_key, written
from neutralize.offence import FILE as REFUSED
from neutralize.offence import digest

_MOST = {"pypi": 15_000, "npm": 5_000}
"""How many of the most used names are kept of each registry."""
_USED_LENGTHS = range(4, 16)
_TRIES = 50_000
_CONTENTS = "Acquire::IndexTargets::deb::Contents-deb::"
_COMMAND = re.compile(r"^(?:usr/)?(?:local/)?(?:s?bin|games)/([^/\s]+)\s+\S")
_DICTIONARY = "wamerican-large"


@dataclass(frozen=True, kw_only=True)
class Table:
    """Names of one registry, and the most used of them, first the most used."""

    registry: str
    names: list[str]
    used: list[str]
    date: str
    whole: bool
    note: str


def read_table(registry: str, path: Path, day: str, state: str) -> Table:
    """The table in a file. Ranks that are missing show that it is partial."""
    with path.open(encoding="utf-8", errors="replace") as file:
        columns = next(file).rstrip("\n").split("\t")
        rows = [line.rstrip("\n").split("\t") for line in file]
    names = [row[columns.index("name")] for row in rows]
    rank = next((at for at, name in enumerate(columns) if name.startswith(("rank", "downloads"))), None)
    counted = [(int(row[rank]), row[0]) for row in rows if rank is not None and row[rank].isdigit()]
    ranked = rank is not None and columns[rank].startswith("rank")
    used = [name for _, name in sorted(counted, reverse=not ranked)]
    missing = len(set(range(1, _MOST[registry] + 1)) - {place for place, _ in counted}) if ranked else 0
    note = f"{missing} of the {_MOST[registry]:,} most used are not in the list" if missing else f"said to be {state}"
    return Table(
        registry=registry,
        names=names,
        used=used[: _MOST[registry]],
        date=day,
        whole=state == "whole" and not missing,
        note=note,
    )


def lists_of_table(table: Table) -> None:
    """Write the filters of one registry: plain names, and the part after the scope of scoped ones."""
    title = {"pypi": "PyPI", "npm": "npm"}[table.registry]
    plain = [name for name in table.names if not name.startswith("@")]
    _keep(table.registry, plain, _head(title, table.date, plain, whole=table.whole, note=table.note))
    if table.registry == "npm":
        scoped = [name.partition("/")[2] for name in table.names if name.startswith("@")]
        head = _head("npm within any scope", table.date, scoped, whole=table.whole, note=table.note)
        _keep("npm scope", scoped, head)


def most_used(tables: Iterable[Table]) -> None:
    """Write the most used names of all tables."""
    tables = [table for table in tables if table.used]
    plain = [name for table in tables for name in table.used if not name.startswith("@")]
    kept = {strict_key(name): name for name in reversed(plain) if len(strict_key(name)) in _USED_LENGTHS}
    names = sorted(kept.values())
    head = Head(
        title=f"the most used on {' and '.join(table.registry for table in tables)}",
        date=min(table.date for table in tables),
        count=len(plain),
        whole=all(table.whole for table in tables),
        note="; ".join(f"{table.registry}: {table.note}" for table in tables),
        kept=len(names),
    )
    body = "".join(f"{name}\n" for name in names).encode()
    (FOLDER / MOST_USED).write_bytes(json.dumps({**asdict(head), "size": len(body)}).encode() + b"\n" + body)
    print(f"near: {head.said}; {head.kept:,} kept; {head.note}")


def lists_of_debian() -> None:
    """Write the filters of Debian's packages and executables and of the English dictionary that it packs."""
    with tempfile.TemporaryDirectory(prefix="repowright-lists-") as name:
        apt = Apt(Path(name))
        title, day = apt.release()
        note = "every index that apt is set up for"
        packages = sorted(set(apt.packages()))
        _keep("debian", packages, _head(f"packages of {title}", day, packages, whole=True, note=note))
        commands = sorted(set(apt.commands()))
        head = _head(f"executables of {title}", day, commands, whole=bool(commands), note=note)
        _keep("command", commands, head)
        words = apt.words()
        _keep("word", words, _head(f"{_DICTIONARY} of {title}", day, words, whole=True, note="one dictionary"))


class Apt:
    """apt with a state folder of its own, and its sources as the machine has them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        for part in ("lists/partial", "cache/archives/partial"):
            (folder / part).mkdir(parents=True)
        self._options = [
            "-o", f"Dir::State::lists={folder}/lists", "-o", f"Dir::Cache={folder}/cache",
            "-o", "APT::Sandbox::User=root",
            "-o", f"{_CONTENTS}MetaKey=$(COMPONENT)/Contents-$(ARCHITECTURE)",
            "-o", f"{_CONTENTS}ShortDescription=Contents-$(ARCHITECTURE)", "-o", f"{_CONTENTS}Description=contents",
            "-o", f"{_CONTENTS}flatMetaKey=Contents-$(ARCHITECTURE)", "-o", f"{_CONTENTS}flatDescription=contents",
            "-o", f"{_CONTENTS}DefaultEnabled=true",
        ]  # fmt: skip
        self._run("apt-get", "update", "-q")

    def release(self) -> tuple[str, str]:
        """What the first source is, and the day of the newest index."""
        rows = self._run("apt-get", "indextargets", "--format", "$(ORIGIN) $(VERSION) $(COMPONENT) $(ARCHITECTURE)")
        days = [
            parsedate_to_datetime(line.partition(":")[2].strip()).astimezone(UTC).date()
            for path in self._folder.glob("lists/*Release")
            for line in path.read_text("utf-8", "replace").splitlines()
            if line.startswith("Date:")
        ]
        return " ".join(rows.splitlines()[0].split()), max(days, default=date.min).isoformat()

    def packages(self) -> Iterator[str]:
        """Names of all packages."""
        for line in self._index("Packages"):
            if line.startswith("Package: "):
                yield line.removeprefix("Package: ").strip()

    def commands(self) -> Iterator[str]:
        """Names of all files in folders for executables."""
        for line in self._index("Contents-deb"):
            if match := _COMMAND.match(line):
                yield match[1]

    def words(self) -> list[str]:
        """Words of an English dictionary, without those that have an apostrophe or are names."""
        subprocess.run(
            ["apt-get", *self._options, "download", "-q", _DICTIONARY],
            cwd=self._folder,
            check=True,
            capture_output=True,
        )
        (package,) = self._folder.glob(f"{_DICTIONARY}_*.deb")
        subprocess.run(["dpkg-deb", "-x", package, self._folder / "words"], check=True)
        lines = {line for path in self._folder.glob("words/usr/share/dict/*") for line in path.read_text().splitlines()}
        return sorted(line for line in lines if line.isalpha() and line.islower())

    def _index(self, kind: str) -> Iterator[str]:
        files = self._run("apt-get", "indextargets", "--format", "$(FILENAME)", f"Created-By: {kind}").split()
        for file in files:
            command = ["/usr/lib/apt/apt-helper", "cat-file", file]
            with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, errors="replace") as cat:
                yield from cat.stdout or ()

    def _run(self, program: str, *arguments: str) -> str:
        command = [program, *self._options, *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def _head(title: str, day: str, names: list[str], *, whole: bool, note: str) -> dict[str, object]:
    return {"title": title, "date": day, "count": len(names), "whole": whole, "note": note}


def _keep(rule: str, names: list[str], head: dict[str, object]) -> None:
    source = random.Random(1)
    letters = "abcdefghijkmnopqrstuvwxyz"
    tries = ("".join(source.choices(letters, k=source.randrange(9, 14))) for _ in range(_TRIES))
    made = make_filter(names, head, tries=tries)
    path = FOLDER / FILTERS[rule]
    path.write_bytes(written(made))
    print(
        f"{rule}: {made.head.said}; {made.head.kept:,} kept in {path.stat().st_size:,} bytes, {HASHES} hashes; "
        f"called taken by mistake {made.head.wrong:.2%}; {made.head.note}"
    )


def _refuse(path: Path) -> None:
    known = set(REFUSED.read_text("ascii").split())
    known |= {digest(word) for word in path.read_text("utf-8").split()}
    REFUSED.write_text("".join(f"{each}\n" for each in sorted(known)), "ascii")
    print(f"offensive: {len(known)} digests")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--table", nargs=4, action="append", default=[], metavar=("LIST", "FILE", "DATE", "STATE"))
    parser.add_argument("--apt", action="store_true", help="Debian's names and an English dictionary")
    parser.add_argument("--refuse", type=Path, metavar="FILE", help="words that offend, one a line")
    asked = parser.parse_args()
    tables = [read_table(name, Path(file), day, state) for name, file, day, state in asked.table]
    for table in tables:
        lists_of_table(table)
    if tables:
        most_used(tables)
    if asked.apt:
        lists_of_debian()
    if asked.refuse:
        _refuse(asked.refuse)
    return 0


if __name__ == "__main__":
    sys.exit(main())
