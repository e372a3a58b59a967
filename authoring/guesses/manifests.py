"""What a Python source states about building and testing itself. Everything is read as text; nothing of it is run."""

from __future__ import annotations

import ast
import configparser
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from email.parser import HeaderParser
from pathlib import Path
from typing import Any

from authoring.guesses.guess import Stated, line_of, stated_in

_LONGEST = 1024 * 1024
_HOPS = 8
_REQUIRES_DIST = "requires-dist"


@dataclass(frozen=True, kw_only=True)
class Manifests:
    """Lists of requirements by what they are for, as they are written, each entry with its line."""

    build: tuple[Stated, ...] = ()
    """`[build-system] requires`, or `setup_requires`."""
    backend: str = ""
    runtime: tuple[Stated, ...] = ()
    """What the product itself needs."""
    lists: Mapping[str, tuple[Stated, ...]] = field(default_factory=dict)
    """By the name of an extra, a group, a tool's environment or a requirements file."""
    options: tuple[Stated, ...] = ()
    """pytest's `addopts`."""
    testpaths: tuple[Stated, ...] = ()
    configured: str = ""
    """The file that configures pytest; empty when none does."""


def read_manifests(tree: Path) -> Manifests:
    """What the manifests at the root of `tree` say; a broken one says nothing."""
    texts = {name: text for name in _READERS if (text := _text(tree / name))}
    gathered = _Gathered()
    for name, read in _READERS.items():
        if name in texts:
            read(name, texts[name], gathered)
    for path in sorted({*tree.glob("*requirements*.txt"), *tree.glob("requirements/*.txt"), *tree.glob("*/*req*.txt")}):
        if not path.is_symlink() and path.is_file() and len(path.relative_to(tree).parts) < 3:
            _requirements_file(path.relative_to(tree).as_posix(), _text(path), gathered)
    return gathered.manifests()


@dataclass(kw_only=True)
class _Gathered:
    """What was read so far. What is stated first wins; lists of one name are joined."""

    build: list[Stated] = field(default_factory=list)
    backend: str = ""
    runtime: list[Stated] = field(default_factory=list)
    lists: dict[str, list[Stated]] = field(default_factory=dict)
    options: list[Stated] = field(default_factory=list)
    testpaths: list[Stated] = field(default_factory=list)
    configured: str = ""

    def add(self, name: str, entries: Iterator[Stated]) -> None:
        self.lists.setdefault(name, []).extend(entries)

    def configure(self, path: str, options: Iterator[Stated], testpaths: Iterator[Stated]) -> None:
        """pytest reads one file: the first of its own order that configures it."""
        if not self.configured:
            self.configured, self.options, self.testpaths = path, list(options), list(testpaths)

    def manifests(self) -> Manifests:
        return Manifests(
            build=tuple(self.build),
            backend=self.backend,
            runtime=tuple(self.runtime),
            lists={name: tuple(entries) for name, entries in self.lists.items() if entries},
            options=tuple(self.options),
            testpaths=tuple(self.testpaths),
            configured=self.configured,
        )


def _text(path: Path) -> str:
    if not path.is_file() or path.is_symlink() or path.stat().st_size > _LONGEST:
        return ""
    return path.read_text("utf-8", "replace")


def _pyproject(path: str, text: str, into: _Gathered) -> None:
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return
    system, project = _table(data, "build-system"), _table(data, "project")
    into.build += stated_in(path, text, system.get("requires"), after="build-system")
    into.backend = str(system.get("build-backend", ""))
    into.runtime += stated_in(path, text, project.get("dependencies"), after="dependencies")
    for name, values in _table(project, "optional-dependencies").items():
        into.add(name, stated_in(path, text, values, after="optional-dependencies"))
    groups = _table(data, "dependency-groups")
    for name in groups:
        into.add(name, stated_in(path, text, _group(groups, name, _HOPS), after="dependency-groups"))
    poetry = _table(data, "tool", "poetry")
    into.runtime += _poetry(path, text, _table(poetry, "dependencies"), after="tool.poetry.dependencies")
    into.add("dev", _poetry(path, text, _table(poetry, "dev-dependencies"), after="dev-dependencies"))
    for name in _table(poetry, "group"):
        table = _table(poetry, "group", name, "dependencies")
        into.add(name, _poetry(path, text, table, after=f"group.{name}"))
    for name, values in _table(data, "tool", "pdm", "dev-dependencies").items():
        into.add(name, stated_in(path, text, values, after="dev-dependencies"))
    into.add("dev", stated_in(path, text, _table(data, "tool", "uv").get("dev-dependencies"), after="dev-dependencies"))
    for name in _table(data, "tool", "hatch", "envs"):
        values = _table(data, "tool", "hatch", "envs", name).get("dependencies")
        into.add("test" if name.startswith("hatch-test") else name, stated_in(path, text, values, after=f"envs.{name}"))
    pytest = _table(data, "tool", "pytest", "ini_options")
    if pytest or "[tool.pytest.ini_options]" in text:
        options = stated_in(path, text, pytest.get("addopts"), after="tool.pytest")
        into.configure(path, options, stated_in(path, text, pytest.get("testpaths"), after="tool.pytest"))


def _group(groups: Mapping[str, Any], name: str, hops: int) -> list[str]:
    """A dependency group with the groups that it includes."""
    found: list[str] = []
    entries = groups.get(name)
    for entry in entries if isinstance(entries, list) and hops else []:
        if isinstance(entry, str):
            found.append(entry)
        elif isinstance(entry, dict) and isinstance(entry.get("include-group"), str):
            found += _group(groups, entry["include-group"], hops - 1)
    return found


def _poetry(path: str, text: str, table: Mapping[str, Any], *, after: str) -> Iterator[Stated]:
    """Names alone: the lock finds versions, and poetry spells bounds in a way of its own."""
    start = max(text.find(after), 0)
    for name in table:
        if name.lower() != "python":
            yield Stated(text=name, where=f"{path}:{line_of(text, name, start)}")


def _setup_cfg(path: str, text: str, into: _Gathered) -> None:
    parser = _ini(text)
    if parser is None:
        return
    options = dict(parser.items("options")) if parser.has_section("options") else {}
    if not into.build:
        into.build += stated_in(path, text, _lines(options.get("setup_requires", "")))
    if not into.runtime:
        into.runtime += stated_in(path, text, _lines(options.get("install_requires", "")), after="install_requires")
    into.add("tests_require", stated_in(path, text, _lines(options.get("tests_require", "")), after="tests_require"))
    if parser.has_section("options.extras_require"):
        for name, value in parser.items("options.extras_require"):
            into.add(name, stated_in(path, text, _lines(value), after="options.extras_require"))
    _pytest_section(path, text, parser, "tool:pytest", into)


def _setup_py(path: str, text: str, into: _Gathered) -> None:
    """Literal keywords of the call of `setup`; what is computed stays unknown."""
    try:
        module = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    names = {
        target.id: node.value
        for node in module.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for call in (node for node in ast.walk(module) if isinstance(node, ast.Call)):
        if ast.unparse(call.func).rpartition(".")[2] != "setup":
            continue
        given = {item.arg: _literal(item.value, names) for item in call.keywords if item.arg}
        if not into.build:
            into.build += stated_in(path, text, given.get("setup_requires"), after="setup_requires")
        if not into.runtime:
            into.runtime += stated_in(path, text, given.get("install_requires"), after="install_requires")
        into.add("tests_require", stated_in(path, text, given.get("tests_require"), after="tests_require"))
        extras = given.get("extras_require")
        for name, values in extras.items() if isinstance(extras, dict) else ():
            into.add(str(name), stated_in(path, text, values, after="extras_require"))


def _literal(node: ast.expr, names: Mapping[str, ast.expr]) -> Any:
    """A literal, or a name that the module binds to one; None for all else."""
    node = names.get(node.id, node) if isinstance(node, ast.Name) else node
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return None


def _pkg_info(path: str, text: str, into: _Gathered) -> None:
    """What an archive's own metadata says of the product's needs, where no manifest has said it."""
    if into.runtime:
        return
    for header, value in HeaderParser().parsestr(text).items():
        if header.lower() == _REQUIRES_DIST:
            into.runtime += stated_in(path, text, str(value))


def _noxfile(path: str, text: str, into: _Gathered) -> None:
    """Words that sessions hand to `install`."""
    try:
        module = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for session in (node for node in module.body if isinstance(node, ast.FunctionDef)):
        for call in (node for node in ast.walk(session) if isinstance(node, ast.Call)):
            if isinstance(call.func, ast.Attribute) and call.func.attr == "install":
                words = [item.value for item in call.args if isinstance(item, ast.Constant)]
                packages = [word for word in words if isinstance(word, str) and not word.startswith(("-", "."))]
                into.add(session.name, stated_in(path, text, packages, after=f"def {session.name}"))


def _tox_ini(path: str, text: str, into: _Gathered) -> None:
    parser = _ini(text)
    if parser is None:
        return
    if parser.has_option("testenv", "deps"):
        # `factor: package` gives the package; `-r file` is read as that file.
        entries = [line.rpartition(": ")[2] for line in _lines(parser.get("testenv", "deps"))]
        into.add("testenv", stated_in(path, text, [each for each in entries if _is_name(each)], after="[testenv]"))
    _pytest_section(path, text, parser, "pytest", into)


def _pytest_ini(path: str, text: str, into: _Gathered) -> None:
    parser = _ini(text)
    if parser is not None and not into.configured:
        _pytest_section(path, text, parser, "pytest", into)
        into.configured = into.configured or path


def _pytest_section(path: str, text: str, parser: configparser.RawConfigParser, section: str, into: _Gathered) -> None:
    if parser.has_section(section):
        given = dict(parser.items(section))
        options = stated_in(path, text, " ".join(given.get("addopts", "").split()))
        into.configure(path, options, stated_in(path, text, given.get("testpaths", "").split(), after="testpaths"))


def _requirements_file(path: str, text: str, into: _Gathered) -> None:
    into.add(path, stated_in(path, text, [line for line in _lines(text) if _is_name(line)]))


def _is_name(line: str) -> bool:
    return line[:1].isalnum() and "{" not in line and "--hash" not in line


def _lines(text: str) -> list[str]:
    """Entries of a list that is written one a line, without comments."""
    return [entry for line in text.splitlines() if (entry := line.partition(" #")[0].strip().rstrip("\\").strip())]


def _ini(text: str) -> configparser.RawConfigParser | None:
    parser = configparser.RawConfigParser(strict=False)
    try:
        parser.read_string(text)
    except configparser.Error:
        return None
    return parser


def _table(data: Any, *keys: str) -> dict[str, Any]:
    for key in keys:
        data = data.get(key) if isinstance(data, dict) else None
    return data if isinstance(data, dict) else {}


_READERS: Mapping[str, Callable[[str, str, _Gathered], None]] = {
    "pytest.ini": _pytest_ini,
    ".pytest.ini": _pytest_ini,
    "pyproject.toml": _pyproject,
    "tox.ini": _tox_ini,
    "setup.cfg": _setup_cfg,
    "setup.py": _setup_py,
    "PKG-INFO": _pkg_info,
    "noxfile.py": _noxfile,
}
"""In pytest's own order of configuration files."""
