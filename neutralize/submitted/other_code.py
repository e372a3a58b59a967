"""Code of every language but Python, line by line: imports, addresses, commands. Comments do not count."""

from __future__ import annotations

import json
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping
from itertools import accumulate

from neutralize.submitted.bans import URL, Bans
from neutralize.submitted.python_code import Found
from neutralize.submitted.shell import shell_commands

_TEXT = r"""(?:"(?:\\.|[^"\\\n])*+"|'(?:\\.|[^'\\\n])*+'|`(?:\\.|[^`\\$])*+`)"""
_QUOTED = re.compile(_TEXT, re.DOTALL)
_ESCAPE = re.compile(r"\\(?:u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(.))", re.DOTALL)

# A text that is not closed ends with its line, so that nothing is read twice.
_STRINGS = r""""(?:\\.|[^"\\\n])*+"?|'(?:\\.|[^'\\\n])*+'?"""
_ANY_TEXT = re.compile(_STRINGS)
_BLOCK = r"(?P<comment>//[^\n]*|/\*.*?(?:\*/|\Z))"
_REGEX = r"[(,=:\[!&|?{};+~^\n]\s*/(?![*/])(?:\\[^\n]|\[(?:\\[^\n]|[^\]\\\n])*+\]?|[^/\\\[\n])++/?"
_RAW = r'R"(?P<mark>[^()\\\s]{0,16})\(.*?(?:\)(?P=mark)"|\Z)'
_COMMENTS: Mapping[str, re.Pattern[str]] = {
    "js": re.compile(rf"{_STRINGS}|`(?:\\.|[^`\\])*+`?|{_REGEX}|{_BLOCK}", re.DOTALL),
    "go": re.compile(rf"{_STRINGS}|`[^`]*+`?|{_BLOCK}", re.DOTALL),
    "c": re.compile(rf"{_RAW}|{_STRINGS}|{_BLOCK}", re.DOTALL),
    "rust": re.compile(
        rf"""r(?P<mark>#*)".*?(?:"(?P=mark)|\Z)|"(?:\\.|[^"\\])*+"?|'(?:\\.|[^'\\\n])'|{_BLOCK}""", re.DOTALL
    ),
    "hash": re.compile(rf"{_STRINGS}|(?P<comment>(?:(?<=\s)|(?<![^\n]))\#[^\n]*)"),
}

_JS = (
    re.compile(
        r"\b(?:require|import|importScripts|resolve|createRequire\([^()\n]*\))\s*(?:\?\.)?"
        rf"\([\s(]*({_TEXT}(?:\s*\+\s*{_TEXT})*)",
        re.DOTALL,
    ),
    re.compile(rf"\b(?:from|import|export)\s*({_TEXT})", re.DOTALL),
)  # fmt: skip
_C = (
    re.compile(
        r"^[^\S\n]*(?:#|%:)\s*(?:include|include_next|import|embed|define[^\S\n]+\w+)[^\S\n]*[<\"]([^>\"\n]+)",
        re.MULTILINE,
    ),
    re.compile(r"^[^\S\n]*(?:export\s+)?import\s+[<\"]?([\w./:]+)", re.MULTILINE),
)  # fmt: skip
_PHP = (
    re.compile(r"\buse\s+(?:function\s+|const\s+)?\\?(\w+)"),
    re.compile(rf"\b(?:require|include)(?:_once)?\b[\s(]*({_TEXT})"),
)
_PATTERNS: Mapping[str, tuple[re.Pattern[str], ...]] = {
    "js": _JS,
    "c": _C,
    "go": (
        re.compile(
            r"^[^\S\n]*(?:import\s*\(?\s*)?(?:[\w.]+[^\S\n]+)?[\"`]([^\"`\n]+)[\"`][^\S\n]*[;)]?[^\S\n]*$", re.MULTILINE
        ),
    ),
    "rust": (re.compile(r"\b(?:use|extern\s+crate)\s+(?:::)?\{?\s*(?:r#)?(\w+)"),),
    "java": (re.compile(r"\bimport\s+(?:static\s+)?([\w.]+)"),),
    "csharp": (re.compile(r"\busing\s+(?:static\s+)?(?:\w+\s*=\s*)?([\w.]+)\s*;"),),
    "swift": (re.compile(r"\bimport\s+(?:(?:class|struct|enum|protocol|func|var)\s+)?([\w.]+)"),),
    "ruby": (re.compile(rf"\b(?:require|require_relative|load|gem)\s*\(?\s*({_TEXT})"),),
    "php": _PHP,
    "python": (
        re.compile(r"^[^\S\n]*(?:from|import|cimport)[^\S\n]+([\w.]+)", re.MULTILINE),
        re.compile(r"^[^\S\n]*(?:import|cimport)[^\S\n][^\n]*?,[^\S\n]*([\w.]+)", re.MULTILINE),
        re.compile(rf"\b(?:__import__|import_module|run_module)\s*\(\s*({_TEXT})"),
    ),
}  # fmt: skip
_STARTS = re.compile(
    rf"\b(?:exec|execSync|spawn|spawnSync|execFile|execFileSync|fork|system|popen|Command(?:::new)?|ProcessBuilder)\s*"
    rf"\(\s*({_TEXT}(?:\s*,\s*\[?\s*{_TEXT})*)",
    re.DOTALL,
)

_SUFFIXES: Mapping[tuple[str, str], str] = {
    ("js", "js"): "js jsx ts tsx mjs cjs mts cts vue svelte html htm",
    ("c", "c"): "c cc cpp cxx h hpp hh hxx inl ipp ixx cu cuh m mm",
    ("go", "go"): "go",
    ("go", ""): "mod",
    ("rust", "rust"): "rs",
    ("c", "java"): "java kt kts scala groovy gradle",
    ("c", "csharp"): "cs",
    ("c", "swift"): "swift",
    ("c", "js"): "dart",
    ("hash", "ruby"): "rb rake gemspec",
    ("js", "php"): "php",
    ("hash", "python"): "py pyi pyw pyx pxd pxi bzl star",
    ("hash", "shell"): "sh bash zsh ksh fish mk make just",
    ("hash", ""): "yaml yml toml cfg ini conf env nix cmake pl r jl lua",
    ("", ""): "json jsonc json5 lock xml sum svg",
}
_JS_NAMED = re.compile(rf"\b(?:const|let|var)\s+(\w+)\s*=\s*({_TEXT}(?:\s*\+\s*{_TEXT})*)")
_JS_BY_NAME = re.compile(r"\b(?:require|import)\s*\(\s*(\w+)\s*\)")
_SHELL_NAMED = re.compile(r"(?:^|[\s;])([A-Za-z_]\w*)=[\"']?([\w.@:/+-]+)")
_SHELL_NAME = re.compile(r"\$\{?([A-Za-z_]\w*)\}?")
KINDS: Mapping[str, tuple[str, str]] = {
    suffix: kind for kind, suffixes in _SUFFIXES.items() for suffix in suffixes.split()
}
"""Suffix -> how comments are written, how imports are."""


def without_comments(text: str, style: str) -> str:
    """The text with spaces for comments: every line keeps its number, every character its place."""
    pattern = _COMMENTS.get(style)
    return pattern.sub(_blank, text) if pattern else text


def _blank(found: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", found[0]) if found.groupdict().get("comment") else found[0]


def code_hits(text: str, suffix: str, bans: Bans) -> Iterator[Found]:
    """Imports, addresses, qualifiers and commands in a text that is no prose."""
    style, language = KINDS.get(suffix, ("hash", ""))
    text = unicodedata.normalize("NFKC", text) if not text.isascii() else text
    code = without_comments(text, style)
    where = _Lines(code)
    if style == "c":
        code = code.replace("\\\r\n", "   ").replace("\\\n", "  ")
    for pattern in _PATTERNS.get(language, _JS if not language and suffix not in KINDS else ()):
        yield from where.each(pattern, code, lambda found: _imported(found[1], language, bans))
    if language == "js":
        named = {found[1]: _literal(found[2]) for found in _JS_NAMED.finditer(code)}
        yield from where.each(_JS_BY_NAME, code, lambda found: bans.path(named.get(found[1], "")))
    if style in {"c", "rust"} and bans.qualifier:
        yield from where.each(bans.qualifier, _ANY_TEXT.sub(_hide, code), lambda found: bans.dotted(found[1]))
    if suffix not in {"html", "htm", "svg"}:
        for pattern in filter(None, (bans.address, URL)):
            yield from where.each(pattern, code, lambda found: bans.located(found[0]))
    if style not in {"", "hash"}:
        yield from where.each(_STARTS, code, lambda found: _started(found[1], bans))
    elif language != "python":
        yield from _command_hits(code, bans, starts=language == "shell")


def _hide(found: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", found[0])


def _imported(text: str, language: str, bans: Bans) -> str:
    if text[:1] in {'"', "'", "`"}:
        return bans.path(_literal(text))
    return bans.dotted(text) or (bans.path(text) if language in {"c", "go"} else "")


def _literal(text: str) -> str:
    """What one text, or several with `+` between them, says."""
    return _ESCAPE.sub(_unescaped, "".join(part[1:-1] for part in _QUOTED.findall(text)))


def _unescaped(found: re.Match[str]) -> str:
    digits = found[1] or found[2] or found[3]
    return chr(min(int(digits, 16), 0x10FFFF)) if digits else found[4].replace("\n", "")


def _started(arguments: str, bans: Bans) -> str:
    words = [_literal(part) for part in _QUOTED.findall(arguments)]
    inner = next(filter(None, (bans.command(one) for one in shell_commands(words[0]))), "") if words else ""
    return inner or bans.command(words)


def _command_hits(code: str, bans: Bans, *, starts: bool) -> Iterator[Found]:
    number, held = 1, ""
    named: dict[str, str] = {}
    for at, line in enumerate(code.split("\n"), 1):
        number = number if held else at
        if line.rstrip().endswith("\\") and len(held) < 20_000:
            held += line.rstrip()[:-1] + " "
            continue
        whole, held = held + line, ""
        named.update(_SHELL_NAMED.findall(whole[:20_000]) if "=" in whole and len(named) < 1000 else ())
        if named and "$" in whole:
            whole = _SHELL_NAME.sub(lambda found: named.get(found[1], found[0]), whole[:20_000])
        for words in _commands(whole):
            if token := bans.command(words, starts=starts):
                yield Found(line=number, token=token)


def _commands(line: str) -> Iterator[list[str]]:
    bare = re.sub(r"^\s*(?:[@+-]+|(?:RUN|CMD|ENTRYPOINT)\b(?:\s+--\S+)*)?\s*", "", line)
    if bare.startswith("["):
        try:
            words = json.loads(bare)
        except (ValueError, RecursionError):
            words = None
        if isinstance(words, list) and all(isinstance(word, str) for word in words):
            yield words
    yield from shell_commands(bare)


class _Lines:
    """Line numbers of places in a text."""

    def __init__(self, text: str) -> None:
        self._ends = list(accumulate(len(line) + 1 for line in text.split("\n")))

    def at(self, place: int) -> int:

        return bisect_right(self._ends, place) + 1

    def each(self, pattern: re.Pattern[str], code: str, judge: Callable[[re.Match[str]], str]) -> Iterator[Found]:
        for found in pattern.finditer(code):
            if token := judge(found):
                yield Found(line=self.at(found.start(1) if pattern.groups else found.start()), token=token)
