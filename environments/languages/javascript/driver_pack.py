"""JavaScript's side of the driver: scenarios are TypeScript or JavaScript, each call is a new process of Node."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NoReturn

from environments.driver.child import give_request, heed_signals, programs
from environments.driver.scene import Scene
from environments.languages.javascript.driver_build import MAIN, PROCESS_MB, Staged, find_node, stage
from environments.languages.javascript.driver_strip import Stripped, strip_product
from taskpack.wire.frames import Frame, Malformed
from taskpack.wire.requests import Request

_HEAP_MB = 1024
_WASM_PAGES = 8192
_CPUS = 16
"""What `os.availableParallelism()` says at most. A worker for each takes a task and 600 MiB of address space: without a
bound, a product that starts one for each would run where it was written and fail on a large machine."""
_FLAGS = (
    f"--max-old-space-size={_HEAP_MB}",
    # Else each memory of WebAssembly reserves 8 GiB, or what is left.
    f"--wasm-max-mem-pages={_WASM_PAGES}",
    "--disable-wasm-trap-handler",
    "--disable-warning=ExperimentalWarning",
)


class JavaScriptPack:
    """See `environments.driver.pack.Pack`."""

    name = "javascript/1"
    language = "javascript"
    obeys_clock = True
    memory_mb = PROCESS_MB

    def __init__(self) -> None:
        self._staged: Staged | None = None
        self._stripped: Stripped | None = None

    def prepare(self, scene: Scene) -> None:
        """Write the scenarios as plain JavaScript, beside links to the product, and take the types from the product."""
        bound_cpus()
        self._staged = stage(scene)
        if scene.uids:
            self._stripped = strip_product(
                scene.place / "stripped", self._staged.node, flags=_FLAGS, product=scene.product, memory_mb=PROCESS_MB
            )

    def features(self, scene: Scene) -> tuple[str, ...]:  # noqa: ARG002 (the interface)
        """Every call is a new process."""
        return ("fresh",)

    def target(self, request: Request, frame: Frame) -> object:  # noqa: ARG002
        """What becomes of the process. Raises `Malformed` for a function that no scenario file has."""
        assert self._staged is not None  # noqa: S101 (prepared)
        name: str = request.own["name"]
        entries = self._staged.entries.get(name, ())
        if len(entries) != 1:
            fact = "no scenario file has" if not entries else "more than one scenario file has"
            raise Malformed(f"{fact} a function {name[:80]!r}")
        if self._stripped:
            self._stripped.open_to(request.id)  # ids count from 1, and no op takes more than one uid
        stripped = str(self._stripped.folder) if self._stripped else ""
        return [str(self._staged.node), *_FLAGS, str(MAIN), str(entries[0]), name.rpartition(".")[2], stripped]

    def child(self, request: Request, frame: Frame, scene: Scene, target: object) -> NoReturn:  # noqa: ARG002
        """Become Node with our runner, which finds the request on descriptor 4."""
        assert isinstance(target, list)  # noqa: S101 (from `target`)
        give_request(frame)
        heed_signals()
        os.execve(target[0], target, {**os.environ, **programs(scene, self)})  # noqa: S606 (no shell is wanted)

    def program_environment(self, scene: Scene) -> dict[str, str]:  # noqa: ARG002 (the interface)
        """Nothing but its PATH."""
        return {}

    def program_paths(self, scene: Scene) -> tuple[Path, ...]:
        """So that `#!/usr/bin/env node` and a product that starts `node` find the same one."""
        return (find_node(scene).parent,)


def bound_cpus() -> None:
    """Keep this process, and all that it starts, to some of the machine's processors: not the same for each driver."""
    cpus = sorted(os.sched_getaffinity(0))
    if len(cpus) > _CPUS:
        first = int.from_bytes(os.urandom(4)) % len(cpus)
        os.sched_setaffinity(0, [cpus[(first + place) % len(cpus)] for place in range(_CPUS)])


PACK = JavaScriptPack()
