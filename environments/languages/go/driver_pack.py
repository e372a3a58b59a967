"""Go's side of the driver: scenarios and product are one program, and each call is a process of it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NoReturn

from environments.driver.child import give_request, heed_signals
from environments.driver.pack import Unbuilt
from environments.driver.scene import Scene
from environments.languages.go.driver_build import Built, build
from taskpack.wire.frames import Frame, Malformed
from taskpack.wire.requests import Request


class GoPack:
    """See `environments.driver.pack.Pack`."""

    name = "go/1"
    language = "go"
    obeys_clock = False
    memory_mb = 0

    def __init__(self) -> None:
        self._built: Built | None = None

    def prepare(self, scene: Scene) -> None:
        """Build the program. One that does not build is kept as such."""
        self._built = build(scene)

    def features(self, scene: Scene) -> tuple[str, ...]:  # noqa: ARG002 (the interface)
        """Every call is a new process."""
        return ("fresh",)

    def target(self, request: Request, frame: Frame) -> object:  # noqa: ARG002
        """The program. Raises `Malformed` for a function that no scenario file has, `Unbuilt` without a program."""
        assert self._built is not None  # noqa: S101 (prepared)
        name: str = request.own["name"]
        if not any(name in {full, full.partition(".")[2]} for full in self._built.names) and self._built.names:
            raise Malformed(f"no scenario file has a function {name[:80]!r}")
        if self._built.program is None:
            raise Unbuilt(self._built.failure)
        return self._built.program

    def child(self, request: Request, frame: Frame, scene: Scene, target: object) -> NoReturn:  # noqa: ARG002
        """Become the program; it finds the request on descriptor 4."""
        give_request(frame)
        heed_signals()
        os.execve(str(target), ["product"], os.environ)  # noqa: S606 (no shell is wanted)

    def program_environment(self, scene: Scene) -> dict[str, str]:  # noqa: ARG002
        """Programs of a Go product stand for themselves."""
        return {}

    def program_paths(self, scene: Scene) -> tuple[Path, ...]:  # noqa: ARG002 (the interface)
        """The system's are enough."""
        return ()


PACK = GoPack()
