"""Which sandbox is used here: the first back end that the self-probe cannot get out of, or none."""

from __future__ import annotations

import os
import threading
from pathlib import Path

from environments.local import Local
from environments.selfprobe import probe
from taskpack.errors import SandboxFailed, SandboxUnavailable
from taskpack.layout import WorkFolder

_chosen: dict[tuple[int, Path], Local] = {}
_choosing = threading.Lock()


def choose_sandbox(work: WorkFolder) -> Local:
    """A sandbox that was probed in this process, with every shape that it offers.

    Raises `SandboxUnavailable` naming what is missing or what got out; nothing untrusted may run then.
    """
    key = (os.getpid(), work.root.resolve())
    with _choosing:
        if key not in _chosen:
            sandbox = Local(work=work)
            if not any(pid == key[0] for pid, _ in _chosen):
                prove(sandbox)
            _chosen[key] = sandbox
        return _chosen[key]


def prove(sandbox: Local) -> None:
    """Raise `SandboxUnavailable` unless nothing gets out of `sandbox`."""
    for uids in (False, True) if sandbox.users.dropped else (False,):
        shape = "with uids of its own" if uids else "with one uid"
        try:
            leaks = probe(sandbox, sandbox.users, uids=uids)
        except SandboxFailed as error:
            raise SandboxUnavailable(
                f"the local sandbox {shape} does not start here",
                details={"because": error.message, **error.details},
                remedy=error.remedy or "repowright doctor shows what is missing",
            ) from error
        if leaks:
            raise SandboxUnavailable(
                f"the self-probe got out of the local sandbox {shape}",
                details={str(leak.way): leak.fact for leak in leaks},
                remedy="do not run untrusted code on this system; repowright doctor repeats the probe",
            )
