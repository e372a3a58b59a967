"""What every back end must hold of masked paths."""

from __future__ import annotations

from pathlib import Path

import pytest

from environments.interface import Launch, Mount, Sandbox
from taskpack.errors import SandboxFailed

from .test_contract import said

pytestmark = pytest.mark.sandbox

REACH = """
import importlib, subprocess, sys
name = "tom" + "llib"
try:
    print(hasattr(importlib.import_module(name), "loads"))
except (ImportError, OSError):
    print(False)
for part in ("colour".replace("ur", "r") + "sys", name + "._par" + "ser"):
    try:
        print(importlib.import_module(part).__name__)
    except (ImportError, OSError):
        print(False)
try:
    print(subprocess.run(["/usr/bin/" + "en" + "v", "true"]).returncode)
except OSError as error:
    print(error.errno)
"""


def places(sandbox: Sandbox) -> list[str]:
    """Where the base has a package, a module and a program."""
    seen = said(sandbox, "import colorsys, tomllib; print(tomllib.__path__[0], colorsys.__file__, colorsys.__cached__)")
    return [*seen.split(), "/usr/bin/env"]


def test_what_is_masked_cannot_be_imported_or_started_however_it_is_spelled(sandbox: Sandbox) -> None:
    assert said(sandbox, REACH).split() == ["True", "colorsys", "tomllib._parser", "0"]
    assert said(sandbox, REACH, masked=places(sandbox)).split() == ["False", "False", "False", "13"]


READ = """
import os, sys
for path in sys.argv[1:]:
    if os.path.isdir(path):
        print(os.listdir(path))
    else:
        try:
            print(open(path, "rb").read())
        except OSError as error:
            print(b"")
"""


@pytest.mark.parametrize("uids", [False, True])
def test_what_is_masked_has_no_content_for_anyone(sandbox: Sandbox, uids: bool) -> None:
    paths = places(sandbox)
    said_of = said(sandbox, READ, *paths, masked=paths, uids=uids).splitlines()
    assert said_of == ["[]" if "lib/python3" in path and "." not in Path(path).name else "b''" for path in paths]


def test_a_mask_covers_what_lies_in_a_mount_and_what_a_link_leads_to(sandbox: Sandbox, tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    (tmp_path / "part").mkdir()
    (tmp_path / "part" / "kept.py").write_text("KEPT = 1\n")
    (tmp_path / "part" / "gone.py").write_text("GONE = 1\n")
    (tmp_path / "link").symlink_to("part/gone.py")
    program = "import sys; sys.path.insert(0, '/given/part'); import kept\ntry: import gone; print(1)\nexcept ImportError: print(0)"
    mounts = [Mount(source=tmp_path, dest="/given")]
    assert said(sandbox, program, mounts=mounts) == "1"
    assert said(sandbox, program, mounts=mounts, masked=["/given/link", "/given/nowhere/x"]) == "0"
    assert (tmp_path / "part" / "gone.py").read_text() == "GONE = 1\n"


@pytest.mark.parametrize(
    "path", ["usr/bin/env", "/usr", "/", "/usr/../etc/passwd", "/tmp/x", "/proc/self", "/app/x", "/dev/null"]
)
def test_what_no_mask_can_cover_is_refused(sandbox: Sandbox, path: str) -> None:
    with pytest.raises(SandboxFailed, match="cannot be masked"):
        sandbox.run(Launch(argv=["/bin/true"], masked=[path]))
