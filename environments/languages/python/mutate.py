"""Rule mutants of a Python file: one operator table, textual splices, and what counts as no mutant at all."""

from __future__ import annotations

import hashlib
import types
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from tree_sitter import Node

from environments.languages.python.syntax import enclosing, mutable_nodes, named, parse, text
from taskpack.mutant import Fate


@dataclass(frozen=True, kw_only=True)
class Change:
    """One splice: `old` at bytes `start:end` becomes `new`."""

    id: str
    """As `taskpack.mutant.Mutant.id`."""
    operator: str
    function: str
    line: int
    start: int
    end: int
    old: bytes
    new: bytes
    occurrence: int


Edit = tuple[Node, bytes]
"""The node whose text goes, and the text that comes."""

_NEGATED = {
    b"==": b"!=",
    b"!=": b"==",
    b"<": b">=",
    b">=": b"<",
    b">": b"<=",
    b"<=": b">",
    b"is": b"is not",
} | {
    b"is not": b"is",
    b"in": b"not in",
    b"not in": b"in",
}
_SHIFTED = {b"<": b"<=", b"<=": b"<", b">": b">=", b">=": b">"}
_ARITHMETIC = {b"+": b"-", b"-": b"+", b"*": b"//", b"/": b"*", b"//": b"*", b"%": b"//", b"**": b"*"} | {
    b"&": b"|",
    b"|": b"&",
    b"^": b"&",
    b"<<": b">>",
    b">>": b"<<",
    b"@": b"*",
}
_AUGMENTED = {name + b"=": swapped + b"=" for name, swapped in _ARITHMETIC.items()}
_BOOLEAN = {b"and": b"or", b"or": b"and"}
_CONSTANTS = {"true": b"False", "false": b"True", "none": b"0"}


def _swap(field: str, table: dict[bytes, bytes]) -> Callable[[Node], Iterator[Edit]]:
    def edits(node: Node) -> Iterator[Edit]:
        for child in node.children_by_field_name(field):
            if text(child) in table:
                yield child, table[text(child)]

    return edits


def _operand(node: Node) -> Iterator[Edit]:
    argument = node.child_by_field_name("argument")
    if argument is not None and not text(node).startswith(b"~"):
        yield node, b"(" + text(argument) + b")"


def _integer(node: Node) -> Iterator[Edit]:
    yield node, b"(" + text(node) + b" + 1)"


def _constant(node: Node) -> Iterator[Edit]:
    # `x is 0` is a warning, not a mutant; the comparison's own operator covers it.
    if not (node.type == "none" and node.parent is not None and node.parent.type == "comparison_operator"):
        yield node, _CONSTANTS[node.type]


def _emptied(node: Node) -> Iterator[Edit]:
    inner = node.children[1:-1]
    if inner and all(child.type == "string_content" for child in inner):
        yield node, text(node.children[0]) + text(node.children[-1])


def _longer(node: Node) -> Iterator[Edit]:
    yield node.children[-1], b"~" + text(node.children[-1])


def _returned(node: Node) -> Iterator[Edit]:
    value = named(node)
    if value is not None and value.type != "none":
        yield value, b"None"


def _deleted(node: Node) -> Iterator[Edit]:
    yield node, b"pass"


def _raised_type(node: Node) -> Iterator[Edit]:
    error = named(node)
    if error is not None and error.type == "call":
        error = error.child_by_field_name("function")
    if error is not None and error.type in {"identifier", "attribute"}:
        yield error, b"Exception" if text(error) != b"Exception" else b"RuntimeError"


def _uncaught(node: Node) -> Iterator[Edit]:
    value = node.child_by_field_name("value")
    if value is not None and value.type == "as_pattern":
        value = named(value)
    if value is not None:
        yield value, b"()"


def _default(node: Node) -> Iterator[Edit]:
    value = node.child_by_field_name("value")
    if value is not None and value.type not in {"none", "integer", "string", "true", "false"}:
        yield value, b"None"


def _condition(node: Node) -> Iterator[Edit]:
    condition = named(node, 1) if node.type == "conditional_expression" else node.child_by_field_name("condition")
    if condition is not None:
        yield condition, b"False"
        if node.type != "while_statement":  # an endless loop costs a whole time limit
            yield condition, b"True"


def _skipped_loop(node: Node) -> Iterator[Edit]:
    values = node.child_by_field_name("right")
    if values is not None:
        yield values, b"()"


def _jump(node: Node) -> Iterator[Edit]:
    loop = node.parent
    while loop is not None and loop.type not in {"for_statement", "while_statement"}:
        loop = loop.parent
    if node.type == "continue_statement":
        yield node, b"break"
    elif loop is not None and loop.type == "for_statement":
        yield node, b"continue"


@dataclass(frozen=True, kw_only=True)
class Operator:
    """A row of the table: in nodes of these types, these edits."""

    name: str
    nodes: tuple[str, ...]
    edits: Callable[[Node], Iterable[Edit]]


OPERATORS = (
    Operator(name="comparison", nodes=("comparison_operator",), edits=_swap("operators", _NEGATED)),
    Operator(name="boundary", nodes=("comparison_operator",), edits=_swap("operators", _SHIFTED)),
    Operator(name="arithmetic", nodes=("binary_operator",), edits=_swap("operator", _ARITHMETIC)),
    Operator(name="augmented", nodes=("augmented_assignment",), edits=_swap("operator", _AUGMENTED)),
    Operator(name="and-or", nodes=("boolean_operator",), edits=_swap("operator", _BOOLEAN)),
    Operator(name="drop-not", nodes=("not_operator", "unary_operator"), edits=_operand),
    Operator(name="integer", nodes=("integer", "float"), edits=_integer),
    Operator(name="constant", nodes=("true", "false", "none"), edits=_constant),
    Operator(name="string-empty", nodes=("string",), edits=_emptied),
    Operator(name="string-longer", nodes=("string",), edits=_longer),
    Operator(name="return-value", nodes=("return_statement",), edits=_returned),
    Operator(name="statement-deletion", nodes=("expression_statement",), edits=_deleted),
    Operator(name="raise-type", nodes=("raise_statement",), edits=_raised_type),
    Operator(name="raise-removal", nodes=("raise_statement",), edits=_deleted),
    Operator(name="uncaught", nodes=("except_clause",), edits=_uncaught),
    Operator(name="default-argument", nodes=("default_parameter", "typed_default_parameter"), edits=_default),
    Operator(
        name="condition",
        nodes=("if_statement", "elif_clause", "while_statement", "conditional_expression"),
        edits=_condition,
    ),
    Operator(name="loop-skip", nodes=("for_statement",), edits=_skipped_loop),
    Operator(name="break-continue", nodes=("break_statement", "continue_statement"), edits=_jump),
)


def changes(path: str, source: bytes) -> tuple[Change, ...]:
    """Every change the table makes to a file, in source order. The same bytes give the same changes.

    `path` is the file's place in the reference; it is part of the ids.
    """
    by_type: dict[str, list[Operator]] = {}
    for operator in OPERATORS:
        for node_type in operator.nodes:
            by_type.setdefault(node_type, []).append(operator)
    seen: Counter[tuple[str, str, bytes, bytes]] = Counter()
    found: list[Change] = []
    for node in mutable_nodes(parse(source)):
        for operator in by_type.get(node.type, []):
            for place, new in operator.edits(node):
                if new == text(place):
                    continue
                key = (enclosing(node), operator.name, text(place), new)
                found.append(_change(path, place, key, seen[key]))
                seen[key] += 1
    return tuple(found)


def _change(path: str, place: Node, key: tuple[str, str, bytes, bytes], occurrence: int) -> Change:
    function, operator, old, new = key
    parts = (path.encode(), function.encode(), operator.encode(), old, new, str(occurrence).encode())
    return Change(
        id=hashlib.sha256(b"\0".join(parts)).hexdigest()[:12],
        operator=operator,
        function=function,
        line=place.start_point[0] + 1,
        start=place.start_byte,
        end=place.end_byte,
        old=old,
        new=new,
        occurrence=occurrence,
    )


def splice(source: bytes, change: Change) -> bytes:
    """The changed file. Raises `ValueError` when `old` is not where the change says."""
    if source[change.start : change.end] != change.old:
        raise ValueError(f"bytes {change.start}:{change.end} are not what {change.id} replaces")
    return source[: change.start] + change.new + source[change.end :]


def no_mutant(path: str, source: bytes, changed: bytes) -> Fate | None:
    """`unviable` when `changed` does not compile, `equivalent` when it has `source`'s bytecode, else None."""
    compiled = _compiled(path, changed)
    if compiled is None:
        return Fate.UNVIABLE
    original = _compiled(path, source)
    if original is not None and same_code(original, compiled):
        return Fate.EQUIVALENT
    return None


def _compiled(path: str, source: bytes) -> types.CodeType | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            code = compile(source, path, "exec", dont_inherit=True)
        except (SyntaxError, ValueError):
            return None
    return code if isinstance(code, types.CodeType) else None


_COMPARED = (
    *("co_code", "co_names", "co_varnames", "co_freevars", "co_cellvars", "co_flags", "co_exceptiontable"),
    *("co_argcount", "co_posonlyargcount", "co_kwonlyargcount", "co_name", "co_qualname"),
)


def same_code(left: types.CodeType, right: types.CodeType) -> bool:
    """Whether two code objects do the same, line tables aside."""
    if any(getattr(left, name) != getattr(right, name) for name in _COMPARED):
        return False
    if len(left.co_consts) != len(right.co_consts):
        return False
    return all(_same_constant(*pair) for pair in zip(left.co_consts, right.co_consts, strict=True))


def _same_constant(left: object, right: object) -> bool:
    if type(left) is not type(right):
        return False
    if isinstance(left, types.CodeType) and isinstance(right, types.CodeType):
        return same_code(left, right)
    if isinstance(left, tuple) and isinstance(right, tuple):
        return len(left) == len(right) and all(_same_constant(*pair) for pair in zip(left, right, strict=True))
    if isinstance(left, frozenset) and isinstance(right, frozenset):
        return sorted(map(repr, left)) == sorted(map(repr, right))
    return repr(left) == repr(right)
