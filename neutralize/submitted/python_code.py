"""Python as a syntax tree: imports however they are spelled, commands that are started, texts that carry an address.

Identifiers are folded as the language folds them (NFKC), because its own parser reads the file. Docstrings and
comments are prose.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator
from dataclasses import dataclass

from environments.shims.commands import tool_of
from environments.shims.manifests import setup_call
from neutralize.submitted.bans import Bans
from neutralize.submitted.shell import shell_commands

_IMPORTERS = frozenset(
    {
        *("__import__", "import_module", "find_spec", "find_loader", "get_loader", "run_module", "load_module"),
        *("resolve_name", "locate", "import_string", "importorskip", "_gcd_import", "lazy_import"),
    }
)
_LIBRARIES = frozenset({"CDLL", "PyDLL", "WinDLL", "LoadLibrary", "dlopen", "find_library"})
_STARTERS = frozenset({"subprocess", "os", "asyncio", "pty", "posix", "shutil", "sh", "pexpect"})
_INNER = 2
"""How deep code in texts of code is read."""
_FAULTS = (SyntaxError, ValueError, RecursionError, MemoryError, LookupError)


@dataclass(frozen=True, kw_only=True)
class Found:
    """A banned thing in one file."""

    line: int
    token: str
    text: str = ""
    """What was found, where the line itself does not show it."""


def parse(data: bytes | str) -> ast.Module | None:
    """The tree, or None when it is no Python of this interpreter's version."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(data)
    except _FAULTS:
        return None


def python_hits(tree: ast.Module, bans: Bans, *, depth: int = 0) -> Iterator[Found]:
    """Every banned import, start and address in a parsed file."""
    prose = _docstrings(tree)
    known = _Known(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from _found(node, (bans.dotted(alias.name) for alias in node.names))
        elif isinstance(node, ast.ImportFrom):
            base = f"{node.module}." if node.module else ""
            names = [node.module or "", *(f"{base}{alias.name}" for alias in node.names)]
            yield from _found(node, (bans.dotted(f".{name}" if node.level else name) for name in names))
        elif isinstance(node, ast.Call):
            yield from _call_hits(node, bans, known)
        elif isinstance(node, ast.Constant | ast.BinOp | ast.JoinedStr) and id(node) not in prose:
            yield from _text_hits(node, bans, known, depth)
    if known.is_setup:
        for wish in setup_call(tree):
            if token := bans.asked(wish):
                yield Found(line=wish.line, token=token, text=wish.text)


def _found(node: ast.stmt | ast.expr, tokens: Iterator[str], text: str = "") -> Iterator[Found]:
    for token in tokens:
        if token:
            yield Found(line=node.lineno, token=token, text=text)


class _Known:
    """What a file's own names stand for, as far as plain assignments and imports tell."""

    def __init__(self, tree: ast.Module) -> None:
        self.texts: dict[str, str] = {}
        self.names: dict[str, str] = {}
        """Own name -> dotted name."""
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                self.names.update({alias.asname or alias.name.partition(".")[0]: alias.name for alias in node.names})
            elif isinstance(node, ast.ImportFrom):
                self.names.update({one.asname or one.name: f"{node.module}.{one.name}" for one in node.names})
            elif isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
                self._assign(node.targets[0].id, node.value)
            elif isinstance(node, ast.AnnAssign | ast.NamedExpr) and isinstance(node.target, ast.Name) and node.value:
                self._assign(node.target.id, node.value)
        self.is_setup = any(name in {"setuptools.setup", "setuptools", "distutils.core.setup", "distutils.core"}
                            for name in self.names.values())  # fmt: skip

    def _assign(self, name: str, value: ast.expr) -> None:
        text = self.text(value)
        if text is not None:
            self.texts[name] = text
        elif isinstance(value, ast.Name | ast.Attribute | ast.Call):
            self.names[name] = self.dotted(value)

    def dotted(self, node: ast.expr) -> str:
        """`a.b` for a chain of names, own names resolved; `getattr(a, "b")` is one."""
        parts: list[str] = []
        while True:
            if isinstance(node, ast.Attribute):
                parts.append(node.attr)
                node = node.value
            elif isinstance(node, ast.Call) and _is_getattr(node):
                parts.append(self.text(node.args[1]) or "?")
                node = node.args[0]
            else:
                break
        head = self.names.get(node.id, node.id) if isinstance(node, ast.Name) else "?"
        return ".".join([head, *reversed(parts)])

    def text(self, node: ast.expr, depth: int = 0, *, unknown: str | None = None) -> str | None:
        """The text that an expression always has: literals put together in the usual ways. A part that only the run
        knows is `unknown`; without one, so is the whole."""
        if depth > 50:
            return None
        if isinstance(node, ast.Constant | ast.Name):
            known = node.value if isinstance(node, ast.Constant) else self.texts.get(node.id)
            return known if isinstance(known, str) else None
        parts = _parts(node)
        if parts is not None:
            return _joined([self.text(part, depth + 1, unknown=unknown) or unknown for part in parts])
        if isinstance(node, ast.Subscript) and _is_backwards(node.slice):
            text = self.text(node.value, depth + 1)
            return text[::-1] if text is not None else None
        return self._formed(node, depth)

    def _formed(self, node: ast.expr, depth: int) -> str | None:
        """`form % given`, `form.format(given)`, `between.join(given)`."""
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
            given = node.right.elts if isinstance(node.right, ast.Tuple) else [node.right]
            return self._filled(node.left, given, "%s", depth)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "format":
            return self._filled(node.func.value, node.args, "{}", depth)
        return self._join(node, depth) if isinstance(node, ast.Call) else None

    def _filled(self, form: ast.expr, given: list[ast.expr], place: str, depth: int) -> str | None:
        """`"a%s" % b`, `"a{}".format(b)`: filled in here, since a form may ask for any width."""
        whole = self.text(form, depth + 1)
        for part in given[:100]:
            text = self.text(part, depth + 1)
            whole = whole.replace(place, text, 1)[:4096] if whole is not None and text is not None else None
        return whole

    def _join(self, node: ast.Call, depth: int) -> str | None:
        """`between.join([...])`."""
        listed = node.args[0] if len(node.args) == 1 else None
        if isinstance(node.func, ast.Attribute) and node.func.attr == "join":
            between = self.text(node.func.value, depth + 1)
            if between is not None and isinstance(listed, ast.List | ast.Tuple):
                return _joined([self.text(part, depth + 1) for part in listed.elts], between)
        return None


def _parts(node: ast.expr) -> list[ast.expr] | None:
    """What a sum or a formatted text is put together of."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return [node.left, node.right]
    if isinstance(node, ast.JoinedStr):
        return [part.value if isinstance(part, ast.FormattedValue) else part for part in node.values]
    return None


def _joined(parts: list[str | None], between: str = "") -> str | None:
    texts = [part for part in parts if part is not None]
    return between.join(texts)[:4096] if len(texts) == len(parts) else None


def _is_backwards(cut: ast.expr) -> bool:
    if not isinstance(cut, ast.Slice) or cut.lower or cut.upper or not isinstance(cut.step, ast.UnaryOp):
        return False
    return (
        isinstance(cut.step.op, ast.USub) and isinstance(cut.step.operand, ast.Constant) and cut.step.operand.value == 1
    )


def _is_interpreter(node: ast.expr) -> bool:
    return isinstance(node, ast.Attribute) and node.attr in {"executable", "_base_executable"}


def _is_getattr(node: ast.Call) -> bool:
    return isinstance(node.func, ast.Name) and node.func.id == "getattr" and len(node.args) >= 2


def _call_hits(node: ast.Call, bans: Bans, known: _Known) -> Iterator[Found]:
    called = known.dotted(node.func)
    last = called.rpartition(".")[2]
    last = known.names.get(last, last).rpartition(".")[2]
    values = [*node.args, *(argument.value for argument in node.keywords)]
    texts = [text for text in (known.text(value, unknown="?") for value in values) if text is not None]
    if last in _IMPORTERS:
        yield from _found(node, (bans.dotted(text.replace(":", ".").lstrip(".")) for text in texts))
    if last in _LIBRARIES:
        yield from _found(node, (bans.library(text) for text in texts))
    if tool_of(called.partition(".")[0]):
        for value in values:
            if isinstance(value, ast.List | ast.Tuple):
                words = [known.text(part) or "?" for part in value.elts]
                yield from _found(node, iter([bans.command([called.partition(".")[0], *words])]))
    if called.partition(".")[0] in _STARTERS:
        for words in _commands(values, texts, known):
            yield from _found(node, iter([bans.command(words)]))


def _commands(values: list[ast.expr], texts: list[str], known: _Known) -> Iterator[list[str]]:
    """Command lines among a call's arguments: texts as a shell splits them, lists, and the texts as one list."""
    for text in texts:
        yield from shell_commands(text)
    yield texts
    yield texts[1:]  # os.execlp(program, argv0, ...), os.spawnl(mode, program, ...)
    for value in values:
        if isinstance(value, ast.List | ast.Tuple):
            # What is not known is some word: sys.executable, most of all.
            yield [known.text(part) or ("python" if _is_interpreter(part) else "?") for part in value.elts]


def _text_hits(node: ast.expr, bans: Bans, known: _Known, depth: int) -> Iterator[Found]:
    text = known.text(node)
    if not text:
        return
    if "/" in text:
        yield from _found(node, iter([bans.located(text)]), text)
    if depth < _INNER and "import" in text and (inner := parse(text)) is not None:
        for hit in python_hits(inner, bans, depth=depth + 1):
            yield Found(line=node.lineno, token=hit.token, text=text)


def _docstrings(tree: ast.Module) -> set[int]:
    """Texts that are statements of their own: they do nothing."""
    return {
        id(part)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr)
        for part in ast.walk(node.value)
        if isinstance(node.value, ast.Constant | ast.JoinedStr)
    }
