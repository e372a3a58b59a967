"""Workspaces that do nothing themselves: each name of the contract is taken from a module of the environment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from pprint import pformat

from environments.offered import Offered, folded
from taskpack.rename import Rename
from taskpack.spec import Form, FormKind, Spec


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """One name that the contract's import root, or a module below it, offers."""

    name: str
    place: str
    """The module below the import root that offers it; empty for the root itself."""
    kind: FormKind
    spellings: tuple[str, ...]
    """The neutral name, then what the upstream calls it."""
    members: Mapping[str, tuple[str, ...]]
    """Of a class: name -> spellings."""
    parameters: Mapping[str, Mapping[str, str]]
    """Of the name itself (`""`) and of its members: a parameter's neutral name -> the upstream's, where they differ."""

    @property
    def keys(self) -> frozenset[str]:
        return frozenset(folded(name) for name in self.spellings)


def wanted_names(spec: Spec, renames: Sequence[Rename]) -> tuple[Wanted, ...]:
    """The contract's names, sorted, with the spellings that the rename map came from."""
    forms = {form.name: form for form in spec.forms}
    tops: dict[str, list[Form]] = {}
    for name, form in sorted(forms.items()):
        holder = _holder(name, forms)
        tops.setdefault(holder or name, []).extend([form] if holder else [])
    return tuple(_wanted(forms[name], members, renames) for name, members in sorted(tops.items()))


def forward(wanted: Sequence[Wanted], offered: Offered | None, roots: Sequence[str]) -> dict[str, bytes]:
    """Path -> content of the workspace that forwards to `offered`; a hollow one, with names alone, for None.

    `roots` are the files that importing the product runs first, relative to the workspace. What the module does not
    have is there and raises `NotImplementedError`.
    """
    rows = [
        (each.name, each.kind.value, sorted(each.keys), _spelled(each.members), _plain(each.parameters))
        for each in wanted
    ]
    entry, module = (offered.entry, offered.module) if offered else ("", "")
    modules = offered.modules if offered and module else ()
    table = f"_ENTRY = {entry!r}\n_MODULES = {tuple(modules)!r}\n_TABLE = {pformat(rows, width=110)}\n"
    if offered is not None and not module:
        table += "_SCRIPT = _ENTRY\n"
    content = (_HEAD + table + _CODE).encode()
    files = dict.fromkeys(roots, content)
    for root in roots:
        top = PurePosixPath(root)
        if top.name == "__init__.py":
            for place in sorted({each.place for each in wanted if each.place}):
                path = top.parent.joinpath(*place.split("."))
                files[f"{path}.py"] = _ALIAS.format(root=top.parent.name).encode()
                for above in path.relative_to(top.parent).parents[:-1]:
                    files.setdefault(str(top.parent / above / "__init__.py"), b"")
    return files


def _holder(name: str, forms: Mapping[str, Form]) -> str:
    """The class that a dotted name belongs to; empty for what a module offers."""
    above = name.rpartition(".")[0]
    while above and above not in forms:
        above = above.rpartition(".")[0]
    return above


def _wanted(form: Form, members: Sequence[Form], renames: Sequence[Rename]) -> Wanted:
    place, _, name = form.name.rpartition(".")
    own = {member.name.rpartition(".")[2]: member for member in members}
    parameters = {"": form, **own}
    return Wanted(
        name=name,
        place=place,
        kind=form.kind,
        spellings=_spellings(name, renames),
        members={member: _spellings(member, renames) for member in sorted(own)},
        parameters={at: found for at, each in parameters.items() if (found := _parameters(each, renames))},
    )


def _spellings(name: str, renames: Sequence[Rename]) -> tuple[str, ...]:
    found = [name]
    for one in renames:
        if one.kind == "identifier" and one.replacement == name:
            found.append(one.surface)
        elif one.kind in {"name", "word"} and one.replacement in name:
            found.append(name.replace(one.replacement, one.surface))
    return tuple(dict.fromkeys(found))


def _parameters(form: Form, renames: Sequence[Rename]) -> dict[str, str]:
    spelled = {each.name: _spellings(each.name, renames) for each in form.parameters}
    return {name: names[-1] for name, names in spelled.items() if len(names) > 1}


def _spelled(members: Mapping[str, tuple[str, ...]]) -> dict[str, list[str]]:
    return {name: sorted({folded(each) for each in names}) for name, names in members.items()}


def _plain(parameters: Mapping[str, Mapping[str, str]]) -> dict[str, dict[str, str]]:
    return {at: dict(names) for at, names in parameters.items()}


_ALIAS = '"""Forwards."""\n\nimport {root} as _root\n\nglobals().update(_root._ALL)\n'
_HEAD = '"""Forwards every name of the contract to a module of the environment."""\n\nimport importlib\nimport sys\n\n'
_CODE = '''

def _folded(name):
    return name.replace("_", "").lower()


def _script(path):
    from importlib.machinery import SourceFileLoader
    from importlib.util import module_from_spec, spec_from_loader

    loader = SourceFileLoader("forwarded_script", path)
    module = module_from_spec(spec_from_loader(loader.name, loader))
    sys.modules[loader.name] = module
    loader.exec_module(module)
    return module


def _modules():
    if "_SCRIPT" in globals():
        loads = [lambda: _script(_SCRIPT)]
    else:
        loads = [lambda name=name: importlib.import_module(name) for name in _MODULES]
        if _ENTRY and _ENTRY not in sys.path:
            sys.path.insert(0, _ENTRY)
    for load in loads:
        try:
            yield load()
        except BaseException:
            continue
    if _ENTRY in sys.path[:1]:
        sys.path.append(sys.path.pop(0))


def _offered():
    found = {}
    for module in _modules():
        for name in dir(module):
            if not name.startswith("_"):
                found.setdefault(_folded(name), getattr(module, name, None))
    return found


def _raising(*_args, **_named):
    raise NotImplementedError


def _hollow(name, kind, members):
    if kind == "exception":
        return type(name, (Exception,), {"__module__": __name__})
    if kind == "class":
        return type(name, (), {"__module__": __name__, "__init__": _raising, **dict.fromkeys(members, _raising)})
    return _raising


def _translated(call, names):
    def forwarded(*args, **named):
        return call(*args, **{names.get(name, name): value for name, value in named.items()})

    return forwarded


def _set(kind, name, value):
    try:
        setattr(kind, name, value)
    except Exception:
        pass


def _named(kind, name):
    """The class as the product's own, so that errors are called as the contract calls them."""
    if kind.__module__ not in sys.builtin_module_names:
        for attribute, value in (("__module__", __name__), ("__qualname__", name), ("__name__", name)):
            _set(kind, attribute, value)


def _with_members(kind, members, parameters):
    there = {_folded(name): name for name in dir(kind)}
    for name, keys in members.items():
        other = next((there[key] for key in keys if key in there), None)
        if other is not None and not hasattr(kind, name):
            _set(kind, name, getattr(kind, other))
        if name in parameters and callable(getattr(kind, name, None)):
            _set(kind, name, _translated(getattr(kind, name), parameters[name]))
    if "" in parameters and "__init__" in vars(kind):
        _set(kind, "__init__", _translated(kind.__init__, parameters[""]))


def _forwarded():
    found, made = _offered(), {}
    for name, kind, keys, members, parameters in _TABLE:
        value = next((found[key] for key in keys if key in found), None)
        if value is None:
            value = _hollow(name, kind, members)
        elif isinstance(value, type):
            _named(value, name)
            _with_members(value, members, parameters)
        elif "" in parameters:
            value = _translated(value, parameters[""])
        made[name] = value
    return made


_ALL = _forwarded()
globals().update(_ALL)
'''
