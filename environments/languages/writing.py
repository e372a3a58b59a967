"""How a language is written, as data: what the renaming needs to know of it. Each pack declares one object."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Layout(StrEnum):
    """How a manifest is read."""

    TOML = "toml"
    JSON = "json"
    INI = "ini"
    LINES = "lines"
    """By patterns alone."""


@dataclass(frozen=True, kw_only=True)
class Quote:
    """One way to write a string."""

    opens: str
    """With a blank before it: only after white space, or at the beginning."""
    closes: str
    escape: str = "\\"
    """What takes the meaning from the next character; empty where nothing does."""
    raw: bool = False
    """Whether what it holds is read as it stands, though `escape` keeps a quote from ending it."""
    lines: bool = False
    """Whether it may go over several lines."""
    before: str = ""
    """Regular expression of what must stand glued before it, such as `r`."""


@dataclass(frozen=True, kw_only=True)
class Manifest:
    """Where a project says how it is called and what it needs."""

    file: str
    """A pattern of the file's name, as `fnmatch` reads it."""
    layout: Layout
    own: tuple[str, ...] = ()
    """Keys of the project's own names, with dots between; `*` is any key. With `LINES`: patterns with one group."""
    needs: tuple[str, ...] = ()
    """Where the names of what the product needs stand: the keys of a table, the beginnings of strings in a list or in
    a text of several lines, `name` in a list of tables. With `LINES`: patterns with one group."""
    tools: tuple[str, ...] = ()
    """The same for what only its development needs."""


@dataclass(frozen=True, kw_only=True)
class Writing:
    """One language, or one kind of text."""

    name: str
    endings: tuple[str, ...] = ()
    """Of file names, without the dot."""
    files: tuple[str, ...] = ()
    """Whole file names, as `fnmatch` reads them; they go before endings."""
    comments: tuple[str, ...] = ()
    """What begins a comment that ends with the line. With a blank before it: only after white space, or at the
    beginning."""
    blocks: tuple[tuple[str, str], ...] = ()
    """What begins and ends a comment over lines."""
    nested: bool = False
    """Whether such comments stand in each other."""
    quotes: tuple[Quote, ...] = ()
    """The longest opening first."""
    skips: tuple[str, ...] = ()
    """Regular expressions of code that holds quotes which open no string: characters, regular expressions."""
    escapes: tuple[str, ...] = ()
    """Regular expressions of the escapes that a string may hold."""
    letters: str = ""
    """What belongs to an identifier besides letters, digits and `_`."""
    code: bool = True
    """Whether bare words are names; else they are text."""
    imports: tuple[str, ...] = ()
    """Regular expressions, over lines, of what brings other code in."""
    manifests: tuple[Manifest, ...] = ()
    glued: tuple[str, ...] = ()
    """What hangs in front of a short name without being part of it: `lib`, `-D`."""
    snapshots: tuple[str, ...] = ()
    """Patterns of paths of files that a test run wrote, and compares with byte by byte."""
    behaviour: tuple[str, ...] = ()
    """Regular expressions of what stands before a string, on its line, that is read at run time: an environment
    variable, a salt. What the string becomes must stand in the contract."""
    underlines: str = ""
    """Signs that underline a heading, as long as it."""
    mutants: tuple[tuple[str, str], ...] = ()
    """Regular expressions of code and what makes a defect of it."""


C_ESCAPES = (r"\\[abefnrtv\\'\"?`]", r"\\x[0-9A-Fa-f]{2}", r"\\u[0-9A-Fa-f]{4}", r"\\U[0-9A-Fa-f]{8}", r"\\[0-7]{1,3}")
"""What most languages took from C."""
C_COMMENTS = (("/*", "*/"),)
OPERATORS = (
    (r"(?<![=!<>])==(?!=)", "!="), (r"(?<![=!<>])!=(?!=)", "=="), (r"(?<=\s)<(?=\s)", ">="), (r"(?<=\s)>(?=\s)", "<="),
    (r"(?<=\s)\+(?= \d)", "-"), (r"(?<=\s)-(?= \d)", "+"),
)  # fmt: skip
"""Defects that most languages write alike."""
