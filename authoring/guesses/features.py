"""A proposal of feature points: the modules of the product that define what is public, the largest first."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from environments.languages.python.surface import is_test
from taskpack.survey import Survey, SymbolKind

_MOST = 4
_MOST_FILES = 8
_SHOWN = 12


@dataclass(frozen=True, kw_only=True)
class ModuleSize:
    """One module of the product."""

    path: str
    lines: int
    names: tuple[str, ...]
    """Public functions and classes that it defines, without errors: first those that the product's root offers."""
    offered: int
    """How many of them the root offers."""
    needs: tuple[str, ...]
    """Modules of the product that it imports, by path."""


def read_modules(tree: Path, survey: Survey) -> tuple[ModuleSize, ...]:
    """Every module of the product, by path. Those that do not parse count without imports."""
    root = _root(tree, survey.import_root)
    files = [root] if root.is_file() else sorted(root.rglob("*.py"))
    paths = [path for path in files if not path.is_symlink() and not is_test(path.relative_to(tree).as_posix())]
    dotted = {_dotted(path, root): path.relative_to(tree).as_posix() for path in paths}
    names: dict[str, dict[str, bool]] = {}
    for symbol in survey.symbols:
        if symbol.kind in {SymbolKind.FUNCTION, SymbolKind.CLASS}:
            names.setdefault(symbol.path, {}).setdefault(symbol.name.rpartition(".")[2], symbol.exported)
    return tuple(
        ModuleSize(
            path=path,
            lines=(tree / path).read_bytes().count(b"\n"),
            names=tuple(sorted(names.get(path, {}), key=lambda name, path=path: not names[path][name])),  # type: ignore[misc]
            offered=sum(names.get(path, {}).values()),
            needs=_needs(tree / path, module, dotted),
        )
        for module, path in sorted(dotted.items(), key=lambda item: item[1])
    )


def propose(modules: Sequence[ModuleSize]) -> tuple[ModuleSize, ...]:
    """The modules that are worth a feature point, largest first.

    Those that define what the root offers; where the root offers nothing, those that define anything public.
    """
    worth = [each for each in modules if each.offered] or [each for each in modules if each.names] or modules[:1]
    return tuple(sorted(worth, key=lambda each: (-each.lines, each.path))[:_MOST])


def reading(module: ModuleSize, modules: Sequence[ModuleSize]) -> tuple[str, ...]:
    """What a drafting model reads for `module`: the file itself, then what it imports, nearest first."""
    known = {each.path: each for each in modules}
    found = [module.path]
    for path in found:
        found += [need for need in known[path].needs if need in known and need not in found]
    return tuple(found[:_MOST_FILES])


def shown(names: Sequence[str]) -> str:
    """Names as a list in prose, cut after some."""
    more = len(names) - _SHOWN
    return ", ".join(names[:_SHOWN]) + (f" and {more} more" if more > 0 else "")


def _root(tree: Path, name: str) -> Path:
    for base in (tree / "src", tree / "lib", tree):
        for place in (base / name, base / f"{name}.py"):
            if place.is_file() or (place / "__init__.py").is_file():
                return place
    return tree / name


def _dotted(path: Path, root: Path) -> str:
    """`package.module` as an import spells it."""
    if root.is_file():
        return root.stem
    parts = [root.name, *path.relative_to(root).with_suffix("").parts]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _needs(path: Path, module: str, dotted: Mapping[str, str]) -> tuple[str, ...]:
    try:
        tree = ast.parse(path.read_bytes())
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    wanted: list[str] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            wanted += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            up = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            base = ".".join([*up, *([node.module] if node.module else [])])
            wanted += [f"{base}.{alias.name}" if base else alias.name for alias in node.names] + [base]
    found = dict.fromkeys(dotted[name] for name in wanted if name in dotted)
    return tuple(name for name in found if dotted[module] != name)
