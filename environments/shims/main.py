"""Stands before a package manager in a solver's image: refuses what is banned, passes everything else on unchanged.

It knows keyed hashes of names, never the names. A solver that goes around it meets the other layers
(`docs/denylist.md`). Uses the standard library alone.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from environments.shims.commands import tool_of, wishes
from environments.shims.reading import Followed
from taskpack.requested import keyed

REFUSED = 77
"""Exit code of a refusal."""
NOT_FOUND = 127
HASHES = "denied.json"
_RUNNERS = ("-m", "-c")
_VALUED = frozenset({"-W", "-X", "--check-hash-based-pycs"})


@dataclass(frozen=True, kw_only=True)
class Denied:
    """The bans as a solver's image holds them."""

    salt: bytes
    hashes: frozenset[str]

    def bans(self, names: frozenset[str]) -> bool:
        return any(keyed(self.salt, name) in self.hashes for name in names)


def read_denied(path: Path) -> Denied:
    """What `folder.write_shims` wrote."""
    told = json.loads(path.read_bytes())
    return Denied(salt=bytes.fromhex(told["salt"]), hashes=frozenset(told["hashes"]))


def refusals(denied: Denied, program: str, arguments: Sequence[str], *, folder: Path) -> list[str]:
    """What a command line asks for that is banned, as it is written there; patterns, which nobody can hold against a
    hash, are refused as well."""
    followed = Followed(folder=folder)
    found = [one.text for one in followed.all(wishes(program, arguments)) if denied.bans(one.names)]
    return [*found, *(f"{text} (a pattern: name the packages)" for text in followed.patterns)]


def say(program: str, found: Sequence[str]) -> None:
    """The message of a refusal, on standard error."""
    for text in found[:10]:
        shown = "".join(char if char.isprintable() else "?" for char in text[:200])
        print(f"{program}: refused: {shown} may not be installed in this task", file=sys.stderr)  # noqa: T201
    print(f"{program}: nothing was installed; write it yourself instead (exit {REFUSED})", file=sys.stderr)  # noqa: T201
    sys.stderr.flush()


def real_program(name: str, own: Path) -> str:
    """The next program of that name on the search path that is none of ours; empty when there is none."""
    for folder in os.environ.get("PATH", os.defpath).split(os.pathsep):
        place = Path(folder or ".", name)
        if Path(folder or ".").resolve() != own.resolve() and os.access(place, os.X_OK) and place.is_file():
            return str(place)
    return ""


def main(root: Path, argv: Sequence[str]) -> int:
    """Be the program `argv[0]`. Returns only when it did not become the real one."""
    program, arguments = Path(argv[0]).name, list(argv[1:])
    found = refusals(read_denied(root / HASHES), program, arguments, folder=Path.cwd())
    if found:
        say(program, found)
        return REFUSED
    real = real_program(program, root / "bin")
    if not real:
        print(f"{program}: command not found", file=sys.stderr)  # noqa: T201
        return NOT_FOUND
    return os.execv(real, [real, *arguments])  # noqa: S606 (a shell would read the words anew)


def hook(root: Path, argv: Sequence[str]) -> None:
    """For a Python that starts: ends it when it is to be a package manager (`-m pip`, its script) that is refused."""
    program, arguments = behind(argv)
    if program and tool_of(program):
        found = refusals(read_denied(root / HASHES), program, arguments, folder=Path.cwd())
        if found:
            say(program, found)
            os._exit(REFUSED)


def behind(argv: Sequence[str]) -> tuple[str, list[str]]:
    """What an interpreter's command line makes of it: the module or script, and its arguments; `pip` for both
    `-m pip` and `/x/site-packages/pip/__main__.py`."""
    words = list(argv[1:])
    while words:
        word = words.pop(0)
        if word in _VALUED:
            words = words[1:]
        elif word.startswith("-") and not word.startswith("--") and "m" in word[1:] and not set(word[1:]) & set("cWX"):
            # Flags may stand together with it, and its value too: `-Im pip`, `-mpip`.
            glued = word.partition("m")[2]
            module = glued or (words.pop(0) if words else "")
            return module.partition(".")[0], words
        elif word.startswith("-c") or word == "-":
            return "", []
        elif not word.startswith("-"):
            path = Path(word)
            name = path.parent.name if path.name in {"__main__.py", "__pip-runner__.py"} else path.name
            return name, words
    return "", []
