"""Templates of error messages: the words of the program's own, with one mark for whatever is put in."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from neutralize.known.background import Background
from neutralize.known.lexing import Literal, Python

HOLE = "\0"
FEWEST_WORDS = 4
LONGEST = 400
_PERCENT = re.compile(r"%(?:\(\w+\))?[-+#0]*\d*(?:\.\d+)?[a-zA-Z]")
_BRACES = re.compile(r"[$#]?\{[^{}\n]{0,80}\}|\\\([^()\n]{0,80}\)")
_THROWN = re.compile(
    r"""(?: \b(?:throw|raise|reject)\b[ \t(]*(?:new[ \t]+)?[\w.:<>]*[ \t\n]*[({]?[ \t\n]*
      | \b(?:errors|fmt|xerrors)\.(?:New|Errorf|Wrapf?)\([ \t\n]*(?:\w+,[ \t\n]*)?
      | \b(?:panic|bail|anyhow|ensure|unreachable|assert)!?\([ \t\n]*
      | \bnew[ \t]+[\w.]*(?:Error|Exception)[ \t]*\([ \t\n]*
      | \bErr\([ \t\n]*(?:[\w:]+[({][ \t\n]*)? )\Z""",
    re.VERBOSE,
)
Named = dict[str, list[ast.expr]]
"""What a module sets each name to."""
_WORD = re.compile(r"[^\W\d_]{2,}")


def of_literals(found: Iterable[Literal]) -> Iterator[tuple[str, int]]:
    """Templates among the string literals of a language that is not parsed: those that something throws."""
    for literal in found:
        if _THROWN.search(literal.before):
            yield template(literal.value), literal.line


def of_python(tree: Python) -> Iterator[tuple[str, int]]:
    """Templates in `raise` statements, given there or in a name that the module sets to a string."""
    named: Named = {}
    for node in tree.nodes:
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            named.setdefault(node.targets[0].id, []).append(node.value)
    for node in tree.nodes:
        if not (isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call)):
            continue
        for given in [*node.exc.args, *(keyword.value for keyword in node.exc.keywords)]:
            yield _shape(given, named, 0), given.lineno


def _shape(node: ast.expr, named: Named, depth: int) -> str:  # noqa: PLR0911 (one line for each kind of expression)
    """What an expression says, a hole for all that is not known before it runs."""
    if depth > 20:
        return HOLE
    if isinstance(node, ast.Name) and len(named.get(node.id, ())) == 1:
        return _shape(named[node.id][0], named, depth + 5)
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else HOLE
    if isinstance(node, ast.JoinedStr):
        return "".join(_shape(part, named, depth + 1) for part in node.values)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return _shape(node.left, named, depth + 1) + _shape(node.right, named, depth + 1)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
        return _PERCENT.sub(HOLE, _shape(node.left, named, depth + 1))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "format":
        return _BRACES.sub(HOLE, _shape(node.func.value, named, depth + 1))
    if isinstance(node, ast.Call) and len(node.args) == 1 and isinstance(node.func, ast.Name):
        return _shape(node.args[0], named, depth + 1)
    return HOLE


def template(text: str) -> str:
    """A string with its placeholders, of any language, as holes."""
    return _PERCENT.sub(HOLE, _BRACES.sub(HOLE, text))


def tidy(shape: str) -> str:
    """White space single, holes single, none at the ends."""
    flat = " ".join(shape.split())
    return re.sub(rf"{HOLE}+", HOLE, flat[:LONGEST]).strip(f"{HOLE} ")


def tells_message(shape: str, background: Background) -> bool:
    """Whether a template has four words, and no unrelated project says the same."""
    words = _WORD.findall(shape)
    return len(words) >= FEWEST_WORDS and not background.has_text(shape)
