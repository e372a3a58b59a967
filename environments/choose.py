"""Which sandbox is used here: the back end that was asked for, if the self-probe cannot get out of it, or none."""

from __future__ import annotations

import os
import threading
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from environments.local import Local
from environments.selfprobe import probe
from taskpack.errors import BadInput, SandboxFailed, SandboxUnavailable
from taskpack.layout import WorkFolder

if TYPE_CHECKING:
    from environments.docker_sandbox import Docker

VARIABLE = "REPOWRIGHT_BACKEND"


class Backend(StrEnum):
    """What can be asked for."""

    AUTO = "auto"
    """What `REPOWRIGHT_BACKEND` says, else `local`: that an engine is there changes no verdict."""
    LOCAL = "local"
    DOCKER = "docker"


_chosen: dict[tuple[int, Backend, Path], Local | Docker] = {}
_choosing = threading.Lock()


def choose_sandbox(work: WorkFolder, backend: Backend = Backend.AUTO) -> Local | Docker:
    """A sandbox that was probed in this process, with every shape that it offers.

    Raises `SandboxUnavailable` naming what is missing or what got out; nothing untrusted may run then.
    """
    meant = resolve_backend(backend)
    key = (os.getpid(), meant, work.root.resolve())
    with _choosing:
        if key not in _chosen:
            sandbox = open_sandbox(meant, work)
            if not any(known[:2] == key[:2] for known in _chosen):
                prove(sandbox)
            _chosen[key] = sandbox
        return _chosen[key]


def resolve_backend(backend: Backend) -> Backend:
    """`local` or `docker`. Raises `BadInput` when the variable says neither, nor `auto`."""
    if backend is not Backend.AUTO:
        return backend
    named = os.environ.get(VARIABLE) or Backend.AUTO
    try:
        return Backend.LOCAL if Backend(named) is Backend.AUTO else Backend(named)
    except ValueError as error:
        raise BadInput(
            f"{VARIABLE} names no back end",
            details={"value": named, "known": ", ".join(Backend)},
            remedy="unset it, or name one of these",
        ) from error


def open_sandbox(backend: Backend, work: WorkFolder | None = None) -> Local | Docker:
    """A sandbox of `backend` (`auto` is `local`) that nothing is known of yet."""
    if backend is Backend.DOCKER:
        from environments.docker_sandbox import Docker  # noqa: PLC0415 (the SDK takes its time to import)

        return Docker(work=work)
    return Local(work=work)


def prove(sandbox: Local | Docker) -> None:
    """Raise `SandboxUnavailable` unless nothing gets out of `sandbox`."""
    for uids in (False, True) if sandbox.users.dropped else (False,):
        shape = "with uids of its own" if uids else "with one uid"
        outside = None if isinstance(sandbox, Local) else sandbox.outside
        try:
            leaks = probe(sandbox, sandbox.users, uids=uids, outside=outside)
        except SandboxFailed as error:
            raise SandboxUnavailable(
                f"the {sandbox.name} sandbox {shape} does not start here",
                details={"because": error.message, **error.details},
                remedy=error.remedy or "repowright doctor shows what is missing",
            ) from error
        if leaks:
            raise SandboxUnavailable(
                f"the self-probe got out of the {sandbox.name} sandbox {shape}",
                details={str(leak.way): leak.fact for leak in leaks},
                remedy="do not run untrusted code on this system; repowright doctor repeats the probe",
            )
