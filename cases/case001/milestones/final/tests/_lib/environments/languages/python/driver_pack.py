"""Python's side of the driver: scenarios found without running them, the product imported anew by each call."""

from __future__ import annotations

import ast
import os
import sys
import types
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

from environments.driver.scene import Scene
from environments.driver.settled import settle
from environments.languages.python.driver_bytecode import compile_into, prepare_bytecode
from environments.languages.python.driver_child import Stage, Target, call, read_args, starts_fresh
from environments.languages.python.driver_preload import preload
from taskpack.wire.frames import Frame, Malformed
from taskpack.wire.requests import Request

_LIBRARY = Path(__file__).parents[3]


class PythonPack:
    """See `environments.driver.pack.Pack`."""

    name = "python/1"
    language = "python"
    obeys_clock = True
    memory_mb = 0

    def __init__(self) -> None:
        self._functions: dict[str, tuple[Path, ...]] = {}
        self._stage: Stage | None = None

    def prepare(self, scene: Scene) -> None:
        """Load what a forked call does not have to, compile scenarios and product."""
        if scene.uids:
            preload()  # a driver that serves one tree would load more than it needs
        loaded = {name.partition(".")[0] for name in sys.modules}
        self._functions = find_functions(scene.scenarios)
        self._stage = Stage(
            import_path=_import_path(scene),
            always_fresh=any(name in loaded for folder in scene.product for name in _module_names(folder)),
            codes=_compiled(scene.scenarios),
            bytecode=self._bytecode(scene) if scene.uids else None,
        )

    @staticmethod
    def _bytecode(scene: Scene) -> Path:
        compiled = [Path(path) for path in sys.path if path != str(_LIBRARY)]
        compiled += [scene.site] if scene.site else []
        return prepare_bytecode(scene.place / "bytecode", product=scene.product, others=compiled)

    def features(self, scene: Scene) -> tuple[str, ...]:  # noqa: ARG002 (the interface)
        assert self._stage is not None  # noqa: S101 (prepared)
        return ("fresh", "seed", *([] if self._stage.always_fresh else ["fork"]))

    def target(self, request: Request, frame: Frame) -> Target:
        """The file of the function that is asked for, and its arguments."""
        name: str = request.own["name"]
        files = self._functions.get(name, ())
        if len(files) != 1:
            fact = "no scenario file has" if not files else "more than one scenario file has"
            raise Malformed(f"{fact} a function {name[:80]!r}")
        assert self._stage is not None  # noqa: S101 (prepared)
        if self._stage.bytecode and starts_fresh(request, self._stage):
            _compile_library(self._stage.bytecode)
        return Target(path=files[0], args=read_args(request, frame))

    def child(self, request: Request, frame: Frame, scene: Scene, target: object) -> NoReturn:  # noqa: ARG002
        assert self._stage is not None and isinstance(target, Target)  # noqa: PT018, S101 (prepared; from `target`)
        call(request, frame, self._stage, target)

    def program_environment(self, scene: Scene) -> dict[str, str]:
        """So that `python3 -m package` finds the product before anything else."""
        path = [*map(str, scene.product), *([str(scene.site)] if scene.site else [])]
        return {"PYTHONPATH": os.pathsep.join(path), "PYTHONDONTWRITEBYTECODE": "1", "PYTHONUTF8": "1"}

    def program_paths(self, scene: Scene) -> tuple[Path, ...]:  # noqa: ARG002 (the interface)
        """The system's are enough."""
        return ()


PACK = PythonPack()


def _compile_library(place: Path) -> None:
    """What a new interpreter loads of ours, compiled before the first one is needed. Most suites need none."""
    if not Path(f"{place}{_LIBRARY}").is_dir():
        compile_into(place, [_LIBRARY])
        settle(place)


def _import_path(scene: Scene) -> tuple[str, ...]:
    """Product, standard library, dependencies."""
    stdlib = [path for path in sys.path if path != str(_LIBRARY)]
    return (*map(str, scene.product), *stdlib, *([str(scene.site)] if scene.site else []))


def _compiled(scenarios: Path) -> dict[Path, types.CodeType]:
    return {path: compile(path.read_bytes(), str(path), "exec") for path in scenarios.glob("*.py")}


def _module_names(folder: Path) -> Iterator[str]:
    """Top-level modules that the import system could find in `folder`, by name alone: what an entry is, the candidate
    decides, and to ask may fail. A file that is none costs a fresh interpreter a call."""
    try:
        with os.scandir(folder) as entries:
            names = [entry.name for entry in entries]
    except OSError:
        return
    for name in names:
        yield name.partition(".")[0]


def find_functions(folder: Path) -> dict[str, tuple[Path, ...]]:
    """Public functions at the top of the scenario files, by name and by `file.name`. Nothing is executed."""
    found: dict[str, tuple[Path, ...]] = {}
    for path in sorted(folder.glob("*.py")):
        for node in ast.parse(path.read_bytes(), filename=str(path)).body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not node.name.startswith("_"):
                for name in (node.name, f"{path.stem}.{node.name}"):
                    found[name] = (*found.get(name, ()), path)
    return found
