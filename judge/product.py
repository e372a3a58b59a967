"""The candidate's side: product sandboxes to be asked, and answers that were checked against the page."""

from __future__ import annotations

import contextlib
import dataclasses
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from environments.clock import CLOCK_ENV, clock_mount
from environments.interface import Launch, Limits, Mount, Sandbox
from judge.connection import Answer, Connection, DriverSilent, fault
from taskpack.wire.frames import Json
from taskpack.wire.messages import FRAMES_A_VERDICT, Reply
from taskpack.wire.requests import LIMIT_S, Clock, Request

__all__ = ["Answer", "DriverSilent", "Product"]

LIBRARY = "/opt/lib"
_WORKSPACE = "/app"
_SCENARIOS = "/scenarios"
_SITE = "/env/site"
_BOOT = "import sys; sys.path.append(sys.argv.pop(1)); from environments.driver.main import main; sys.exit(main())"
_TREES_CAP = 64
"""Named trees at one time; where a tree is a sandbox, each of them is a process tree of its own."""
_SLOW_CALLS = 3
_SLOW_SHARE = 0.1


class Product:
    """A candidate to be called.

    Whatever goes wrong in the sandbox once it has been given a request is an outcome of that request; a sandbox that
    cannot be started raises `SandboxFailed`; one whose driver does not greet, before any candidate code ran,
    `DriverSilent`. Where the sandbox has no uids of its own, each tree has a sandbox: same results, slower.
    """

    def __init__(
        self,
        *,
        sandbox: Sandbox,
        workspace: Path,
        lib: Path,
        scenarios: Path,
        product_paths: Sequence[str],
        language: str = "python",
        site: Path | None = None,
        clock: Path | None = None,
        resources: Mount | None = None,
        wall_s: float = 600.0,
        always_fresh: bool = False,
        masked: Sequence[str] = (),
    ) -> None:
        """`clock` is the folder of `environments.clock`, where the suite needs one; `resources` are the case's, where
        it has any. `always_fresh` gives every call a new interpreter, whatever its request says. `masked` are paths
        inside that are covered, see `Launch.masked`."""
        self._sandbox = sandbox
        self._language = language
        self._always_fresh = always_fresh
        mounts = [
            Mount(source=workspace, dest=_WORKSPACE),
            Mount(source=lib, dest=LIBRARY),
            *([Mount(source=scenarios, dest=_SCENARIOS)] if scenarios.is_dir() else []),
            *([Mount(source=site, dest=_SITE)] if site else []),
            *([clock_mount(clock)] if clock else []),
            *([resources] if resources else []),
        ]
        command = _driver_command(sandbox.python, language, product_paths)
        self._launch = Launch(
            argv=[*command, *(["--site", _SITE] if site else [])],
            env={"LANG": "C.UTF-8", "TZ": "UTC", **(CLOCK_ENV if clock else {})},
            mounts=mounts,
            masked=tuple(masked),
            uids=True,
            limits=Limits(wall_s=wall_s),
        )
        self._shared: Connection | None = None
        """The sandbox of all trees, or the one that waits for the next tree."""
        self._own: dict[str, Connection] = {}
        """Sandboxes of named trees, where each has its own."""
        self._trees: set[str] = set()
        self._frames = 0
        self._slow = 0
        self.seconds = 0.0
        """Time spent in requests, and in new sandboxes for those that they have broken."""

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    @property
    def features(self) -> tuple[str, ...]:
        """What the driver offers."""
        return self._connect().greet().features

    def start(self) -> None:
        """Start the sandbox; the greeting is exchanged with the first request."""
        self._connect()

    def stop(self) -> None:
        """End every sandbox with everything in it."""
        connections, self._own, self._shared = [*self._own.values(), self._shared], {}, None
        self._trees.clear()
        with contextlib.ExitStack() as every:  # one that does not end well keeps no other from its end
            for connection in connections:
                if connection is not None:
                    every.callback(connection.close)

    def call(
        self,
        name: str,
        args: Mapping[str, Json],
        *,
        body: bytes = b"",
        limit_s: float = LIMIT_S,
        fresh: bool = False,
        seed: int | None = None,
        tree: str | None = None,
        now: Clock | None = None,
    ) -> Answer:
        """Call a scenario function with wire values whose ranges lie in `body`."""
        own: dict[str, Json] = {"name": name, "args": dict(args), **({"fresh": True} if fresh else {})}
        return self.relay(Request(id=1, op="call", limit_s=limit_s, seed=seed, tree=tree, now=now, own=own), body)

    def relay(self, request: Request, body: bytes) -> Answer:
        """Send a request to the sandbox of its tree and give its checked reply."""
        self._frames += 2
        if self._frames > FRAMES_A_VERDICT:
            return fault("malformed", "wire.Frames", f"more than {FRAMES_A_VERDICT} frames in one verdict")
        name = request.tree
        if name is not None and name not in self._trees and len(self._trees) >= _TREES_CAP:
            return fault("malformed", "wire.Refused", f"more than {_TREES_CAP} named trees at one time")
        if request.op == "drop" and name not in self._trees:
            return Answer(reply=Reply(id=0, outcome="returned"))
        if self._slow >= _SLOW_CALLS:
            # Such a candidate has lost; its verdict should still come to an end.
            request = dataclasses.replace(request, limit_s=request.limit_s * _SLOW_SHARE)
        if self._always_fresh and request.op == "call":
            request = dataclasses.replace(request, own={**request.own, "fresh": True})
        connection = self._own.get(name) if name is not None else None
        connection = connection if connection is not None and not connection.closed else self._connect()
        greeting = connection.greet()
        started = time.monotonic()
        answer = connection.exchange(request, body)
        self.seconds += time.monotonic() - started
        self._slow += answer.reply.outcome == "timeout"
        self._note_tree(request, connection, one_tree=greeting.limits.get("trees") == 1)
        return answer

    def _connect(self) -> Connection:
        if self._shared is not None and not self._shared.closed:
            return self._shared
        started, broken = time.monotonic(), self._shared is not None
        self._shared = Connection(self._sandbox, self._launch, language=self._language)
        if broken:
            # What a candidate has broken is made ready again in its own time.
            self._shared.greet()
            self.seconds += time.monotonic() - started
        return self._shared

    def _note_tree(self, request: Request, connection: Connection, *, one_tree: bool) -> None:
        """Keep the books after a request: which trees live, and in which sandbox.

        Uids are never used twice: a verdict has fewer requests than a range has ids.
        """
        name = request.tree
        if name is not None:
            (self._trees.discard if request.op == "drop" else self._trees.add)(name)
        if one_tree:
            if connection is self._shared:
                self._shared = None
            if name is None or request.op == "drop":
                connection.close()
                self._own.pop(name or "", None)
            else:
                self._own[name] = connection


def _driver_command(python: str, language: str, product_paths: Sequence[str]) -> list[str]:
    command = [python, "-I", "-S", "-B", "-X", "utf8", "-c", _BOOT, LIBRARY]
    command += ["--language", language, "--workspace", _WORKSPACE, "--scenarios", _SCENARIOS]
    for path in product_paths:
        command += ["--product", _WORKSPACE if path in {"", "."} else f"{_WORKSPACE}/{path}"]
    return command
