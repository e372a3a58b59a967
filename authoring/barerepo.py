"""GitPython's `Repo` and `Git`, held to bare repositories of ours: no caller's environment, no configuration of a user.

Importing this starts git once, to ask for its version; `gitprocess` puts that off until git is needed.
"""

from __future__ import annotations

import contextlib
import logging
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import git

# Its loggers repeat what remotes say; a refusal of ours carries that already.
logging.getLogger("git").setLevel(logging.CRITICAL)

_PROXIES = ("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY")
_OPTIONS = (
    "core.hooksPath=/dev/null",
    "gc.auto=0",
    "maintenance.auto=false",
    "protocol.version=2",
    # Larger blobs are streamed while a pack is checked, so that many of them do not fill the memory.
    "core.bigFileThreshold=33554432",
)


_MOST_WORDS = 100


@dataclass(frozen=True, kw_only=True)
class Reach:
    """What one git process may do."""

    config: str = "/dev/null"
    """The one configuration file besides the repository's own."""
    protocol: str = "none"
    """The one transport: `https`, `ssh`, `file` or `none`."""
    seconds: int = 120
    """Then the process and all that it started are killed."""
    file_bytes: int = 1024 * 1024 * 1024
    """The largest file that it may write, such as a pack."""
    memory_bytes: int = 4 * 1024 * 1024 * 1024
    """Address space of each process."""


class CleanGit(git.Git):
    """GitPython's runner. It hands the caller's environment on, and `env -i` takes it away again."""

    reach = Reach()

    def execute(self, command: str | Sequence[Any], *args: Any, **kwargs: Any) -> Any:
        """As GitPython's own, in an environment built from nothing, bounded as `reach` says."""
        program = [str(part) for part in command[1:]]
        options = [part for option in _OPTIONS for part in ("-c", option)]
        kwargs.setdefault("start_new_session", True)
        return super().execute([*self._before(), "git", *options, *program], *args, **kwargs)

    def answer(self, *args: str, istream: IO[bytes] | None, most: int) -> bytes | None:
        """Standard output of one command; None, with git ended, when it has more than `most` bytes."""
        process = self.execute(["git", *args], istream=istream, as_process=True)
        try:
            held = process.stdout.read(most + 1)
            if len(held) > most:
                return None
            process.wait()
            return bytes(held)
        finally:
            process._terminate()  # noqa: SLF001 (its finalizer, called now instead of some time)

    def _before(self) -> list[str]:
        store = str(self.working_dir)
        limits = ["prlimit", f"--fsize={self.reach.file_bytes}", f"--as={self.reach.memory_bytes}", "--core=0"]
        # `timeout` makes a process group and ends the whole of it.
        ending = ["timeout", "-s", "KILL", str(self.reach.seconds)]
        return ["env", "-i", *_environment(store, self.reach), *limits, *ending]


class Words(git.RemoteProgress):
    """Keeps what git and the remote say while fetching, up to a bound; GitPython keeps lines of `fatal:` alone."""

    def new_message_handler(self) -> Callable[[str], None]:
        """Takes a line."""

        def take(line: str | bytes) -> None:
            text = line.decode("utf-8", "replace") if isinstance(line, bytes) else line
            if len(self.error_lines) < _MOST_WORDS and text.strip():
                self.error_lines.append(text.strip()[:300])

        return take


class BareRepo(git.Repo):
    """A bare repository that we made. Of configuration files GitPython itself reads the repository's alone."""

    GitCommandWrapperType = CleanGit
    config_level = ("repository",)  # type: ignore[assignment]
    git: CleanGit

    def __init__(self, path: Path, **options: Any) -> None:
        with _no_git_variables():
            super().__init__(str(path), **{**options, "expand_vars": False})


@contextlib.contextmanager
def _no_git_variables() -> Iterator[None]:
    """GitPython reads GIT_DIR, GIT_COMMON_DIR and the like when a repository is opened, and cannot be told not to."""
    taken = {name: os.environ.pop(name) for name in list(os.environ) if name.startswith("GIT_")}
    try:
        yield
    finally:
        os.environ.update(taken)


def _environment(store: str, reach: Reach) -> list[str]:
    """`NAME=value` for everything that git may know."""
    values = {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": "/nonexistent",
        "LC_ALL": "C",
        "TZ": "UTC",
        "GIT_DIR": store,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": reach.config,
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_TEMPLATE_DIR": "",
        "GIT_ALLOW_PROTOCOL": reach.protocol,
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ASKPASS": "false",
        "SSH_ASKPASS": "false",
        "GIT_SSH_COMMAND": "ssh -oBatchMode=yes -oStrictHostKeyChecking=yes",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_LFS_SKIP_SMUDGE": "1",
    }
    if reach.protocol == "https":
        values |= {name: os.environ[name] for name in _PROXIES if name in os.environ}
    return [f"{name}={value}" for name, value in values.items()]
