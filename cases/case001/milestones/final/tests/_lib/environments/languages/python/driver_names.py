"""What a class is called: by the public name that a caller can write, wherever it was defined."""

from __future__ import annotations

import builtins
import sys
import types

from taskpack.wire.encoding import declared_names, well_formed
from taskpack.wire.kinds import ClassNames

_NAMES_CAP = 64
# By id: a metaclass may have its own idea of equality.
_BUILTINS = {id(value): name for name, value in vars(builtins).items() if isinstance(value, type)}


def public_names(kind: type) -> ClassNames:
    """The class's own name first, then every other name that it or an ancestor can be called by.

    `package.Name` where the top package binds the class itself; else as it declares itself. Names are looked up in
    loaded modules as they lie there; nothing is called.
    """
    mro: tuple[type, ...] = type.__dict__["__mro__"].__get__(kind)
    found: list[str] = []
    for one in mro:
        if one is not object:
            found += [name for name in _names(one) if name not in found]
    found = found[:_NAMES_CAP] or ["builtins.object"]
    return ClassNames(type=found[0], bases=found[1:])


def nearest_builtin(kind: type) -> str | None:
    """The class itself, or its nearest ancestor, that is really one of the language's own."""
    mro: tuple[type, ...] = type.__dict__["__mro__"].__get__(kind)
    return next((_BUILTINS[id(one)] for one in mro if id(one) in _BUILTINS), None)


def _names(kind: type) -> list[str]:
    if id(kind) in _BUILTINS:
        return [f"builtins.{_BUILTINS[id(kind)]}"]
    declared = declared_names(kind).type
    top = declared.partition(".")[0]
    if top in sys.stdlib_module_names:
        return [declared]
    names: list[str] = []
    for module_name, module in list(sys.modules.items()):
        inside = type(module_name) is str and (module_name == top or module_name.startswith(f"{top}."))
        if not inside or not isinstance(module, types.ModuleType) or "._" in module_name:
            continue
        for name, value in list(vars(module).items()):
            if value is kind and type(name) is str and not name.startswith("_"):
                names.append(well_formed(f"{module_name}.{name}"))
    names.sort(key=lambda name: (name.count("."), name))
    return names if declared in names else [*names, declared]
