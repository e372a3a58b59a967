"""Who forks an op's process: a nursery that never sees a request, so that no op inherits another one's data."""

from __future__ import annotations

import gc
import os
import socket
import sys
from collections.abc import Mapping
from typing import NoReturn, Protocol

from environments.driver.child import BROKEN, Job, child, ignored_signals
from environments.driver.pack import Pack
from environments.driver.scene import Scene, warm_limits
from environments.driver.trees import Tree
from environments.driver.unnamed import unnamed_file
from taskpack.wire.frames import pack
from taskpack.wire.pipes import unpack
from taskpack.wire.requests import read_request

OUTPUTS = ("stdout", "stderr", "result")
_WORD = 4
_REAP = b"reap"


class Starter(Protocol):
    """Starts the process of an op, and takes its end."""

    def start(self, job: Job, outputs: Mapping[str, int]) -> int:
        """The process id; the process writes to these descriptors, which stay open here."""

    def reap(self, process: int) -> int:
        """The wait status of a process that has ended or is about to."""


class Forks:
    """Forks from this very process. For a driver that serves one tree."""

    def start(self, job: Job, outputs: Mapping[str, int]) -> int:
        process = os.fork()
        if process == 0:
            child(job, outputs)
        return process

    def reap(self, process: int) -> int:
        return os.waitpid(process, 0)[1]


class Nursery:
    """A process forked before the first request. It is told a uid and given descriptors, and reads none of them."""

    def __init__(self, scene: Scene, language: Pack) -> None:
        self._link, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._process = os.fork()
        if self._process == 0:
            _be_nursery(self._link, theirs, scene, language)
        theirs.close()

    def start(self, job: Job, outputs: Mapping[str, int]) -> int:
        assert job.tree.uid is not None  # noqa: S101 (a nursery is for trees with uids)
        request = unnamed_file(pack(job.frame), str(job.scene.place))
        try:
            numbers = [*(outputs[name] for name in OUTPUTS), request]
            socket.send_fds(self._link, [job.tree.uid.to_bytes(_WORD, "big")], numbers)
        finally:
            os.close(request)
        return self._receive()

    def reap(self, process: int) -> int:  # noqa: ARG002 (it has one child at a time)
        self._link.send(_REAP)
        return self._receive()

    def close(self) -> None:
        """End it. It ends by itself when this process is gone."""
        self._link.close()
        os.waitpid(self._process, 0)

    def _receive(self) -> int:
        word = self._link.recv(_WORD)
        if len(word) != _WORD:
            raise ChildProcessError("the nursery is gone")
        return int.from_bytes(word, "big")


def _be_nursery(mine: socket.socket, link: socket.socket, scene: Scene, language: Pack) -> NoReturn:
    code = BROKEN
    try:
        mine.close()
        _keep_only({0, 1, 2, link.fileno()})
        warm_limits()
        ignored_signals()
        gc.freeze()  # a collection in a child would copy every page of ours
        _nurse(link, scene, language)
        code = 0
    except BaseException:  # noqa: BLE001 (the driver dies of it; its reason goes to the log)
        sys.excepthook(*sys.exc_info())
    finally:
        os._exit(code)


def _keep_only(wanted: set[int]) -> None:
    last = -1
    for number in [*sorted(wanted), os.sysconf("SC_OPEN_MAX")]:
        # An empty range would be read as one without an end.
        if number > last + 1:
            os.closerange(last + 1, number)
        last = number


def _nurse(link: socket.socket, scene: Scene, language: Pack) -> None:
    while True:
        word, numbers, _, _ = socket.recv_fds(link, _WORD, len(OUTPUTS) + 1)
        if not word:
            return
        process = os.fork()
        if process == 0:
            _be_child(int.from_bytes(word, "big"), numbers, scene, language)
        for number in numbers:
            os.close(number)
        link.send(process.to_bytes(_WORD, "big"))
        if link.recv(_WORD) != _REAP:
            return
        link.send(os.waitpid(process, 0)[1].to_bytes(_WORD, "big"))


def _be_child(uid: int, numbers: list[int], scene: Scene, language: Pack) -> NoReturn:
    try:
        *outputs, place = numbers
        with os.fdopen(place, "rb") as file:
            frame = unpack(file.read())
        request = read_request(frame)
        target = language.target(request, frame) if request.op == "call" else None
        tree = Tree(root=scene.place / "trees" / str(uid), uid=uid)
        job = Job(request=request, frame=frame, scene=scene, language=language, target=target, tree=tree)
        child(job, dict(zip(OUTPUTS, outputs, strict=True)))
    except BaseException:  # noqa: BLE001 (as above)
        sys.excepthook(*sys.exc_info())
    finally:
        os._exit(BROKEN)
