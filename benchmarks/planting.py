"""Invented names hidden in real text in every way that the specification of the scan lists.

Written from the specification alone and importing nothing of the scan's code, so that what both get wrong shows.
"""

from __future__ import annotations

import base64
import codecs
import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Name:
    """An invented name. `words` are lower case; `surface` is as the term list has it."""

    surface: str
    grade: str
    kind: str
    words: tuple[str, ...]

    @property
    def glued(self) -> str:
        return "".join(self.words)


@dataclass(frozen=True, kw_only=True)
class Cue:
    """One planted name: in which lines and columns of which text, from 1, and by which family."""

    name: Name
    family: str
    text: int
    first_line: int
    last_line: int
    first_column: int
    last_column: int
    """In the last line."""
    planted: str


Write = Callable[[Name, random.Random], str]
_CONSONANTS = "bdfgklmnprstvz"
_VOWELS = "aeiou"
_COMMON = (
    "anchor basket candle ledger meadow orchard pepper quarry ribbon saddle thimble umbrella velvet walnut yarn zipper"
)
_ALIKE = {"a": "\u0430", "e": "\u0435", "o": "\u043e", "i": "\u0456", "p": "\u0440", "s": "\u0455", "u": "\u03c5"}
_LEET = {"o": "0", "i": "1", "l": "1", "e": "3", "a": "4", "s": "5", "t": "7", "b": "8"}


def _syllables(rng: random.Random, count: int) -> str:
    return "".join(rng.choice(_CONSONANTS) + rng.choice(_VOWELS) for _ in range(count)) + rng.choice(_CONSONANTS)


def names(rng: random.Random, each: int) -> list[Name]:
    """So many names of each grade and kind, all different."""
    made: dict[str, Name] = {}

    def add(surface: str, grade: str, kind: str, words: Sequence[str]) -> None:
        made.setdefault("".join(words), Name(surface=surface, grade=grade, kind=kind, words=tuple(words)))

    for _ in range(each):
        pair = (_syllables(rng, 2), _syllables(rng, 2))
        add(pair[0].capitalize() + pair[1].capitalize(), "I", "project", pair)
        pair = (_syllables(rng, 2), _syllables(rng, 1))
        add("-".join(pair), "I", "dist", pair)
        pair = (_syllables(rng, 2), _syllables(rng, 2))
        add(" ".join(word.capitalize() for word in pair), "I", "person", pair)
        word = rng.choice("jqvxz") + rng.choice(_VOWELS) + rng.choice("kqvwxz")
        add(word, "D", "project", (word,))
        digits = str(rng.randint(11, 99))
        add(word[0] + digits, "D", "import-root", (word[0], digits))
    for word in rng.sample(_COMMON.split(), min(each, 16)):
        add(word, "G", "project", (word,))
    for _ in range(each):
        number = f"0.{rng.randint(100000, 999999)}"
        add(number, "L", "literal", (number,))
    return list(made.values())


def _pascal(name: Name) -> str:
    return "".join(word.capitalize() for word in name.words)


def _spelled(name: Name, rng: random.Random) -> str:
    joined = [name.surface, name.glued, name.glued.upper(), _pascal(name), "_".join(name.words), "-".join(name.words)]
    return rng.choice(joined)


def _cut(name: Name, rng: random.Random) -> tuple[str, str]:
    """The name in two pieces, not cut between its words."""
    glued = name.glued
    ends = {len(name.words[0])}
    at = rng.choice([place for place in range(2, len(glued) - 1) if place not in ends])
    return glued[:at], glued[at:]


def _instead(name: Name, rng: random.Random, become: Callable[[str], str], *, of: str = "") -> str:
    """The name with one of its letters written otherwise."""
    glued = name.glued
    at = rng.choice([place for place, char in enumerate(glued) if char in of or not of])
    return glued[:at] + become(glued[at]) + glued[at + 1 :]


def _joined(sign: str) -> Write:
    def write(name: Name, rng: random.Random) -> str:
        first, second = _cut(name, rng)
        quote = rng.choice("\"'")
        return f"x = {quote}{first}{quote}{sign}{quote}{second}{quote}"

    return write


def _broken(end: str, start: str) -> Write:
    def write(name: Name, rng: random.Random) -> str:
        first, second = _cut(name, rng)
        return f"{start}see {first}{end}{start}{second} there"

    return write


def _one(become: Callable[[str], str], *, of: str = "") -> Write:
    return lambda name, rng: _instead(name, rng, become, of=of)


def _all(become: Callable[[str], str]) -> Write:
    return lambda name, _: "".join(map(become, name.glued))


def _base64(encode: Callable[[bytes], bytes]) -> Write:
    def write(name: Name, rng: random.Random) -> str:
        before = bytes(rng.randrange(256) for _ in range(rng.randrange(7)))
        after = bytes(rng.randrange(256) for _ in range(rng.randrange(7)))
        return encode(before + _spelled(name, rng).encode() + after).decode()

    return write


def _form(*forms: str) -> Write:
    """One of the forms: `{n}` the name glued, `{N}` in capitals, `{C}` in Pascal case, `{s}` its words under a bar."""

    def write(name: Name, rng: random.Random) -> str:
        text = rng.choice(forms)
        glued = name.surface if name.grade in "DGL" else name.glued
        marks = {"{n}": glued, "{N}": glued.upper(), "{C}": _pascal(name), "{s}": "_".join(name.words)}
        return re.sub(r"\{[nNCs]\}", lambda match: marks[match[0]], text)

    return write


def _hidden(sign: str) -> Write:
    def write(name: Name, rng: random.Random) -> str:
        first, second = _cut(name, rng)
        return first + sign + second

    return write


_WORD_FORMS = {
    "code span": _form("`{n}`", "``{n}``"),
    "sentence start": _form("{C}", "{C}:"),
    "hump": _form("{n}Handler", "my{C}", "XML{C}Parser", "{n}2x"),
    "hyphen": _form("{n}-context", "fast-{n}", "{n}-eco/x"),
    "bar": _form("_{n}_inner", "__{N}__", "with_{n}_context", "{n}_w"),
    "call or attribute": _form("{n}.testing", "{n}::parse", "{n}.get(url)", "import {n}._readers"),
    "path": _form("src/{n}/core.py", "test_{n}.py", "docs/#{n}-options", "{n}-8.1.7.tar.gz"),
    "pin": _form("{n}==8.1", "{n}>=2", "{n}@3.1"),
    "affix": _form("py{n}", "lib{n}", "{n}cli", "{n}utils", "{n}http", "django{n}"),
    "escape before": _form('"\\n{n}"', "'\\t{n}'", "'%s{n}'", "'%-5d{n}'"),
    "flag": _form("-l{n}", "-D{N}_DEBUG=1"),
    "terminal": _form("\x1b[31m{n}", "\x1b[<0;1;1M{n}", "\\033[1m{n}", "\\x1b[0m{n}"),
}
_FAMILIES: dict[str, dict[str, Write]] = {
    "I": {
        "spelling": _spelled,
        "joiner": lambda name, rng: rng.choice(["_", "-", ".", "/", "::", "--", "\\"]).join(name.words),
        "inside a word": _form("py{n}helper", "my{C}Thing", "{n}s", "{n}'s", "x{n}x"),
        "address": _form("https://{n}.org/p/x", "{n}@mail.example", "git@host:{n}/x.git"),
        "string + string": _joined(" + "),
        "string string": _joined(" "),
        "string . string": _joined(" . "),
        "string .. string": _joined(" .. "),
        "string & string": _joined(" & "),
        "string, line, string": _joined("\n        "),
        "string + line": _joined(" +\n        "),
        "line + string": _joined("\n        + "),
        "list": lambda name, rng: "x = ['" + "', '".join(_cut(name, rng)) + "']",
        "hyphen at line end": _broken("-\n", ""),
        "hyphen in comment": _broken("-\n", "# "),
        "hyphen in // comment": _broken("-\n", "// "),
        "backslash line": _hidden("\\\n"),
        "percent": _one(lambda char: f"%{ord(char):02X}"),
        "percent twice": _one(lambda char: f"%25{ord(char):02x}"),
        "percent all": _all(lambda char: f"%{ord(char):02x}"),
        "entity": _one(lambda char: f"&#{ord(char)};"),
        "entity hex": _one(lambda char: f"&#x{ord(char):x};"),
        "entity named": _hidden("&shy;"),
        "escape x": _one(lambda char: f"\\x{ord(char):02x}"),
        "escape u": _one(lambda char: f"\\u{ord(char):04x}"),
        "escape u{}": _one(lambda char: f"\\u{{{ord(char):x}}}"),
        "escape U": _one(lambda char: f"\\U{ord(char):08x}"),
        "escape octal": _one(lambda char: f"\\{ord(char):03o}"),
        "escape all": _all(lambda char: f"\\x{ord(char):02x}"),
        "escape in string join": lambda name, _: (
            "x = '"
            + "' + '\\x%02x".join([name.glued[:3], name.glued[4:]]).replace("%02x", f"{ord(name.glued[3]):02x}")
            + "'"
        ),
        "percent in list": lambda name, _: f"['{name.glued[:2]}%{ord(name.glued[2]):02x}', '{name.glued[3:]}']",
        "zero width": lambda name, rng: _hidden(rng.choice("\u200b\u200d\u2060\u00ad\ufeff"))(name, rng),
        "bidi or tag": lambda name, rng: _hidden(rng.choice("\u202e\u2066\ufe0f\U000e0041"))(name, rng),
        "full width": _all(lambda char: chr(ord(char) + 0xFEE0)),
        "mathematical": _all(lambda char: chr(ord(char) - ord("a") + 0x1D41A)),
        "accent": _one(lambda char: char + "\u0301"),
        "look-alike": _one(lambda char: _ALIKE[char], of="".join(_ALIKE)),
        "Unicode hyphen": lambda name, rng: rng.choice("\u2010\u2011\u2013\u2212").join(name.words),
        "base64": _base64(base64.b64encode),
        "base64url": _base64(base64.urlsafe_b64encode),
        "hex": lambda name, rng: _spelled(name, rng).encode().hex(),
        "HEX": lambda name, rng: _spelled(name, rng).encode().hex().upper(),
        "rot13": lambda name, rng: codecs.encode(_spelled(name, rng), "rot13"),
        "reversed": lambda name, rng: _spelled(name, rng)[::-1],
        "digits for letters": lambda name, rng: _instead(name, rng, lambda char: _LEET[char], of="".join(_LEET)),
        "terminal inside": _hidden("\x1b[1m"),
    },
    "D": {**_WORD_FORMS, "own hyphen": lambda name, rng: rng.choice("-_").join(name.words)},
    "G": {
        **_WORD_FORMS,
        "prose": _form("they saw a {n} there", "and the {n} stood"),
        "look-alike": _one(lambda char: _ALIKE[char], of="".join(_ALIKE)),
    },
    "L": {"literal": _form("x == {n}", "({n})", "={n}, and")},
}
_PERSON = {
    "person": lambda name, rng: rng.choice([" ", ".", "_", "-", "\u00a0", "\n", "  "]).join(name.words).title(),
    "person in comment": lambda name, _: f"# by {name.words[0].title()}\n# {name.words[1].title()}",
    "person in address": lambda name, _: ".".join(name.words) + "@mail.example",
}
_SPACED = {"several words": lambda name, rng: rng.choice([" ", "\n", "  "]).join(name.words)}


def families(name: Name) -> dict[str, Write]:
    """Every way that a name is to be found in."""
    ways = {f"{name.grade} {family}": write for family, write in _FAMILIES[name.grade].items()}
    if name.kind == "person":
        ways |= {f"I {family}": write for family, write in _PERSON.items()}
    if name.kind == "dist":
        ways |= {f"I {family}": write for family, write in _SPACED.items()}
    short = name.glued if name.grade == "I" else ""
    ways = {family: write for family, write in ways.items() if not (short and _too_short(short, family))}
    if name.grade == "D" and len(name.words) == 1:
        del ways["D own hyphen"]
    if name.glued[-1].isdigit():
        ways.pop("D hump", None)  # digits go on in `v532`, and capitals in `XMLV53`: these are other words
    return ways


def _too_short(glued: str, family: str) -> bool:
    """Names of less than eight letters are not looked for as other words."""
    return len(glued) < 8 and family in {"I rot13", "I reversed"}


def plant(texts: Sequence[str], known: Sequence[Name], rng: random.Random, *, each: int) -> tuple[list[str], list[Cue]]:
    """Copies of the texts with `each` cues of every family, at random places between their words; and where."""
    ways: dict[str, list[tuple[Name, Write]]] = {}
    for name in known:
        for family, write in families(name).items():
            ways.setdefault(family, []).append((name, write))
    todo: list[list[tuple[str, Name, str]]] = [[] for _ in texts]
    for family, choices in ways.items():
        for _ in range(each):
            name, write = rng.choice(choices)
            todo[rng.randrange(len(texts))].append((family, name, write(name, rng)))
    planted: list[str] = []
    cues: list[Cue] = []
    for number, text in enumerate(texts):
        made, here = _planted(text, todo[number], number, rng)
        planted.append(made)
        cues += here
    return planted, cues


def _planted(text: str, todo: list[tuple[str, Name, str]], number: int, rng: random.Random) -> tuple[str, list[Cue]]:
    spaces = [match.start() for match in re.finditer(r"(?<=\S)[ \n](?=\S)", text)] or [len(text)]
    places = sorted(rng.choice(spaces) for _ in todo)
    parts: list[str] = []
    spans: list[tuple[int, int]] = []
    done = size = 0
    for place, (_, _, cue) in zip(places, todo, strict=True):
        before = text[done:place] + rng.choice([" ", "\n"])
        parts += [before, cue, rng.choice([" ", "\n"])]
        spans.append((size + len(before), size + len(before) + len(cue)))
        size += len(before) + len(cue) + 1
        done = place
    whole = "".join([*parts, text[done:]])
    return whole, list(_cues(whole, todo, spans, number))


def _cues(text: str, todo: list[tuple[str, Name, str]], spans: list[tuple[int, int]], number: int) -> Iterator[Cue]:
    line, column, at = 1, 1, 0
    for (family, name, cue), (start, end) in zip(todo, spans, strict=True):
        first_line, first_column = _on(text, at, start, line, column)
        line, column = _on(text, start, end, first_line, first_column)
        at = end
        yield Cue(
            name=name,
            family=family,
            text=number,
            first_line=first_line,
            first_column=first_column,
            last_line=line,
            last_column=column,
            planted=cue,
        )


def _on(text: str, start: int, end: int, line: int, column: int) -> tuple[int, int]:
    breaks = text.count("\n", start, end)
    return (line + breaks, end - text.rfind("\n", start, end)) if breaks else (line, column + end - start)
