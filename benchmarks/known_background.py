"""The background filter of `neutralize/known`: `python -m benchmarks.known_background [--out FILE]`.

Counts words, strings, names, numbers, headings and file names in the standard library and in the installed packages,
a package or a top module being one document. A word counts with three documents, all else with two; copies that one
project carries of another (`_vendor`) are left out. Prints how much went in and how often the filter is wrong.
"""

from __future__ import annotations

import argparse
import ast
import datetime as dt
import random
import re
import sys
import sysconfig
from collections import Counter
from collections.abc import Iterator
from importlib.metadata import distributions
from pathlib import Path

from neutralize.known import documents, literals, messages, names
from neutralize.known.background import FILE, make, written
from neutralize.known.lexing import DATA, ending, is_code, parsed
from neutralize.known.lexing import literals as string_literals
from neutralize.spelling import lexemes
from neutralize.traverse import decode

SIZE = 190_000
_SKIPPED = {"_vendor", "vendor", "test", "idlelib", "lib2to3", "site-packages", "__pycache__", "ensurepip"}
_OWN = {"repowright"}
_WORD = re.compile(r"[A-Za-z]{3,24}")


def documents_of() -> Iterator[tuple[str, list[Path]]]:
    """Each distribution and each top module of the standard library, with its files."""
    library = Path(sysconfig.get_path("stdlib"))
    for path in sorted(library.iterdir()):
        if path.name not in _SKIPPED:
            yield f"stdlib/{path.stem}", sorted(path.rglob("*")) if path.is_dir() else [path]
    for package in sorted(distributions(), key=lambda found: found.metadata["Name"]):
        if package.metadata["Name"].lower() not in _OWN:
            yield package.metadata["Name"], [Path(str(package.locate_file(name))) for name in package.files or ()]


def read(path: Path) -> tuple[set[str], set[str]]:
    """Words and texts of one file."""
    if not path.is_file() or set(path.parts[-6:]) & _SKIPPED - {"site-packages"} or path.stat().st_size > 4_000_000:
        return set(), set()
    text = decode(path.read_bytes())
    if text is None:
        return set(), set()
    name = path.name
    words = {word.lower() for word in _WORD.findall(text)}
    texts = {names.stem(name)}
    if ending(name) in documents.PROSE or name == "METADATA":
        texts |= {
            documents.slug(heading)
            for heading, _, _ in documents.headings("README.md" if name == "METADATA" else name, text)
        }
    if is_code(name) or ending(name) in DATA:
        tree = parsed(text) if ending(name) in {"py", "pyi"} else None
        strings = list(string_literals(name, text, tree))
        texts |= {string.value.strip() for string in strings}
        texts |= {number.replace("_", "") for number, _ in literals.numbers(text)}
        texts |= {value for value, _ in [*names.offered(name, text, tree), *names.tests(text, tree)]}
        texts |= {value for value, _ in names.variables(text)}
        shapes = messages.of_python(tree) if tree is not None else messages.of_literals(strings)
        texts |= {messages.tidy(shape) for shape, _ in shapes}
        if tree is not None:
            texts |= {node.attr for node in tree.nodes if isinstance(node, ast.Attribute)}
        words |= {word for text in texts for word in lexemes(text)}
    return words, {text for text in texts if 4 <= len(text) <= messages.LONGEST}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=FILE)
    out = parser.parse_args().out
    words: Counter[str] = Counter()
    texts: Counter[str] = Counter()
    seen = 0
    for _, files in documents_of():
        own_words: set[str] = set()
        own_texts: set[str] = set()
        for path in files:
            more_words, more_texts = read(path)
            own_words |= more_words
            own_texts |= more_texts
        words.update(own_words)
        texts.update(own_texts)
        seen += bool(own_words)
    kept_words = sorted(word for word, count in words.items() if count >= 3 and len(word) <= 24)
    kept_texts = sorted(text for text, count in texts.items() if count >= 2)
    version = ".".join(map(str, sys.version_info[:3]))
    note = f"{dt.datetime.now(tz=dt.UTC).date()}: Python {version}'s standard library and {seen} documents in all"
    background = make(kept_words, kept_texts, size=SIZE, note=note)
    out.write_bytes(written(background))
    source = random.Random(1)
    tries = ["".join(source.choices("abcdefghijklmnopqrstuvwxyz", k=14)) for _ in range(20_000)]
    wrong = sum(background.has_text(text) for text in tries) / len(tries)
    print(
        f"{len(kept_words)} words, {len(kept_texts)} texts of {seen} documents; "
        f"{out.stat().st_size} bytes; wrong {wrong:.2%}"
    )


if __name__ == "__main__":
    main()
