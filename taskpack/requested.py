"""What is asked for when something is installed: the names behind every form that package managers understand.

Uses the standard library alone: a solver's image carries it beside the shims (`environments/shims/`).
"""

from __future__ import annotations

import hashlib
import hmac
import re
import unicodedata
from collections.abc import Iterable
from urllib.parse import unquote

VENDORED = frozenset(
    {
        *(
            "_vendor",
            "_vendored",
            "_vendored_packages",
            "vendor",
            "vendored",
            "third_party",
            "third-party",
            "thirdparty",
        ),
        *("3rdparty", "extern", "external", "externals", "_internal_deps", "bundled", "_bundled", "node_modules"),
        *(
            "bower_components",
            "godeps",
            "subprojects",
            "site-packages",
            "dist-packages",
            "deps",
            "wheels",
            "wheelhouse",
        ),
        *("__pypackages__", "jspm_packages", "web_modules"),
    }
)
"""Folders, in lower case, where copies of others' code lie."""
_ARCHIVE = re.compile(
    r"\.(?:whl|zip|egg|conda|deb|rpm|crate|gem|tgz|tbz2?|txz|tar(?:\.(?:gz|bz2|xz|zst|lzma))?)$", re.IGNORECASE
)
_VERSION = re.compile(r"[-_]v?\d")
_REQUIREMENT = re.compile(r"\s*([\w][\w.\-]*)\s*(?:\[[^\]]*\])?\s*(?:@\s*(?P<direct>\S+)|(?P<rest>.*))", re.DOTALL)
_SCHEME = re.compile(r"^(?:[a-z][a-z0-9+.\-]*:)?//", re.IGNORECASE)
_HOSTED = re.compile(r"^(?:github|gitlab|bitbucket|gist|git|gh|gl|bb):(?!//)", re.IGNORECASE)
_SCP = re.compile(r"^[\w.\-]+@(?!npm:|file:|link:|workspace:)([\w.\-]+):(?!\d+/)(.+)$")
_VCS = ("git+", "hg+", "svn+", "bzr+")
_LONGEST = 4096
"""Characters of one request that are read; nobody writes a longer one."""
_RUN = 3
_SEGMENTS = 24


def folded(name: str) -> str:
    """A name in the form that bans are compared in.

    Lower case; an extra's bracket and a version's `@` are cut off; every run of other characters is one `-`. So
    `Name_odd.case`, `name-odd-case[extra]` and `name_odd_case@1.0` are one, and `host/org/name` is `host-org-name`.
    """
    text = unicodedata.normalize("NFKC", name[:_LONGEST]).strip().lower()
    text = text.partition("[")[0]
    head, text = text[:1], text[1:].partition("@")[0]  # `@scope/name` begins with one that cuts nothing
    return re.sub(r"[^a-z0-9]+", "-", head + text).strip("-")


def keyed(salt: bytes, name: str) -> str:
    """The keyed hash of a folded name, hexadecimal: what a solver's image holds in the place of the name."""
    return hmac.new(salt, name.encode(), hashlib.sha256).hexdigest()


def of_requirement(text: str) -> frozenset[str]:
    """Names behind a Python requirement: `name[extra]==1; marker`, `name @ URL`, a URL, or a path to a file."""
    text = re.split(r"(?:^|\s)#", text[:_LONGEST], maxsplit=1)[0].strip()
    if is_address(text):
        return of_address(text)
    found = _REQUIREMENT.match(text)
    plain = re.split(r"[@;\[]", text, maxsplit=1)[0].strip()
    if found is None or "/" in plain or _ARCHIVE.search(plain):
        return of_path(re.split(r"[;\[]", text, maxsplit=1)[0])
    names = {folded(found[1])}
    if found["direct"]:
        names |= of_address(found["direct"]) if is_address(found["direct"]) else of_path(found["direct"])
    return _real(names)


def of_npm(spec: str) -> frozenset[str]:
    """Names behind what npm and its kin are given: `name@1`, `@scope/name`, `alias@npm:name@1`, `org/name`, a URL."""
    spec = spec[:_LONGEST].strip()
    if is_address(spec):
        return of_address(spec)
    if spec.startswith("npm:"):
        return of_npm(spec.removeprefix("npm:"))
    name, _, wanted = spec[1:].partition("@") if spec.startswith("@") else spec.partition("@")
    name = f"@{name}" if spec.startswith("@") else name
    if spec.startswith((".", "/", "~", "file:", "link:")) or (_ARCHIVE.search(spec) and not wanted):
        return of_path(spec)
    names = {folded(name), *(of_address(name) if "/" in name and not name.startswith("@") else ())}
    if wanted.startswith("npm:") or is_address(wanted) or "/" in wanted:
        names |= of_npm(wanted)
    return _real(names)


def of_module(path: str) -> frozenset[str]:
    """Names behind a Go module or package with its version: `host/org/name/v2@latest`."""
    return of_address(path[:_LONGEST].partition("@")[0].removesuffix("/..."))


def of_crate(spec: str) -> frozenset[str]:
    """Names behind what `cargo add` is given: `name`, `name@1`."""
    return of_address(spec) if is_address(spec) else _real({folded(spec)})


def of_debian(spec: str) -> frozenset[str]:
    """Names behind what `apt-get install` is given: `name`, `name=1.0`, `name:arch`, `name/suite`, `name+`, a file."""
    if spec.startswith((".", "/")) or spec.endswith(".deb"):
        return of_path(spec)
    return _real({folded(re.split(r"[=:/]", spec, maxsplit=1)[0].rstrip("+"))})


def is_address(text: str) -> bool:
    """Whether it is a URL, with or without a version control system before it, or a short form of one."""
    text = text.strip().lower()
    return bool(text.startswith(_VCS) or _SCHEME.match(text) or _HOSTED.match(text) or _SCP.match(text))


def of_address(text: str) -> frozenset[str]:
    """Names behind a URL or a path at a host: every one to three neighbours of its parts, its file, its `#egg=`."""
    text, _, fragment = text[:_LONGEST].strip().partition("#")
    names: set[str] = set()
    for part in re.split(r"[&;]", fragment):
        key, _, value = part.partition("=")
        names |= {folded(unquote(value))} if key in {"egg", "name", "subdirectory"} else set()
    # An address is often escaped twice, and a proxy takes the escapes away.
    text = unquote(unquote(text.partition("?")[0])).removeprefix("npm:")
    for system in _VCS:
        text = text.removeprefix(system)
    scp = _SCP.match(text)
    text = f"{scp[1]}/{scp[2]}" if scp and "://" not in text else _SCHEME.sub("", text)
    hosted = bool(_HOSTED.match(text))
    text = _HOSTED.sub("", text)
    parts = [_bare(part) for part in text.split("/") if part not in {"", ".", ".."}]
    named = parts[1:] if len(parts) > 1 and "." in parts[0] and not hosted else parts
    parts = parts[:_SEGMENTS]
    for size in range(2, _RUN + 1):
        names |= {folded("/".join(parts[start : start + size])) for start in range(len(parts) - size + 1)}
    names |= {folded(part) for part in named}
    return _real(names | (of_path(parts[-1]) if parts else set()))


def of_path(path: str) -> frozenset[str]:
    """Names behind a file's or folder's name: all of it, and what stands before a version."""
    name = unquote(path[:_LONGEST].strip().rstrip("/").rpartition("/")[2])
    stem = _ARCHIVE.sub("", name)
    names = {folded(stem), folded(_VERSION.split(stem, maxsplit=1)[0])}
    if name.lower().endswith((".whl", ".egg")):
        names.add(folded(stem.partition("-")[0]))
    if name.lower().endswith(".deb"):
        names.add(folded(stem.partition("_")[0]))
    return _real(names)


def _bare(part: str) -> str:
    """A part of an address without a user before it, a port, a version after it, or `.git`."""
    if "@" in part[1:]:
        before, _, after = part.rpartition("@")
        part = after if ":" in before else before
    return re.sub(r":\d+$", "", part).removesuffix(".git")


def _real(names: Iterable[str]) -> frozenset[str]:
    return frozenset(name for name in names if name)
