"""A Prefect server of our own for one command, where none is configured. It dies with us, also when we are killed."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

from taskpack.errors import ServerFailed
from taskpack.files import write_bytes
from taskpack.layout import WorkFolder

START_S = 120.0
SPACE = 4 * 1024 * 1024
"""Bytes that the server's database needs at least."""
_PR_SET_PDEATHSIG = 1


def quiet_environment(work: WorkFolder) -> dict[str, str]:
    """Settings that must stand before Prefect is first imported: nothing calls home or writes elsewhere."""
    return {
        "DO_NOT_TRACK": "1",
        "PREFECT_HOME": str(work.prefect),
        "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
        "PREFECT_SERVER_ALLOW_EPHEMERAL_MODE": "false",
        "PREFECT_LOGGING_LEVEL": "ERROR",
        "PREFECT_LOGGING_TO_API_WHEN_MISSING_FLOW": "ignore",
        "PREFECT_CLI_PROMPT": "false",
    }


@contextlib.contextmanager
def prefect_server(work: WorkFolder) -> Iterator[str]:
    """The API address: PREFECT_API_URL when it is set, else a server started here and stopped at the end.

    Raises `ServerFailed` with the log when it does not answer within two minutes.
    """
    os.environ.update({name: value for name, value in quiet_environment(work).items() if name not in os.environ})
    configured = os.environ.get("PREFECT_API_URL")
    if configured:
        yield configured
        return
    # A server on a full disk dies without a word: a file of its size tells first, in our own.
    probe = work.prefect / "space"
    write_bytes(probe, bytes(SPACE))
    probe.unlink()
    log = work.prefect / "server.log"
    port = _free_port()
    process = _start(port, log)
    try:
        api = f"http://127.0.0.1:{port}/api"
        _await(api, process, log)
        os.environ["PREFECT_API_URL"] = api
        yield api
    finally:
        os.environ.pop("PREFECT_API_URL", None)
        process.terminate()
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def _start(port: int, log: Path) -> subprocess.Popen[bytes]:
    libc = ctypes.CDLL(None)

    def die_with_parent() -> None:
        libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)

    command = [
        *(sys.executable, "-m", "uvicorn", "--factory", "prefect.server.api.server:create_app"),
        *("--host", "127.0.0.1", "--port", str(port), "--log-level", "error", "--lifespan", "on"),
    ]
    with log.open("wb") as file:
        return subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=subprocess.STDOUT,
            env={**os.environ, "PREFECT_UI_ENABLED": "0", "PREFECT__SERVER_EPHEMERAL": "1"},
            preexec_fn=die_with_parent,  # noqa: PLW1509 (one thread at this point)
        )


def _await(api: str, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + START_S
    while time.monotonic() < deadline and process.poll() is None:
        with contextlib.suppress(OSError), urllib.request.urlopen(f"{api}/health", timeout=2) as answer:  # noqa: S310
            if answer.status == 200:
                return
        time.sleep(0.2)
    tail = log.read_text("utf-8", "replace").strip().splitlines()[-1:]
    raise ServerFailed(
        "the Prefect server for this run did not start",
        details={"log": str(log), "last line": tail[0] if tail else "(empty)"},
        remedy="run the same command again, or set PREFECT_API_URL to a running server",
    )
