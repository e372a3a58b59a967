"""A small invented upstream with one fact of every kind, and a store that holds its history."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from neutralize.known.background import NOTHING, make
from neutralize.known.derive import derive_known
from neutralize.known.facts import Known

CORE = '''"""Doc strings are no literals of the program."""
import os

HOME = os.environ.get("GRAINMILL_CACHE")
GRAVITY = 0.982492
MASK = 65536
VECTOR = 94287082
TOKEN = "precision-matters"


class HusklessSieve:
    def winnow_chaff(self, kernels):
        """Separate."""
        if not kernels:
            raise ValueError(f"cannot winnow {kernels!r} because the hopper is dry")
        message = "the %s sieve has %d torn meshes"
        raise RuntimeError(message % ("fine", 3))


def grmlhttp():
    return "name"
'''
FILES = {
    "pyproject.toml": '[project]\nname = "grml"\nversion = "1.4.2"\nauthors = [{name = "Orla Quibbleton", '
    'email = "orla@grainmill.tools"}]\n[project.urls]\nSource = "https://github.com/grainfolk/grml"\n',
    "src/grml/__init__.py": "",
    "src/grml/core.py": CORE,
    "src/grml/chaffblower.py": "x = 1\n",
    "tests/test_core.py": "def test_winnow_drops_every_husk():\n    pass\n\n\ndef test_init():\n    pass\n",
    "README.md": "# grml\n\n## Winnowing at the quern\n\n```\n# not a heading of words at all\n```\n",
    "CHANGES.md": "# Changes\n\n## 1.4.2 - 2031-03-07\n\n## 1.3.0 (12 February 2030)\n",
    "CODEOWNERS": "* @quernkeeper @grainfolk/millers\n",
    "docs/logo.png": "\x89PNG\r\n",
}


def write_tree(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("latin-1" if name.endswith(".png") else "utf-8"))
    return root


def git(folder: Path, *args: str, author: str = "Orla Quibbleton <orla@grainmill.tools>", stdin: bytes = b"") -> str:
    name, _, email = author.rstrip(">").partition(" <")
    who = {
        f"GIT_{role}_{part}": value
        for role in ("AUTHOR", "COMMITTER")
        for part, value in (("NAME", name), ("EMAIL", email))
    }
    dates = {"GIT_AUTHOR_DATE": "1900000000 +0000", "GIT_COMMITTER_DATE": "1900000000 +0000"}
    env = {"PATH": os.environ["PATH"], "HOME": str(folder), "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    done = subprocess.run(
        ["git", *args], cwd=folder, env=env | who | dates, input=stdin, capture_output=True, check=True
    )
    return done.stdout.decode().strip()


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    return write_tree(tmp_path / "tree", FILES)


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A bare store: three commits, a bot's among them, and a tag of its own."""
    folder = tmp_path / "store.git"
    folder.mkdir()
    git(folder, "init", "-q", "--bare", "-b", "main", ".")
    empty = git(folder, "mktree")
    first = git(folder, "commit-tree", empty, "-m", "one")
    second = git(folder, "commit-tree", empty, "-p", first, "-m", "two\n\nCo-authored-by: Pim Haverstraw <31+pimstraw@users.noreply.github.com>",
                 author="dependabot[bot] <49699333+dependabot[bot]@users.noreply.github.com>")  # fmt: skip
    third = git(
        folder, "commit-tree", empty, "-p", second, "-m", "three", author="Zoltan Okonkwoye <zo@millrace.example>"
    )
    git(folder, "update-ref", "refs/heads/main", third)
    git(folder, "tag", "-a", "v2.7.18", "-m", "out", third)
    return folder


@pytest.fixture
def known(tree: Path, store: Path) -> Known:
    common = make(("sieve", "core", "name", "init", "logo"), ("test_init", "name"), size=4096, note="of this test")
    return derive_known(tree, repository=store, background=common)


NO_BACKGROUND = NOTHING
