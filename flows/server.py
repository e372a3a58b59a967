"""The Prefect server of a run: the configured one, or one of our own that dies with us, also when we are killed."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from taskpack.errors import ServerFailed
from taskpack.files import write_bytes
from taskpack.layout import WorkFolder

START_S = 300.0
"""Ten seconds are usual; on a machine with no core free it has taken minutes."""
ANSWER_S = 10.0
"""How long a configured server may take to answer."""
SPACE = 4 * 1024 * 1024
"""Bytes that the server's database needs at least."""
QUIET_LOGS = Path(__file__).with_name("prefect_logging.yml")


@dataclass(frozen=True, kw_only=True)
class Server:
    """Where a run's flow is shown."""

    api: str
    configured: bool
    """Whether it outlives the run, so that its page can be looked at."""


def quiet_environment(work: WorkFolder) -> dict[str, str]:
    """Settings that must stand before Prefect is first imported: nothing calls home or writes elsewhere."""
    return {
        "DO_NOT_TRACK": "1",
        "PREFECT_HOME": str(work.prefect),
        "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
        "PREFECT_SERVER_ALLOW_EPHEMERAL_MODE": "false",
        "PREFECT_LOGGING_CONFIG_PATH": str(QUIET_LOGS),
        "PREFECT_LOGGING_TO_API_WHEN_MISSING_FLOW": "ignore",
        "PREFECT_CLI_PROMPT": "false",
    }


@contextlib.contextmanager
def prefect_server(work: WorkFolder, *, debug: bool = False) -> Iterator[Callable[[], Server]]:
    """The server of PREFECT_API_URL when it is set, else one that is started here and stopped at the end.

    What it gives waits until the server answers. Raises `ServerFailed` when it does not: the configured one within ten
    seconds, our own within five minutes.
    """
    quiet = quiet_environment(work)
    if debug:
        del quiet["PREFECT_LOGGING_CONFIG_PATH"]
    os.environ.update({name: value for name, value in quiet.items() if name not in os.environ})
    configured = os.environ.get("PREFECT_API_URL")
    if configured:
        ask(configured)
        yield lambda: Server(api=configured, configured=True)
        return
    with _own_server(work) as server:
        yield server


def ask(api: str) -> None:
    """Ask a configured server whether it is there. Any answer will do: what it thinks of us, its client finds out.

    Raises `ServerFailed`.
    """
    try:
        urllib.request.urlopen(f"{api.rstrip('/')}/health", timeout=ANSWER_S).close()  # noqa: S310
    except urllib.error.HTTPError:
        return
    except (OSError, ValueError) as error:
        reason = getattr(error, "reason", error)
        raise ServerFailed(
            "the Prefect server of PREFECT_API_URL does not answer",
            details={"PREFECT_API_URL": api, "fact": str(reason)},
            remedy="start it (prefect server start), correct the variable, or unset it: then a run needs no server",
        ) from error


@contextlib.contextmanager
def _own_server(work: WorkFolder) -> Iterator[Callable[[], Server]]:
    # A server on a full disk dies without a word: a file of its size tells first, in our own.
    probe = work.prefect / "space"
    write_bytes(probe, bytes(SPACE))
    probe.unlink()
    log = work.prefect / "server.log"
    port = _free_port()
    process = _start(port, log)
    api = f"http://127.0.0.1:{port}/api"
    # Prefect reads it when it is imported.
    os.environ["PREFECT_API_URL"] = api

    def answering() -> Server:
        _await(api, process, log)
        return Server(api=api, configured=False)

    try:
        yield answering
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
    command = [
        *(sys.executable, "-m", "flows.serving", str(os.getpid())),
        *("--factory", "prefect.server.api.server:create_app"),
        *("--host", "127.0.0.1", "--port", str(port), "--log-level", "error", "--lifespan", "on"),
    ]
    with log.open("wb") as file:
        return subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=subprocess.STDOUT,
            env={**os.environ, "PREFECT_UI_ENABLED": "0", "PREFECT__SERVER_EPHEMERAL": "1"},
            # Ctrl-C is for the run alone, which then stops the server.
            process_group=0,
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
