"""Runs inside a sandbox and looks for what is banned: names in the tree, in archives, and what Python would import.

Standard library only: the text of this file is the program. What a name means, its reader decides.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import sys
import sysconfig
import zipfile
from collections.abc import Iterator, Sequence

_ARCHIVES = (".whl", ".zip", ".egg", ".jar", ".pyz", ".nupkg")
_MOST = 5000
_SKIPPED = frozenset({"dev", "proc", "sys", "tmp", "run"})


def tree(folders: Sequence[str], pattern: re.Pattern[str]) -> Iterator[list[str]]:
    """`[path, kind, member]` of every entry that may be meant: kind is `folder`, `file`, `link` or `archive`."""
    for top in folders:
        for folder, below, names in os.walk(top):
            if folder == "/":
                below[:] = [name for name in below if name not in _SKIPPED]
            for name in sorted([*below, *names]):
                path = os.path.join(folder, name)  # noqa: PTH118 (bytes of names stay as they are)
                if pattern.search(name.lower()):
                    kind = "link" if os.path.islink(path) else "folder" if name in below else "file"  # noqa: PTH114
                    yield [path, kind, ""]
                if name.lower().endswith(_ARCHIVES) and name in names:
                    yield from archive(path, pattern)


def archive(path: str, pattern: re.Pattern[str]) -> Iterator[list[str]]:
    """The first member of an archive that may be meant, of each of its folders."""
    try:
        with zipfile.ZipFile(path) as opened:
            seen = set()
            for member in opened.namelist():
                parts = member.split("/")
                for number, part in enumerate(parts):
                    place = "/".join(parts[: number + 1])
                    if pattern.search(part.lower()) and place not in seen:
                        seen.add(place)
                        yield [path, "archive", place]
    except (OSError, ValueError, RuntimeError, NotImplementedError, zipfile.BadZipFile):
        return


def importable(roots: Sequence[str]) -> dict[str, str]:
    """Import root -> where Python finds it; `built-in` or `frozen` where it is a part of the interpreter."""
    found = {}
    for root in roots:
        try:
            spec = importlib.util.find_spec(root)
        except (ImportError, ValueError, AttributeError):
            continue
        if spec is not None:
            found[root] = spec.origin or str(next(iter(spec.submodule_search_locations or []), ""))
    return found


def main() -> None:
    """One JSON object from the command line to another on standard output."""
    asked = json.loads(sys.argv[1])
    sys.path[:0] = asked["sites"]
    entries = []
    for entry in tree(asked["folders"], re.compile(asked["pattern"])):
        entries.append(entry)
        if len(entries) > _MOST:
            break
    paths = sysconfig.get_paths()
    told = {
        "entries": entries,
        "importable": importable(asked["roots"]),
        "library": sorted({paths["stdlib"], paths["platstdlib"]}),
        "whole": len(entries) <= _MOST,
    }
    print(json.dumps(told))  # noqa: T201 (the answer)


if __name__ == "__main__":
    main()
