"""The public surface of a Python product, read from its source. Nothing is imported and nothing is run."""

from __future__ import annotations

import ast
import keyword
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from environments.languages.python.symbols import (
    Definition,
    Module,
    class_symbols,
    definition_symbol,
    is_public,
    parse_module,
)
from taskpack.survey import Symbol

_TEST_FOLDERS = {"test", "tests"}
_TEST_NAME = re.compile(r"^(test_.*|.*_tests?|tests?|conftest)\.py$")
_NO_PRODUCT = {
    *_TEST_FOLDERS,
    *(
        "benchmark",
        "benchmarks",
        "bench",
        "build",
        "ci",
        "conf",
        "conftest",
        "dist",
        "doc",
        "docs",
        "example",
    ),
    *("examples", "fuzz", "fabfile", "noxfile", "scripts", "setup", "tasks", "tools", "utils", "versioneer"),
}
_MOST_HOPS = 20


@dataclass(frozen=True, kw_only=True)
class Root:
    """One importable package or module."""

    name: str
    path: str
    """The package's folder, or the module's file, relative to the source."""
    is_package: bool


def is_source(path: str) -> bool:
    return path.endswith(".py")


def is_test(path: str) -> bool:
    """Whether a source file belongs to the tests, by the names that test runners look for."""
    place = PurePosixPath(path)
    return bool(_TEST_NAME.match(place.name)) or any(part in _TEST_FOLDERS for part in place.parts[:-1])


def import_roots(paths: Iterable[str]) -> tuple[Root, ...]:
    """Packages and modules that an installed product offers, by name; those below `src/` hide those at the root."""
    known = set(paths)
    for base in ("src/", ""):
        found: dict[str, Root] = {}
        for path in sorted(known):
            if not path.startswith(base):
                continue
            rest = path.removeprefix(base)
            name = rest.removesuffix("/__init__.py")
            if name != rest and _is_product(name):
                found[name] = Root(name=name, path=base + name, is_package=True)
            name = rest.removesuffix(".py")
            if name != rest and _is_product(name) and not is_test(rest):
                found.setdefault(name, Root(name=name, path=path, is_package=False))
        if found:
            return tuple(found[name] for name in sorted(found))
    return ()


def _is_product(name: str) -> bool:
    return name.isidentifier() and not keyword.iskeyword(name) and is_public(name) and name.lower() not in _NO_PRODUCT


@dataclass(frozen=True, kw_only=True)
class Surface:
    """What was read. `unread` are modules that do not parse."""

    symbols: tuple[Symbol, ...]
    unread: tuple[str, ...]


def read_surface(tree: Path, root: Root) -> Surface:
    """Every public name below `root`: first by what the root offers, then by module, in the order of the
    source.

    A name that the root offers is listed once, under the root, wherever it is defined.
    """
    package = _Package(root=root)
    for name, path in _module_files(tree, root):
        module = parse_module(
            tree / path, root=root.name, name=name, path=path, is_package=path.endswith("/__init__.py")
        )
        if module is None:
            package.unread.append(path)
        else:
            package.modules[name] = module
    return Surface(symbols=tuple(package.symbols()), unread=tuple(package.unread))


def _module_files(tree: Path, root: Root) -> Iterator[tuple[str, str]]:
    """Dotted name below the root (`` for the root itself) and path, the root first; links and tests are left out."""
    if not root.is_package:
        yield "", root.path
        return
    base = tree / root.path
    files = sorted(path for path in base.rglob("*.py") if path.is_file() and not path.is_symlink())
    for path in sorted(files, key=lambda path: (path.parent != base or path.name != "__init__.py", path)):
        inside = path.relative_to(base)
        if is_test(inside.as_posix()):
            continue
        parts = inside.with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        yield name, path.relative_to(tree).as_posix()


@dataclass(kw_only=True)
class _Package:
    """The modules of one root while names are followed through them."""

    root: Root
    modules: dict[str, Module] = field(default_factory=dict)
    unread: list[str] = field(default_factory=list)

    def symbols(self) -> Iterator[Symbol]:
        done: set[tuple[str, str]] = set()
        if "" in self.modules:
            for name, (module, definition) in self._offered().items():
                done.add((module.name, definition.name))
                yield from self._described(name, module, definition, exported=True)
        for module in self.modules.values():
            if not all(is_public(part) for part in module.name.split(".") if part):
                continue
            for definition in module.definitions.values():
                if is_public(definition.name) and (module.name, definition.name) not in done and definition.is_form:
                    name = f"{module.name}.{definition.name}" if module.name else definition.name
                    yield from self._described(name, module, definition, exported=False)

    def _described(self, name: str, module: Module, definition: Definition, *, exported: bool) -> Iterator[Symbol]:
        is_error = isinstance(definition.node, ast.ClassDef) and self._is_exception(module, definition.node, _MOST_HOPS)
        yield definition_symbol(name, module.path, definition, exported=exported, is_exception=is_error)
        if isinstance(definition.node, ast.ClassDef):
            yield from class_symbols(name, module.path, definition.node, exported=exported)

    def _offered(self) -> Mapping[str, tuple[Module, Definition]]:
        """Names of the root itself, with the place where each is defined; in the order of `__init__`."""
        top = self.modules[""]
        names = top.all_names
        if names is None:
            own = [name for name, item in top.definitions.items() if is_public(name) and item.is_form]
            names = (*(name for name in self._imported(top) if is_public(name)), *own)
        found: dict[str, tuple[Module, Definition]] = {}
        for name in names:
            place = self._find(top, name, _MOST_HOPS)
            if place is not None:
                found.setdefault(name, place)
        return found

    def _imported(self, module: Module) -> Iterator[str]:
        """Names that a module takes from its own package; from elsewhere they are no part of the product."""
        for name, (source, _) in module.imports.items():
            if source in self.modules:
                yield name
        for source in module.stars:
            other = self.modules.get(source)
            if other is not None:
                yield from other.all_names or [name for name in other.definitions if is_public(name)]

    def _find(self, module: Module, name: str, hops: int) -> tuple[Module, Definition] | None:
        """Follow re-exports to a definition; None for names from outside, for modules and for circles."""
        if name in module.definitions:
            return module, module.definitions[name]
        if hops == 0:
            return None
        head, _, rest = name.partition(".")
        if rest and head in module.imports:
            below = self.modules.get(".".join(part for part in module.imports[head] if part))
            return self._find(below, rest, hops - 1) if below else None
        if name in module.imports:
            source, original = module.imports[name]
            other = self.modules.get(source)
            return self._find(other, original, hops - 1) if other else None
        for source in module.stars:
            other = self.modules.get(source)
            place = self._find(other, name, hops - 1) if other and other is not module else None
            if place is not None:
                return place
        return None

    def _is_exception(self, module: Module, node: ast.ClassDef, hops: int) -> bool:
        """Whether a chain of bases ends in a builtin exception, or in an outside class that is named like one."""
        for base in node.bases:
            name = ast.unparse(base).partition("[")[0]
            place = self._find(module, name, _MOST_HOPS)
            if place is not None and isinstance(place[1].node, ast.ClassDef):
                if hops > 0 and place[1].node is not node and self._is_exception(place[0], place[1].node, hops - 1):
                    return True
            elif re.search(r"(^|\.)(\w*(Exception|Error|Warning|Exit|Interrupt|Iteration))$", name):
                return True
        return False
