"""What of a Python file may be changed: parsing, enclosing names, and the places that no mutant touches."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import tree_sitter_python
from tree_sitter import Language, Node, Parser

MODULE = "<module>"

ARID = (
    "type annotations and type aliases",
    "imports",
    "decorators",
    "docstrings",
    "bodies of @overload",
    "if TYPE_CHECKING blocks",
    "module __getattr__, __dir__, __version__, __all__, __author__, TypeVar and friends",
    "the type argument of cast",
    "message texts: strings in a raise, in warnings and logging calls, and those given to super().__init__",
)
"""Where no mutant is made, for people to read. `is_arid` is the same list for the machine."""

_SKIPPED_TYPES = frozenset(
    {
        "type",
        "decorator",
        "import_statement",
        "import_from_statement",
        "future_import_statement",
        "type_alias_statement",
        "comment",
    }
)
_SHIMS = frozenset({b"__version__", b"__version_info__", b"__all__", b"__author__", b"__slots__"})
_SHIM_FUNCTIONS = frozenset({b"__getattr__", b"__dir__"})
_TYPE_MAKERS = frozenset(
    {
        "TypeVar",
        "ParamSpec",
        "NewType",
        "TypeVarTuple",
        "Union",
        "Optional",
        "Callable",
        "Dict",
        "List",
        "Tuple",
    }
    | {"Set", "Type", "Literal", "Mapping", "Sequence", "Iterable"}
)
_TALKERS = frozenset({"warn", "debug", "info", "warning", "error", "exception", "critical", "log"})


@cache
def _parser() -> Parser:
    return Parser(Language(tree_sitter_python.language()))


def parse(source: bytes) -> Node:
    """The root node. Broken source gives a tree with error nodes, no exception."""
    return _parser().parse(source).root_node


def text(node: Node) -> bytes:
    """The node's source."""
    return node.text or b""


def mutable_nodes(root: Node) -> Iterator[Node]:
    """Every node, in source order, that is not arid and lies in nothing arid."""
    stack = [root]
    while stack:
        node = stack.pop()
        if is_arid(node):
            continue
        yield node
        stack.extend(reversed(node.children))


def is_arid(node: Node) -> bool:
    """Whether a change here says nothing about behaviour. `ARID` tells the rules."""
    if node.type in _SKIPPED_TYPES:
        return True
    rule = _RULES.get(node.type)
    return rule(node) if rule else False


def named(node: Node, index: int = 0) -> Node | None:
    """The named child at `index`, or None when there are fewer."""
    children = node.named_children
    return children[index] if index < len(children) else None


def enclosing(node: Node) -> str:
    """Dotted name of the definition around `node`; `<module>` outside."""
    names: list[str] = []
    above = node.parent
    while above is not None:
        if above.type in {"function_definition", "class_definition"}:
            names.append(_name_of(above).decode("utf-8", "replace"))
        above = above.parent
    return ".".join(reversed(names)) or MODULE


def functions_on(source: bytes, first_line: int, last_line: int) -> frozenset[str]:
    """Names, as `enclosing` gives them, of the definitions that words on these lines stand in. Lines count from 1."""
    found: set[str] = set()
    stack = [parse(source)]
    while stack:
        node = stack.pop()
        if node.end_point[0] + 1 < first_line or node.start_point[0] + 1 > last_line:
            continue
        stack.extend(node.children)
        if not node.children and node.start_point[0] + 1 >= first_line:
            found.add(enclosing(node))
    return frozenset(found)


def last_name(node: Node | None) -> str:
    """`Union` for `t.Union`, `Union` and `t.Union[...]`; empty for anything else."""
    while node is not None and node.type in {"subscript", "call"}:
        node = node.child_by_field_name("value") or node.child_by_field_name("function")
    if node is not None and node.type == "attribute":
        node = node.child_by_field_name("attribute")
    return text(node).decode("utf-8", "replace") if node is not None and node.type == "identifier" else ""


def _name_of(definition: Node) -> bytes:
    name = definition.child_by_field_name("name")
    return text(name) if name is not None else b""


def _overload(node: Node) -> bool:
    return any(last_name(named(child)) == "overload" for child in node.children if child.type == "decorator")


def _type_checking(node: Node) -> bool:
    return last_name(node.child_by_field_name("condition")) == "TYPE_CHECKING"


def _shim_function(node: Node) -> bool:
    return _name_of(node) in _SHIM_FUNCTIONS and enclosing(node) == MODULE


def _quiet_statement(node: Node) -> bool:
    inner = named(node)
    if inner is None:
        return True
    if inner.type in {"string", "concatenated_string", "ellipsis"}:
        return True  # docstrings, and bodies that are not there
    return inner.type == "assignment" and _quiet_assignment(inner)


def _quiet_assignment(node: Node) -> bool:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if right is None or (left is not None and text(left) in _SHIMS):
        return True
    annotation = node.child_by_field_name("type")
    if annotation is not None and text(annotation).endswith(b"TypeAlias"):
        return True
    return right.type in {"subscript", "call"} and last_name(right) in _TYPE_MAKERS


def _cast_type(node: Node) -> bool:
    """Whether `node` is the first argument of `cast`."""
    above = node.parent
    call = above.parent if above is not None and above.type == "argument_list" else None
    if above is None or call is None or last_name(call.child_by_field_name("function")) != "cast":
        return False
    return named(above) == node


def _message(node: Node) -> bool:
    """Whether the string `node` is read by people only."""
    above = node.parent
    while above is not None and above.type not in {"block", "module"}:
        if above.type == "raise_statement":
            return True
        if above.type == "call":
            function = above.child_by_field_name("function")
            if last_name(function) in _TALKERS or (function is not None and text(function) == b"super().__init__"):
                return True
        above = above.parent
    return False


def _string(node: Node) -> bool:
    return _message(node) or _cast_type(node)


_RULES = {
    "decorated_definition": _overload,
    "if_statement": _type_checking,
    "function_definition": _shim_function,
    "expression_statement": _quiet_statement,
    "string": _string,
    "concatenated_string": _string,
    "subscript": _cast_type,
    "attribute": _cast_type,
}
