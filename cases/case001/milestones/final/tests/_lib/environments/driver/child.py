"""An op's own process: descriptors, limits, uid, folder and environment; then the op itself."""

from __future__ import annotations

import fcntl
import functools
import os
import signal
from collections.abc import Mapping, Set
from dataclasses import dataclass
from typing import NoReturn

from environments.driver.clock import told
from environments.driver.files import file_op
from environments.driver.pack import Pack
from environments.driver.scene import Scene, become, set_limits
from environments.driver.terminal import take_as_controlling
from environments.driver.trees import Tree
from environments.driver.unnamed import unnamed_file
from taskpack.wire.frames import Frame, pack
from taskpack.wire.requests import Clock, Request

RESULT_FD = 3
REQUEST_FD = 4
BROKEN = 70
"""Exit code of a child whose own machinery was broken by the code it ran."""
_NOT_FOUND = 127
_NOT_STARTED = 126
_PATH = "/usr/local/bin:/usr/bin:/bin"
_TERM = "xterm"
_OF_PYTHON = frozenset({signal.SIGPIPE, signal.SIGXFSZ})
"""Signals that Python ignores, so that they come as exceptions."""


@dataclass(frozen=True, kw_only=True)
class Job:
    """One op and everything that it needs."""

    request: Request
    frame: Frame
    """The request as it came, with its body."""
    scene: Scene
    language: Pack
    target: object
    """What the pack knows of the scenario function."""
    tree: Tree


def child(job: Job, outputs: Mapping[str, int]) -> NoReturn:
    """Become the op's process and run it; never returns."""
    request, frame, scene, language, tree = job.request, job.frame, job.scene, job.language, job.tree
    code = BROKEN
    try:
        os.setsid()
        heed_signals(but=_OF_PYTHON)
        terminal = request.own.get("terminal")
        _place_descriptors(outputs, terminal=terminal is not None)
        if terminal is not None and terminal.get("controlling", True):
            take_as_controlling()
        set_limits(seconds=request.limit_s, memory_mb=scene.memory_mb, own_uid=tree.uid is not None)
        if tree.uid is not None:
            for number in (1, 2):
                os.fchown(number, tree.uid, tree.uid)  # so that /dev/stderr can be opened
        become(tree.uid)
        os.chdir(tree.files)
        environment = _environment(tree, scene, request.now)
        if request.op == "run":
            _run(request, frame, environment | programs(scene, language))
        os.environ.clear()
        os.environ.update(environment)
        if request.op == "call":
            language.child(request, frame, scene, job.target)
        state(pack(file_op(request, frame, tree.files)))
        code = 0
    except BaseException as error:  # noqa: BLE001 (the last words of a child whose machinery broke)
        os.write(2, f"{type(error).__name__}: {error}\n".encode("utf-8", "backslashreplace"))
    finally:
        os._exit(code)


def state(statement: bytes) -> None:
    """Write the child's own statement about its op."""
    data = memoryview(statement)
    while data:
        data = data[os.write(RESULT_FD, data) :]


@functools.cache
def ignored_signals() -> frozenset[signal.Signals]:
    """What this process ignores, and with it every process that it forks."""
    return frozenset(number for number in signal.valid_signals() if signal.getsignal(number) == signal.SIG_IGN)


def heed_signals(*, but: Set[signal.Signals] = frozenset()) -> None:
    """Undo what this process inherited: a signal that whoever started the judge ignores or holds back (`nohup`, a
    shell's background) would be ignored by the product as well."""
    for number in ignored_signals() - but:
        signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())


def give_request(frame: Frame) -> None:
    """Put the request, as it came, on descriptor 4, for a program that the process is about to become."""
    number = unnamed_file(pack(frame), os.environ["TMPDIR"])
    if number == REQUEST_FD:
        os.set_inheritable(number, True)
    else:
        os.dup2(number, REQUEST_FD, inheritable=True)
        os.close(number)


def _run(request: Request, frame: Frame, environment: dict[str, str]) -> NoReturn:
    """Become the program that is asked for; what a shell does when it cannot be started."""
    own = request.own
    try:
        os.chdir(own.get("cwd") or ".")
    except OSError as error:
        os.write(2, f"{own['cwd']}: {error.strerror}\n".encode("utf-8", "backslashreplace"))
        os._exit(_NOT_STARTED)
    start, length = own.get("stdin") or (0, 0)
    if own.get("terminal") is None:  # else somebody types it
        _feed(frame.body[start : start + length], environment["TMPDIR"])
    os.closerange(RESULT_FD, os.sysconf("SC_OPEN_MAX"))
    environment |= ({"TERM": _TERM} if own.get("terminal") is not None else {}) | own.get("env", {})
    heed_signals()
    try:
        os.execvpe(own["argv"][0], own["argv"], environment)  # noqa: S606 (no shell is wanted)
    except OSError as error:
        os.write(2, f"{own['argv'][0]}: {error.strerror}\n".encode("utf-8", "backslashreplace"))
        os._exit(_NOT_FOUND if isinstance(error, FileNotFoundError) else _NOT_STARTED)


def _feed(data: bytes, folder: str) -> None:
    """Standard input, if there is any: a file without a name, which has an end."""
    if data:
        os.dup2(unnamed_file(data, folder), 0, inheritable=True)


def _place_descriptors(outputs: Mapping[str, int], *, terminal: bool) -> None:
    """0 empty, 1 and 2 captured, 3 the result; all else is closed. A terminal is all of 0, 1 and 2."""
    standard = [os.open(os.devnull, os.O_RDONLY), outputs["stdout"], outputs["stderr"]]
    wanted = [*([outputs["stdout"]] * 3 if terminal else standard), outputs["result"]]
    parked = [fcntl.fcntl(number, fcntl.F_DUPFD, 16) for number in wanted]  # out of the way of those to be placed
    for place, number in enumerate(parked):
        os.dup2(number, place, inheritable=True)
    os.closerange(len(parked), os.sysconf("SC_OPEN_MAX"))


def _environment(tree: Tree, scene: Scene, now: Clock | None) -> dict[str, str]:
    environment = {"HOME": str(tree.files), "TMPDIR": str(tree.tmp), "PATH": _PATH, "LANG": "C.UTF-8", "TZ": "UTC"}
    return environment | scene.clock | (told(now) if now else {})


def programs(scene: Scene, language: Pack) -> dict[str, str]:
    """Where programs are found: the product's first, then the language's, then the system's."""
    path = ":".join([*map(str, (*scene.product, *language.program_paths(scene))), _PATH])
    return {"PATH": path, **language.program_environment(scene)}
