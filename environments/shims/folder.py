"""Writes the shims of one case into a folder: `bin/` goes first on a solver's PATH, `site/` beside its packages."""

from __future__ import annotations

import secrets
from pathlib import Path

from environments.shims.commands import TOOLS
from environments.shims.main import HASHES
from taskpack.denylist import Denylist
from taskpack.files import write_bytes
from taskpack.record import to_json

_CHECKOUT = Path(__file__).parents[2]
_CARRIED = (
    "taskpack/requested.py",
    *(f"environments/shims/{name}.py" for name in ("commands", "main", "manifests", "reading")),
)
_PACKAGES = ("taskpack", "environments", "environments/shims")
PROGRAMS = tuple(sorted(TOOLS))
"""Programs that a shim stands before."""
PTH = "denied.pth"

_SHIM = """\
#!{python} -IS
import os, sys
root = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
sys.path.insert(0, os.path.join(root, "lib"))
from pathlib import Path
from environments.shims.main import main
sys.exit(main(Path(root), sys.argv))
"""
# One line: that is all a .pth file can run. What goes wrong in it must not keep Python from starting.
_HOOK = "import denied_hook\n"
_MODULE = """\
import os, sys
root = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
words = sys.orig_argv
if any("pip" in word or "uv" in word or "poetry" in word or "pdm" in word for word in words[1:]):
    sys.path.insert(0, os.path.join(root, "lib"))
    from pathlib import Path
    from environments.shims.main import hook
    hook(Path(root), words)
    sys.path.pop(0)
"""


def write_shims(dest: Path, listed: Denylist, *, python: str = "/usr/bin/python3", salt: bytes | None = None) -> None:
    """Fill `dest` (made if it is not there) for the bans of a case.

    `bin/` holds a program for each of `PROGRAMS`, `lib/` what they are made of, `denied.json` the salt and the keyed
    hashes; `site/` belongs on the path of a `.pth` file in the image's Python (`PTH` in its site-packages, naming it).
    None of the files holds a name of the denylist. `salt` is drawn anew when it is not given.
    """
    salt = salt if salt is not None else secrets.token_bytes(16)
    for name in _CARRIED:
        write_bytes(dest / "lib" / name, (_CHECKOUT / name).read_bytes())
    for name in _PACKAGES:
        write_bytes(dest / "lib" / name / "__init__.py", b"")
    for program in PROGRAMS:
        write_bytes(dest / "bin" / program, _SHIM.format(python=python).encode(), mode=0o755)
    write_bytes(dest / "site" / "denied_hook.py", _MODULE.encode())
    hashes = {"salt": salt.hex(), "hashes": list(listed.hashes(salt))}
    write_bytes(dest / HASHES, to_json(hashes))


def pth_line(place: str) -> str:
    """The text of the `.pth` file for shims that lie at `place` in the image."""
    return f"{place}/site\n{_HOOK}"
