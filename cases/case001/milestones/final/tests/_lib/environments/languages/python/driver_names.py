"""What a class is called: by the public name that a caller can write, wherever it was defined."""

from __future__ import annotations

import builtins
import sys
import types

from taskpack.wire.encoding import declared_names, well_formed
from taskpack.wire.kinds import ClassNames

_NAMES_CAP = 64
# By id: a metaclass may have its own idea of equality.
_BUILTINS = {
    id(value): name for name, value in vars(builtins).items() if isinstance(value, type) and value.__name__ == name
}


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


def is_builtin(kind: type) -> bool:
    """Whether the class is really one of the language's own."""
    return id(kind) in _BUILTINS


def nearest_builtin(kind: type) -> str | None:
    """The class itself, or its nearest ancestor, that is really one of the language's own."""
    mro: tuple[type, ...] = type.__dict__["__mro__"].__get__(kind)
    return next((_BUILTINS[id(one)] for one in mro if id(one) in _BUILTINS), None)


def _names(kind: type) -> list[str]:
    """Names under which `kind` is really bound; what it only says of itself is marked with `?` and matches nothing."""
    if id(kind) in _BUILTINS:
        return [f"builtins.{_BUILTINS[id(kind)]}"]
    declared = declared_names(kind).type
    top = declared.partition(".")[0]
    names: list[str] = []
    for module_name, module in list(sys.modules.items()):
        inside = type(module_name) is str and (module_name == top or module_name.startswith(f"{top}."))
        if not inside or module is builtins or not isinstance(module, types.ModuleType) or "._" in module_name:
            continue
        for name, value in list(vars(module).items()):
            if value is kind and type(name) is str and not name.startswith("_"):
                names.append(well_formed(f"{module_name}.{name}"))
    names.sort(key=lambda name: (name.count("."), name))
    if declared not in names:
        names.append(declared if _is_bound(kind) else f"?{declared}")
    return names


def _is_bound(kind: type) -> bool:
    """Whether the module that `kind` names holds it where its qualified name says."""
    attributes = type.__dict__
    module = sys.modules.get(attributes["__module__"].__get__(kind)) if "__module__" in attributes else None
    if not isinstance(module, types.ModuleType) or module is builtins:
        return False
    place: object = module
    for step in attributes["__qualname__"].__get__(kind).split("."):
        held = vars(place) if isinstance(place, types.ModuleType) else type.__dict__["__dict__"].__get__(place)
        place = held.get(step)
        if not isinstance(place, type):
            return False
    return place is kind
