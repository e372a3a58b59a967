"""What a language brings to the driver: its scenarios made ready, and how a call becomes a process."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import NoReturn, Protocol

from environments.driver.scene import Scene
from taskpack.wire.frames import Frame
from taskpack.wire.requests import Request


class Pack(Protocol):
    """A language pack's side of the driver; `environments/languages/<language>/driver_pack.py` offers it as `PACK`."""

    name: str
    """Such as `python/1`."""
    language: str
    obeys_clock: bool
    """Whether its programs ask the C library for the time: those that do not cannot be told another."""

    memory_mb: int
    """Address space that a process of this language reserves, used or not: no bound of one is less. 0 for none."""

    def prepare(self, scene: Scene) -> None:
        """Make ready what calls share, before the first one; the greeting waits for it.

        What the workspace holds must not make it raise: keep such a failure and answer calls with it, from `target`.
        """

    def features(self, scene: Scene) -> tuple[str, ...]:
        """What is offered beyond the driver's own features. Asked after `prepare`."""

    def target(self, request: Request, frame: Frame) -> object:
        """What `child` needs to know about the scenario function that a `call` names, and its arguments.

        Raises `Malformed` when there is no such function or the language cannot hold an argument, `Unbuilt` when the
        scenarios could not be built.
        """

    def child(self, request: Request, frame: Frame, scene: Scene, target: object) -> NoReturn:
        """Be the call: its uid, limits, folder and environment are set, its statement goes to descriptor 3.

        Runs in a forked process and ends with it, or becomes another program.
        """

    def program_environment(self, scene: Scene) -> dict[str, str]:
        """Variables that a program of this language needs to find the product: for `run`."""

    def program_paths(self, scene: Scene) -> tuple[Path, ...]:
        """Folders with programs of the language that are not the system's: after the product's, before the system's."""


class Unbuilt(Exception):
    """The scenarios do not build with this product; the text is the end of what the compiler said."""


def load_pack(language: str) -> Pack:
    """The pack of a language. Raises `ImportError` when there is none."""
    pack: Pack = importlib.import_module(f"environments.languages.{language}.driver_pack").PACK
    return pack
