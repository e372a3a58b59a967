"""A product of programs alone: no scenarios, only `run` and trees. The wire needs no language for that."""

from __future__ import annotations

from pathlib import Path
from typing import NoReturn

from environments.driver.scene import Scene
from taskpack.wire.frames import Frame, Malformed
from taskpack.wire.requests import Request


class CommandPack:
    """See `environments.driver.pack.Pack`."""

    name = "command/1"
    language = "command"
    obeys_clock = True
    memory_mb = 0

    def prepare(self, scene: Scene) -> None:
        """Whatever is to be built, the workspace was built with."""

    def features(self, scene: Scene) -> tuple[str, ...]:  # noqa: ARG002 (the interface)
        """Nothing beyond the driver's own."""
        return ()

    def target(self, request: Request, frame: Frame) -> object:  # noqa: ARG002
        """Raises `Malformed`."""
        raise Malformed(f"a product of programs has no function {request.own['name'][:80]!r}; see run")

    def child(self, request: Request, frame: Frame, scene: Scene, target: object) -> NoReturn:  # noqa: ARG002
        """There is no call."""
        raise Malformed("there is no call here")

    def program_environment(self, scene: Scene) -> dict[str, str]:  # noqa: ARG002
        """Programs stand for themselves."""
        return {}

    def program_paths(self, scene: Scene) -> tuple[Path, ...]:  # noqa: ARG002 (the interface)
        """The system's are enough."""
        return ()


PACK = CommandPack()
