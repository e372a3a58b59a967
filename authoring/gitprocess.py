"""Starting git in a repository of ours: one command, one fetch, one listing of names. GitPython runs them all."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import IO, TYPE_CHECKING, cast

from environments.runtime import scratch
from taskpack.errors import BadInput, NoSpace

if TYPE_CHECKING:
    from authoring.barerepo import BareRepo, Reach

_TOO_LARGE = ("died of signal 25", "File too large", "file size limit exceeded")
_NO_MEMORY = ("out of memory", "Out of memory", "Cannot allocate memory")
_LONGEST_ANSWER = 512 * 1024 * 1024
_LARGEST_FILE = 1024 * 1024 * 1024


class GitSaidNo(Exception):
    """git ended with an error."""

    def __init__(self, status: int, stderr: str) -> None:
        super().__init__(stderr)
        self.late = status in {-9, 137}
        """Killed because its time was over."""
        self.stderr = stderr.strip()
        self.too_large = any(words in stderr for words in (*_TOO_LARGE, *_NO_MEMORY))
        """A file or the memory grew past the bound."""
        self.broke = status in {-11, 139, -6, 134}
        """git itself crashed on what it read."""


class TooMuch(Exception):
    """git's answer is longer than was allowed; the rest was not read."""


def run_git(
    store: Path,
    *args: str,
    stdin: IO[bytes] | None = None,
    protocol: str = "none",
    local_source: Path | None = None,
    seconds: int = 120,
    most: int = _LONGEST_ANSWER,
) -> bytes:
    """Standard output of `git ARGS` on the bare repository `store`.

    No system, global or user configuration, no templates, hooks, prompts or replaced objects, and no transport but
    `protocol`. `local_source` is a repository that may belong to somebody else. Raises `GitSaidNo`, `NoSpace` for a
    full disk, and `TooMuch` when the answer has more than `most` bytes.
    """
    kit = _kit()
    with _reached(kit, protocol, local_source, seconds) as reach, _said(store):
        runner = kit.CleanGit(str(store))
        runner.reach = reach
        answer = runner.answer(*args, istream=stdin, most=most)
    if answer is None:
        raise TooMuch(f"more than {most:,} bytes")
    return cast("bytes", answer)


def init_store(store: Path, *, sha256: bool = False) -> BareRepo:
    """A new bare repository in the empty folder `store`."""
    kit = _kit()
    with _said(store):
        kind = "sha256" if sha256 else "sha1"
        made = kit.BareRepo.init(str(store), expand_vars=False, bare=True, quiet=True, object_format=kind)
    return cast("BareRepo", made)


def fetch_one(repo: BareRepo, url: str, commit: str, *, protocol: str, local_source: Path | None, seconds: int) -> None:
    """Fetch `commit` from `url` without history, tags or submodules. Raises as `run_git` does."""
    kit = _kit()
    with _reached(kit, protocol, local_source, seconds) as reach, _said(Path(repo.git_dir)):
        repo.git.reach = reach
        # A second look at scheme and options comes with GitPython; it is never told to allow unsafe ones.
        remote = kit.git.Remote(repo, url)
        options = {"depth": 1, "no_tags": True, "recurse_submodules": "no", "no_auto_maintenance": True}
        remote.fetch(commit, progress=kit.Words(), **options)


@contextlib.contextmanager
def _reached(kit: ModuleType, protocol: str, local_source: Path | None, seconds: int) -> Iterator[Reach]:
    with scratch() as folder:
        config = folder / "config"
        config.write_bytes(b"" if local_source is None else _trust(local_source))
        yield kit.Reach(config=str(config), protocol=protocol, seconds=seconds, file_bytes=_LARGEST_FILE)


@contextlib.contextmanager
def _said(store: Path) -> Iterator[None]:
    """GitPython's errors as ours."""
    from git.exc import GitCommandError, UnsafeOptionError, UnsafeProtocolError  # noqa: PLC0415 (started by `_kit`)

    try:
        yield
    except GitCommandError as error:
        text = str(error.stderr).strip().removeprefix("stderr: '").removesuffix("'")
        if "No space left on device" in text or "Disk quota exceeded" in text:
            raise NoSpace(
                "no space left while git was writing",
                details={"store": str(store)},
                remedy="free some space and run the same command again; finished stages are kept",
            ) from error
        raise GitSaidNo(error.status if isinstance(error.status, int) else 0, text) from error
    except (UnsafeProtocolError, UnsafeOptionError) as error:
        raise GitSaidNo(0, str(error)) from error


def _kit() -> ModuleType:
    """`barerepo`. GitPython starts git when it is imported, so that is put off until git is needed."""
    try:
        from authoring import barerepo  # noqa: PLC0415
    except ImportError as error:
        raise BadInput(
            "git cannot be started",
            details={"fact": str(error).strip().splitlines()[0]},
            remedy="install git 2.32 or later",
        ) from error
    return barerepo


def _trust(source: Path) -> bytes:
    """git reads a repository of another user only when a configuration file, not the environment, names it."""
    lines = [f'\tdirectory = "{_quoted(path)}"\n' for path in (source, source / ".git", source.resolve())]
    return ("[safe]\n" + "".join(lines)).encode()


def _quoted(path: Path) -> str:
    return str(path).replace("\\", "\\\\").replace('"', '\\"')
