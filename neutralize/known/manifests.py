"""What manifests of other languages than Python state about a project: npm, Go, Cargo, CMake, gems, Maven."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from neutralize.addresses import EMAIL, URL
from neutralize.manifests import Statement, line_of

MAX_BYTES = 4 * 1024 * 1024
_MAX_WORKSPACES = 200
Pairs = Iterator[tuple[str, str]]

_GO_MODULE = re.compile(r"(?m)^module[ \t]+(?:\"([^\"\n]+)\"|`([^`\n]+)`|([^\s\"`/][^\s]*))")
_CMAKE_PROJECT = re.compile(r"(?im)^[ \t]*project[ \t]*\([ \t\r\n]*\"?([A-Za-z][\w.+-]*)")
_CMAKE_URL = re.compile(r"(?i)\bHOMEPAGE_URL[ \t\r\n]+\"([^\"\n]+)\"")
_GEM_FIELD = re.compile(r"(?m)^[ \t]*\w+\.(name|summary|authors?|email|homepage|executables)[ \t]*=[ \t]*([^\n]+)$")
_QUOTED = re.compile(r"[\"']([^\"'\n]+)[\"']")
_NESTED = re.compile(r"<(parent|dependencies|dependencyManagement|build|profiles|plugins)\b|<!--")
_POM_FIELD = re.compile(r"<(groupId|artifactId|name|url|email|organization|id)\s*>([^<>{}$]{1,300})</\1\s*>")
_MAJOR = re.compile(r"/v\d+$")


def other_statements(tree: Path) -> Iterator[Statement]:
    """What the root's manifests say, and the names of an npm root's workspaces. Broken ones say nothing."""
    for name, read in _READERS.items():
        yield from _read(tree, tree / name, read)
    for path in sorted(tree.glob("*.gemspec")):
        yield from _read(tree, path, _gemspec)
    for folder in _workspaces(tree):
        yield from _read(tree, folder / "package.json", _workspace)


def _read(tree: Path, path: Path, read: Callable[[str], Pairs]) -> Iterator[Statement]:
    text = _text(path)
    for role, value in read(text) if text else ():
        said = " ".join(value.split())
        if said:
            source = f"{path.relative_to(tree).as_posix()}:{line_of(text, value.strip())}"
            yield Statement(role=role, value=said, source=source)


def _text(path: Path) -> str:
    if path.is_symlink() or not path.is_file() or path.stat().st_size > MAX_BYTES:
        return ""
    return path.read_text("utf-8", "replace")


def _json(text: str) -> dict[str, Any]:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return data if isinstance(data, dict) else {}


def _workspaces(tree: Path) -> list[Path]:
    """Folders of workspaces, one level of `*` resolved; none that leads out of the tree."""
    given = _json(_text(tree / "package.json")).get("workspaces")
    globs = given.get("packages") if isinstance(given, dict) else given
    found: set[Path] = set()
    for pattern in globs if isinstance(globs, list) else []:
        if isinstance(pattern, str) and re.fullmatch(r"[\w@.-]+(?:/(?:[\w@.-]+|\*))*", pattern) and ".." not in pattern:
            found.update(path for path in tree.glob(pattern) if path.is_dir() and not path.is_symlink())
    return sorted(found)[:_MAX_WORKSPACES]


def _npm(text: str) -> Pairs:
    data = _json(text)
    yield from _workspace(text)
    if isinstance(data.get("description"), str):
        yield "summary", data["description"]
    repository = data.get("repository")
    bugs = data.get("bugs")
    urls = [data.get("homepage"), repository, bugs]
    urls += [place.get("url") for place in (repository, bugs) if isinstance(place, dict)]
    yield from (("url", _web(url)) for url in urls if isinstance(url, str))
    people = [data.get("author")]
    for field in ("contributors", "maintainers"):
        people += data[field] if isinstance(data.get(field), list) else []
    for person in people:
        yield from _npm_person(person)


def _workspace(text: str) -> Pairs:
    """Name and programs of one package."""
    data = _json(text)
    name, programs = data.get("name"), data.get("bin")
    if isinstance(name, str):
        scope, slash, rest = name.rpartition("/")
        yield "dist", name
        if slash:
            yield "org", scope.lstrip("@")
            yield "dist", rest
    if isinstance(programs, dict):
        yield from (("cli", program) for program in programs)


def _npm_person(person: Any) -> Pairs:
    """An object, or `Name <address> (page)`."""
    if isinstance(person, dict):
        yield from (("party", person[key]) for key in ("name",) if isinstance(person.get(key), str))
        yield from (("email", person[key]) for key in ("email",) if isinstance(person.get(key), str))
        yield from (("url", person[key]) for key in ("url",) if isinstance(person.get(key), str))
    elif isinstance(person, str):
        yield from (("email", address) for address in EMAIL.findall(person))
        yield "party", re.split(r"[<(]", person)[0]


def _web(url: str) -> str:
    """`github:a/b`, `a/b`, `git+ssh://git@host/a/b.git` and their like as an address of the web."""
    if re.fullmatch(r"[\w.-]+/[\w.-]+", url):
        return f"https://github.com/{url}"
    short = re.fullmatch(r"(github|gitlab|bitbucket):([\w.-]+/[\w.-]+)", url)
    if short:
        return f"https://{short[1]}.{'org' if short[1] == 'bitbucket' else 'com'}/{short[2]}"
    remote = re.fullmatch(r"(?:git\+)?(?:(?:ssh|git|https?)://)?(?:git@)?([\w.-]+\.\w+)[:/](.+)", url)
    return f"https://{remote[1]}/{remote[2]}" if remote else url


def _go(text: str) -> Pairs:
    """The module line, from its own beginning, so that a comment that speaks of modules names none."""
    found = _GO_MODULE.search(text)
    if found:
        path = _MAJOR.sub("", found[1] or found[2] or found[3])
        yield "module", path.rpartition("/")[2]
        yield "dist", path
        if "/" in path:
            yield "url", f"https://{path}"


def _cargo(text: str) -> Pairs:
    try:
        data = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return
    workspace = data.get("workspace")
    shared = workspace.get("package") if isinstance(workspace, dict) else None
    for package in (data.get("package"), shared):
        if isinstance(package, dict):
            yield from (("dist", package[key]) for key in ("name",) if isinstance(package.get(key), str))
            yield from (("summary", package[key]) for key in ("description",) if isinstance(package.get(key), str))
            for key in ("homepage", "repository", "documentation"):
                yield from (("url", url) for url in [package.get(key)] if isinstance(url, str))
            for person in package["authors"] if isinstance(package.get("authors"), list) else []:
                yield from _npm_person(person)
    programs = data.get("bin")
    for program in programs if isinstance(programs, list) else []:
        if isinstance(program, dict) and isinstance(program.get("name"), str):
            yield "cli", program["name"]
    library = data.get("lib")
    if isinstance(library, dict) and isinstance(library.get("name"), str):
        yield "module", library["name"]


def _cmake(text: str) -> Pairs:
    text = re.sub(r"(?m)#.*$", "", text)
    yield from (("project", name) for name in _CMAKE_PROJECT.findall(text))
    yield from (("url", url) for url in _CMAKE_URL.findall(text))


def _gemspec(text: str) -> Pairs:
    roles = {"name": "dist", "summary": "summary", "author": "party", "authors": "party", "email": "email",
             "homepage": "url", "executables": "cli"}  # fmt: skip
    for key, value in _GEM_FIELD.findall(text):
        yield from ((roles[key], quoted) for quoted in _QUOTED.findall(value[:2000]))


def _pom(text: str) -> Pairs:
    """The project's own coordinates: nothing of parents, dependencies and the build."""
    roles = {"artifactId": "dist", "groupId": "dist", "name": "party", "email": "email", "url": "url", "id": "login"}
    own = _without_nested(text)
    people = re.search(r"(?s)<(?:developers|contributors|organization)\b.*", own)
    head = own[: people.start()] if people else own
    for key, value in _POM_FIELD.findall(head):
        if key in {"artifactId", "groupId"}:
            yield "dist", value
        elif key == "url" and URL.fullmatch(value.strip()):
            yield "url", value
    for key, value in _POM_FIELD.findall(people[0] if people else ""):
        if key in {"name", "email", "id"}:
            yield roles[key], value


def _without_nested(text: str) -> str:
    """Without comments and what is not the project's own; one without an end takes the rest along."""
    kept: list[str] = []
    place = 0
    for opened in _NESTED.finditer(text):
        if opened.start() >= place:
            kept.append(text[place : opened.start()])
            end = f"</{opened[1]}" if opened[1] else "-->"
            closed = text.find(end, opened.end())
            if closed < 0:
                return "".join(kept)
            place = closed + len(end)
    return "".join([*kept, text[place:]])


_READERS: dict[str, Callable[[str], Pairs]] = {
    "package.json": _npm,
    "go.mod": _go,
    "Cargo.toml": _cargo,
    "CMakeLists.txt": _cmake,
    "pom.xml": _pom,
}
