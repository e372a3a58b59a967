"""One git process in a repository of ours, with an environment built from nothing and an end that is certain."""

from __future__ import annotations

import os
from pathlib import Path
from types import ModuleType
from typing import IO, cast

from environments.runtime import scratch
from environments.tied import tied
from taskpack.errors import BadInput, NoSpace

_PROXIES = ("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY")
_OPTIONS = ("core.hooksPath=/dev/null", "gc.auto=0", "maintenance.auto=false", "protocol.version=2")


class GitSaidNo(Exception):
    """git ended with an error. `late` when it was killed because its time was over."""

    def __init__(self, status: int, stderr: str) -> None:
        super().__init__(stderr)
        self.late = status in {-9, 137}
        self.stderr = stderr.strip()


def run_git(
    store: Path,
    *args: str,
    stdin: IO[bytes] | None = None,
    protocol: str = "none",
    local_source: Path | None = None,
    seconds: int = 120,
) -> bytes:
    """Standard output of `git ARGS` on the bare repository `store`.

    No system, global or user configuration, no templates, hooks, prompts or replaced objects, and no
    transport but `protocol`. `local_source` is a repository that may belong to somebody else. Raises
    `GitSaidNo`, and `NoSpace` for a full disk.
    """
    git = _load_git()
    with scratch() as folder:
        config = folder / "config"
        config.write_bytes(b"" if local_source is None else _trust(local_source))
        # GitPython always hands the caller's environment on; `env -i` takes it away. `timeout` ends the whole
        # group; it is tied to us, and git to it.
        command = [
            "env",
            "-i",
            *_environment(store, str(config), protocol),
            *tied(["timeout", "-s", "KILL", str(seconds)]),
        ]
        command += tied(["git", *(part for option in _OPTIONS for part in ("-c", option)), *args])
        try:
            answer = git.Git(store).execute(
                command,
                istream=stdin,
                stdout_as_string=False,
                strip_newline_in_stdout=False,
                start_new_session=True,
            )
        except git.GitCommandError as error:
            text = str(error.stderr).strip().removeprefix("stderr: '").removesuffix("'")
            if "No space left on device" in text or "Disk quota exceeded" in text:
                raise NoSpace(
                    "no space left while git was writing",
                    details={"store": str(store)},
                    remedy="free some space and run the same command again; finished stages are kept",
                ) from error
            raise GitSaidNo(error.status if isinstance(error.status, int) else 0, text) from error
    return cast("bytes", answer)


def _load_git() -> ModuleType:
    """GitPython. It starts git when it is imported, so that is put off until git is needed."""
    try:
        import git  # noqa: PLC0415
    except ImportError as error:
        raise BadInput(
            "git cannot be started",
            details={"fact": str(error).strip().splitlines()[0]},
            remedy="install git 2.32 or later",
        ) from error
    return git


def _environment(store: Path, config: str, protocol: str) -> list[str]:
    """`NAME=value` for everything that git may know."""
    values = {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": "/nonexistent",
        "LC_ALL": "C",
        "TZ": "UTC",
        "GIT_DIR": str(store),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": config,
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_ALLOW_PROTOCOL": protocol,
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ASKPASS": "false",
        "SSH_ASKPASS": "false",
        "GIT_SSH_COMMAND": "ssh -oBatchMode=yes -oStrictHostKeyChecking=yes",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_NO_LAZY_FETCH": "1",
    }
    if protocol == "https":
        values |= {name: os.environ[name] for name in _PROXIES if name in os.environ}
    return [f"{name}={value}" for name, value in values.items()]


def _trust(source: Path) -> bytes:
    """git reads a repository of another user only when a configuration file, not the environment, names it."""
    lines = [f'\tdirectory = "{_quoted(path)}"\n' for path in (source, source / ".git", source.resolve())]
    return ("[safe]\n" + "".join(lines)).encode()


def _quoted(path: Path) -> str:
    return str(path).replace("\\", "\\\\").replace('"', '\\"')
