"""Who forks an op's process: a nursery that never sees a request, so that no op inherits another one's data."""

from __future__ import annotations

import gc
import os
import socket
import sys
from collections.abc import Mapping
from dataclasses import dataclass
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
    """A process forked before the first request. The next op's process waits before the op is asked for, so that it is
    made while others work. It is told a uid and given descriptors, and is the only one to read them."""

    def __init__(self, scene: Scene, language: Pack) -> None:
        ours, theirs = _Links.pair()
        self._process = os.fork()
        if self._process == 0:
            _be_nursery(ours, theirs, scene, language)
        theirs.close()
        self._links = ours

    def start(self, job: Job, outputs: Mapping[str, int]) -> int:
        assert job.tree.uid is not None  # noqa: S101 (a nursery is for trees with uids)
        process = self._receive()
        request = unnamed_file(pack(job.frame), str(job.scene.place))
        try:
            numbers = [*(outputs[name] for name in OUTPUTS), request]
            socket.send_fds(self._links.jobs, [job.tree.uid.to_bytes(_WORD, "big")], numbers)
        finally:
            os.close(request)
        return process

    def reap(self, process: int) -> int:  # noqa: ARG002 (one op at a time)
        self._links.words.send(_REAP)
        return self._receive()

    def close(self) -> None:
        """End it, and whoever waits. Both end by themselves when this process is gone."""
        self._links.close()
        os.waitpid(self._process, 0)

    def _receive(self) -> int:
        word = self._links.words.recv(_WORD)
        if len(word) != _WORD:
            raise ChildProcessError("the nursery is gone")
        return int.from_bytes(word, "big")


@dataclass(frozen=True, kw_only=True)
class _Links:
    """One side's ends of what joins a driver and its nursery."""

    words: socket.socket
    """Process ids and wait statuses one way, `_REAP` the other way."""
    jobs: socket.socket
    """Ops, which whoever waits for the next one reads."""

    @classmethod
    def pair(cls) -> tuple[_Links, _Links]:
        words, jobs = (socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET) for _ in range(2))
        return cls(words=words[0], jobs=jobs[0]), cls(words=words[1], jobs=jobs[1])

    def close(self) -> None:
        self.words.close()
        self.jobs.close()


def _be_nursery(drivers: _Links, links: _Links, scene: Scene, language: Pack) -> NoReturn:
    code = BROKEN
    try:
        drivers.close()
        _keep_only({0, 1, 2, links.words.fileno(), links.jobs.fileno()})
        warm_limits()
        ignored_signals()
        gc.freeze()  # a collection in a child would copy every page of ours
        _nurse(links, scene, language)
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


def _nurse(links: _Links, scene: Scene, language: Pack) -> None:
    while True:
        process = os.fork()
        if process == 0:
            links.words.close()
            _be_child(links.jobs, scene, language)
        links.words.send(process.to_bytes(_WORD, "big"))
        if links.words.recv(_WORD) != _REAP:
            return
        links.words.send(os.waitpid(process, 0)[1].to_bytes(_WORD, "big"))


def _be_child(jobs: socket.socket, scene: Scene, language: Pack) -> NoReturn:
    try:
        word, numbers, _, _ = socket.recv_fds(jobs, _WORD, len(OUTPUTS) + 1)
        if not word:
            os._exit(0)
        *outputs, place = numbers
        with os.fdopen(place, "rb") as file:
            frame = unpack(file.read())
        request = read_request(frame)
        target = language.target(request, frame) if request.op == "call" else None
        uid = int.from_bytes(word, "big")
        tree = Tree(root=scene.place / "trees" / str(uid), uid=uid)
        job = Job(request=request, frame=frame, scene=scene, language=language, target=target, tree=tree)
        child(job, dict(zip(OUTPUTS, outputs, strict=True)))
    except BaseException:  # noqa: BLE001 (as above)
        sys.excepthook(*sys.exc_info())
    finally:
        os._exit(BROKEN)
