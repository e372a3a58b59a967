"""Names in source code: what it offers, what its tests are called, which environment variables it reads."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from neutralize.known.background import Background
from neutralize.known.lexing import Python, ending
from neutralize.lines import Lines
from neutralize.spelling import lexemes
from neutralize.terms import is_distinctive
from neutralize.words import is_word, listed

Named = tuple[str, int]
"""A name and its line."""
_OFFERED = re.compile(
    r"(?m)^[ \t]{0,16}(?:(?:export|default|pub(?:\([a-z]+\))?|public|static|async|abstract|final|unsafe|declare)"
    r"[ \t]+)*"
    r"(?:function\*?|class|interface|type|enum|struct|trait|fn|func|def|module|const|macro_rules!|\#[ \t]*define)"
    r"[ \t]+(?:\([^()\n]{0,80}\)[ \t]*)?([A-Za-z][A-Za-z0-9_]{3,60})"
)
_TESTS = re.compile(
    r"""\bfunc[ ]((?:Test|Fuzz|Example)[A-Z_]\w{2,80})\(
      | \#\[(?:\w+::)?test[^\]\n]{0,40}\][ \t\n]*(?:async[ ])?(?:pub[ ])?fn[ ](\w{4,80})
      | \bTEST(?:_[FP])?[ \t]*\([ \t]*\w+[ \t]*,[ \t]*(\w{4,80})[ \t]*\)
      | \bdef[ ](test_\w{2,80})
      | \b(?:it|test|describe)(?:\.\w+)?\([ \t]*(?:"([^"\\\n]{6,120})"|'([^'\\\n]{6,120})'|`([^`\\\n]{6,120})`)""",
    re.VERBOSE,
)
_VARIABLE = re.compile(
    r"""(?: environ(?:\.(?:get|setdefault|pop))?[ \t]*[\[(][ \t\n]*b? | [gG]et[eE]nv\([ \t\n]* | LookupEnv\([ \t]*
          | env::var(?:_os)?\([ \t]* | env!\([ \t]* | ENV(?:\.fetch)?[\[(][ \t]* | process\.env\[[ \t]*
          | \benvvar[ \t]*=[ \t]* )
        ["']([A-Z][A-Z0-9_]{2,60})["']
      | \bprocess\.env\.([A-Z][A-Z0-9_]{2,60})""",
    re.VERBOSE,
)
_WORDS = re.compile(r"[A-Za-z][A-Za-z0-9]*")
_COMMON_STEMS = listed(
    """
    readme license licence copying changelog changes makefile dockerfile conftest setup package codeowners
    pyproject cargo cmakelists pom gemfile rakefile tox noxfile contributing security authors index main init
    """
)


def offered(path: str, text: str, tree: Python | None) -> Iterator[Named]:
    """Names of public functions, classes, methods, parameters and constants."""
    if tree is not None:
        yield from _python_names(tree.body)
        return
    lines = Lines(text)
    for match in _OFFERED.finditer(text):
        if ending(path) != "go" or match[1][0].isupper():
            yield match[1], lines.number(match.start(1))


def _python_names(body: list[ast.stmt]) -> Iterator[Named]:
    """Of a module and of its classes; what functions hold inside is not offered."""
    pending = list(body)
    while pending:
        node = pending.pop()
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and not node.name.startswith("_"):
            yield node.name, node.lineno
        if isinstance(node, ast.ClassDef):
            pending += node.body
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
            yield from ((item.arg, item.lineno) for item in arguments if not item.arg.startswith("_"))
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets:
                if isinstance(target, ast.Name) and not target.id.startswith("_"):
                    yield target.id, target.lineno


def tests(text: str, tree: Python | None) -> Iterator[Named]:
    """Names of tests; where a test is called by a sentence, the sentence."""
    if tree is not None:
        for node in tree.nodes:
            if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith(
                "Test" if isinstance(node, ast.ClassDef) else "test"
            ):
                yield node.name, node.lineno
        return
    lines = Lines(text)
    for match in _TESTS.finditer(text):
        yield match[match.lastindex or 0], lines.number(match.start())


def variables(text: str) -> Iterator[Named]:
    """Environment variables that the code asks for by a constant name."""
    lines = Lines(text)
    for match in _VARIABLE.finditer(text):
        yield match[1] or match[2], lines.number(match.start())


def glued(text: str, core: frozenset[str]) -> Iterator[Named]:
    """Lower-case words of names that hold one of `core` and more."""
    if not core:
        return
    lines = Lines(text)
    seen: set[str] = set()
    for match in _WORDS.finditer(text):
        name = match[0]
        if name in seen or len(name) > 60:
            continue
        seen.add(name)
        lowered = name.lower()
        if any(part in lowered for part in core):
            whole = (lowered,) if name == lowered or name == name.upper() else ()
            for word in {*lexemes(name), *whole}:
                if any(part in word and part != word for part in core):
                    yield word, lines.number(match.start())


def rarity(name: str, background: Background) -> int:
    """0 for what unrelated projects use; more for words that nobody else has, and for many words."""
    if background.has_text(name) or not is_distinctive(name):
        return 0
    words = [word for word in lexemes(name) if not word.isdigit()]
    rare = [word for word in words if len(word) > 2 and not is_word(word) and not background.has_word(word)]
    return 1 + 3 * len(rare) + max(0, len(words) - 2)


def tells_test(name: str, background: Background) -> bool:
    """Whether a test's name is more than two ordinary words after `test`, or holds a rare one."""
    words = [word for word in lexemes(name) if word not in {"test", "tests"} and not word.isdigit()]
    if background.has_text(name):
        return False
    rare = [word for word in words if len(word) > 3 and not is_word(word) and not background.has_word(word)]
    return len(words) > 2 or (len(words) > 1 and bool(rare))


def stem(path: str) -> str:
    """A file's name up to its first dot that is not at the beginning."""
    name = PurePosixPath(path).name
    return name[:1] + name[1:].partition(".")[0]


def tells_stem(name: str, background: Background) -> bool:
    """Whether a file name is unusual: three words, or one that nobody else writes."""
    words = [word for word in lexemes(name) if not word.isdigit() and word not in {"test", "tests"}]
    if name.lower() in _COMMON_STEMS or background.has_text(name) or not words:
        return False
    rare = [word for word in words if len(word) > 3 and not is_word(word) and not background.has_word(word)]
    return bool(rare) or len(words) > 2
