"""String literals of source text in any language: what stands between quotes, where, and what stands before it.

Python is parsed; other languages are read by a lexer that knows comments and quotes and nothing else. It may be wrong
about a file and go on, never fail, and its work grows with the length of the text alone.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from neutralize.lines import Lines
from neutralize.words import listed

_SLASHES = listed("js jsx mjs cjs ts tsx mts cts go rs c h cc cpp cxx hpp hh java kt swift cs php scala dart proto zig")
_HASHES = listed("rb sh bash pl pm ex exs r jl yaml yml toml cfg ini cmake nim tcl ps1")
_QUOTES = listed("json jsonl json5")
CODE = _SLASHES | listed("py pyi rb sh bash pl pm ex exs r jl nim tcl ps1 cmake lua hs ml clj")
DATA = listed("json jsonl json5 yaml yml toml cfg ini xml csv tsv")

_DOUBLE = r'"((?:[^"\\\n]|\\.){0,2000}+)"'
_SINGLE = r"'((?:[^'\\\n]|\\.){0,2000}+)'"
_CHAR = r"'(?:[^'\\\n]|\\[^\n]{1,10}?)'"
_BACKTICK = r"`((?:[^`\\]|\\.){0,2000}+)`"
_RAW = r'\br#{0,4}"((?:[^"]){0,2000}+)"#{0,4}'
_BLOCK = r"/\*(?:[^*]|\*(?!/))*+(?:\*/|\Z)"
_SKIP = r"\\."
_SCRIPTS = listed("js jsx mjs cjs ts tsx mts cts php dart")
_SCRIPT = re.compile(rf"(?s:{_BLOCK})|//[^\n]*|{_SKIP}|{_DOUBLE}|{_SINGLE}|{_BACKTICK}")
_COMPILED = re.compile(rf"(?s:{_BLOCK})|//[^\n]*|{_SKIP}|{_CHAR}|{_RAW}|{_DOUBLE}|{_BACKTICK}")
_HASHED = re.compile(rf"(?<![$\w])#[^\n]*|{_SKIP}|{_DOUBLE}|{_SINGLE}")
_PLAIN = re.compile(rf"{_SKIP}|{_DOUBLE}")
_ESCAPE = re.compile(r"\\(?:u\{([0-9A-Fa-f]{1,6})\}|u([0-9A-Fa-f]{4})|x([0-9A-Fa-f]{2})|(.))", re.DOTALL)
_CHARS = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "b": "\b", "f": "\f", "v": "\v", "a": "\a", "e": "\x1b"}
MAX_PARSED = 2 * 1024 * 1024


@dataclass(frozen=True, kw_only=True)
class Literal:
    value: str
    """With escapes resolved."""
    line: int
    before: str
    """Up to 100 characters of the code in front; empty for Python, whose syntax is known."""


def ending(path: str) -> str:
    return PurePosixPath(path).suffix.removeprefix(".").lower()


def is_code(path: str) -> bool:
    return ending(path) in CODE


@dataclass(frozen=True, kw_only=True)
class Python:
    """A parsed module: its statements, and every node once."""

    body: list[ast.stmt]
    nodes: tuple[ast.AST, ...]


def parsed(text: str) -> Python | None:
    """Python's syntax tree; None for what is too large, too deep or no Python."""
    if len(text) > MAX_PARSED:
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            module = ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None
    return Python(body=module.body, nodes=tuple(ast.walk(module)))


def literals(path: str, text: str, tree: Python | None = None) -> Iterator[Literal]:
    """String literals of a source or data file in the order of the text; documentation strings are none.

    `tree` is the parsed text when it is Python.
    """
    if tree is not None:
        yield from _of_python(tree)
        return
    pattern = _pattern(ending(path))
    if pattern is None:
        return
    lines = Lines(text)
    for match in pattern.finditer(text):
        if match.lastindex is not None:
            start = match.start()
            yield Literal(
                value=_resolved(match[match.lastindex]),
                line=lines.number(start),
                before=text[max(0, start - 100) : start],
            )


def _pattern(suffix: str) -> re.Pattern[str] | None:
    if suffix in _SCRIPTS:
        return _SCRIPT
    if suffix in _SLASHES:
        return _COMPILED
    if suffix in _HASHES or suffix in {"py", "pyi"}:
        return _HASHED
    return _PLAIN if suffix in _QUOTES else None


def _resolved(raw: str) -> str:
    return _ESCAPE.sub(_char, raw) if "\\" in raw else raw


def _char(match: re.Match[str]) -> str:
    number = match[1] or match[2] or match[3]
    if number:
        code = int(number, 16)
        return chr(code) if code <= 0x10FFFF else match[0]
    return _CHARS.get(match[4], match[4])


def _of_python(tree: Python) -> Iterator[Literal]:
    silent = {id(node.value) for node in tree.nodes if isinstance(node, ast.Expr)}
    for node in tree.nodes:
        if isinstance(node, ast.Constant) and id(node) not in silent:
            value = node.value.decode("latin-1") if isinstance(node.value, bytes) else node.value
            if isinstance(value, str):
                yield Literal(value=value, line=getattr(node, "lineno", 1), before="")
