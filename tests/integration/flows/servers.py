"""A Prefect server as a user would have one, and what is on its page, read through its client's API."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

T = TypeVar("T")
START_S = 240.0


@dataclass(frozen=True, kw_only=True)
class Page:
    """The server at `api`."""

    api: str
    home: Path

    @property
    def environment(self) -> dict[str, str]:
        """What a command needs to be shown on it; nothing of the caller's own Prefect."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith("PREFECT_")}
        return {**kept, "PREFECT_API_URL": self.api, "PREFECT_HOME": str(self.home), "DO_NOT_TRACK": "1"}

    def ask(self, path: str, **query: Any) -> Any:
        """POST `query` to an endpoint such as `flow_runs/filter`."""
        request = urllib.request.Request(
            f"{self.api}/{path}",
            data=json.dumps(query).encode(),
            headers={"content-type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)

    def runs(self) -> list[Any]:
        """Flow runs, the newest first."""
        return list(self.ask("flow_runs/filter", sort="EXPECTED_START_TIME_DESC"))

    def tasks(self, run: Any, *, wanted: int) -> dict[str, str]:
        """State names of a run's tasks. They arrive as events, so that they are waited for."""

        def found() -> dict[str, str] | None:
            rows = self.ask("task_runs/filter", flow_runs={"id": {"any_": [run["id"]]}})
            ended = {row["name"]: row["state_name"] for row in rows if row["state_type"] == "COMPLETED"}
            return ended if len(ended) >= wanted else None

        return until(found)

    def artifacts(self, run: Any) -> dict[str, Any]:
        rows = self.ask("artifacts/filter", flow_runs={"id": {"any_": [run["id"]]}})
        return {row["key"]: json.loads(row["data"]) if row["type"] == "table" else row["data"] for row in rows}


def until(found: Callable[[], T | None], seconds: float = 120) -> T:
    """What `found` gives once it gives something."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        value = found()
        if value is not None:
            return value
        time.sleep(0.3)
    raise TimeoutError(f"nothing within {seconds} s")


@contextmanager
def prefect_page(home: Path) -> Iterator[Page]:
    """A server of this test's own."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = listener.getsockname()[1]
    page = Page(api=f"http://127.0.0.1:{port}/api", home=home)
    home.mkdir(parents=True)
    command = [sys.executable, "-m", "prefect", "server", "start", "--host", "127.0.0.1", "--port", str(port)]
    environment = {**page.environment, "PREFECT_SERVER_ANALYTICS_ENABLED": "false"}
    del environment["PREFECT_API_URL"]
    with (home / "server.out").open("wb") as log:
        process = subprocess.Popen(command, env=environment, stdout=log, stderr=log, start_new_session=True)
    try:
        until(lambda: _healthy(page, process), START_S)
        yield page
    finally:
        process.terminate()
        try:
            process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _healthy(page: Page, process: subprocess.Popen[bytes]) -> bool | None:
    assert process.poll() is None, (page.home / "server.out").read_text()[-2000:]
    try:
        with urllib.request.urlopen(f"{page.api}/health", timeout=2) as answer:
            return True if answer.status == 200 else None
    except OSError:
        return None
