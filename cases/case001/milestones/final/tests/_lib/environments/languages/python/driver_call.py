"""One call, seen from outside: a child with its own folder, its streams, its deadline and its certain end."""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import time
from dataclasses import dataclass, field, replace
from pathlib import Path

from environments.languages.python.driver_child import child
from environments.languages.python.driver_end import end_of_uid, remove, try_kill_group
from environments.languages.python.driver_scene import Scene
from taskpack.wire.decoding import Decoder
from taskpack.wire.frames import BODY_CAP, HEADER_CAP, LENGTHS, Frame, Json, Malformed
from taskpack.wire.messages import STREAM_CAP, Reply, Request, check_error, read_request, wire_error
from taskpack.wire.pipes import FramePipe, unpack

_RESULT_CAP = HEADER_CAP + BODY_CAP + LENGTHS.size - 2 * STREAM_CAP
_CHUNK = 65536


def serve_call(link: FramePipe, scene: Scene, uid: int) -> None:
    """Read one request, answer it. Raises when the call could not be brought to an end: the driver must die then."""
    frame = link.receive()
    try:
        request = read_request(frame)
        path = _scenario(request, scene)
    except Malformed as error:
        number = frame.header.get("id")
        reply = Reply(
            id=number if type(number) is int else 0,
            outcome="malformed",
            error=wire_error("wire.Refused", str(error)),
        )
        link.send(Frame(header=reply.header()))
        return
    link.send(Call(request, frame, scene, path, uid if scene.uids else None).answer())


def _scenario(request: Request, scene: Scene) -> Path:
    """The file of the function that is asked for. Raises `Malformed` for what is not offered here."""
    if request.op != "call":
        raise Malformed(f"op {request.op} is not offered here; see hello.features")
    if request.tree is not None or request.now is not None:
        raise Malformed("tree and now are not offered here; see hello.features")
    name = request.own["name"]
    files = scene.functions.get(name, ())
    if len(files) != 1:
        fact = "no scenario file has" if not files else "more than one scenario file has"
        raise Malformed(f"{fact} a function {name[:80]!r}")
    return files[0]


@dataclass
class _Stream:
    """What came out of one descriptor, up to a cap."""

    cap: int
    data: bytearray = field(default_factory=bytearray)
    cut: bool = False

    def add(self, part: bytes) -> None:
        room = self.cap - len(self.data)
        self.data += part[:room]
        self.cut = self.cut or len(part) > room


class Call:
    """One call. `answer` returns only when nothing of it is left."""

    def __init__(self, request: Request, frame: Frame, scene: Scene, path: Path, uid: int | None) -> None:
        self._request = request
        self._frame = frame
        self._scene = scene
        self._path = path
        self._uid = uid
        self._streams = {
            "stdout": _Stream(STREAM_CAP),
            "stderr": _Stream(STREAM_CAP),
            "result": _Stream(_RESULT_CAP),
        }

    def answer(self) -> Frame:
        """The reply's frame."""
        started = time.monotonic()
        folder = self._make_folder()
        ends = {name: os.pipe() for name in self._streams}
        process = os.fork()
        if process == 0:
            child(
                self._request,
                self._frame,
                self._scene,
                self._path,
                uid=self._uid,
                folder=folder,
                outputs={name: pair[1] for name, pair in ends.items()},
            )
        readers = {name: reader for name, (reader, _) in ends.items()}
        for _, writer in ends.values():
            os.close(writer)
        in_time = self._watch(process, readers, started + self._request.limit_s)
        os.kill(process, signal.SIGKILL)
        seconds = time.monotonic() - started
        if self._uid is None:
            try_kill_group(process)
        _, status = os.waitpid(process, 0)
        self._end(folder)
        self._drain(readers)
        return self._reply(in_time, status, seconds)

    def _make_folder(self) -> Path:
        folder = Path(os.environ.get("TMPDIR", "/tmp"), f"call-{os.getpid()}")  # noqa: S108 (private, see close_shared_folders)
        folder.mkdir(mode=0o700)
        if self._uid is not None:
            os.chown(folder, self._uid, self._uid)
        return folder

    def _watch(self, process: int, readers: dict[str, int], deadline: float) -> bool:
        """Collect output until the child ends (true) or its time is over (false)."""
        ended = os.pidfd_open(process)
        with selectors.DefaultSelector() as selector:
            selector.register(ended, selectors.EVENT_READ, None)
            for name, reader in readers.items():
                os.set_blocking(reader, False)
                selector.register(reader, selectors.EVENT_READ, name)
            try:
                while (left := deadline - time.monotonic()) > 0:
                    for key, _ in selector.select(left):
                        if key.data is None:
                            return True
                        if not self._take(key.fd, key.data):
                            selector.unregister(key.fd)
                return False
            finally:
                os.close(ended)

    def _take(self, reader: int, name: str) -> bool:
        """Read once; false at the end of the stream."""
        try:
            part = os.read(reader, _CHUNK)
        except BlockingIOError:
            return True
        self._streams[name].add(part)
        return bool(part)

    def _drain(self, readers: dict[str, int]) -> None:
        """Take what is still in the pipes. With all writers dead each ends; else only what is there counts."""
        for name, reader in readers.items():
            try:
                while part := os.read(reader, _CHUNK):
                    self._streams[name].add(part)
                    if self._streams[name].cut:
                        break
            except BlockingIOError:
                pass
            os.close(reader)

    def _end(self, folder: Path) -> None:
        """Kill and remove whatever the call left. Raises `TimeoutError` when that does not come to an end."""
        if self._uid is not None:
            end_of_uid(self._uid, folder)
            return
        # Without a uid of its own a leftover may still write: the sandbox ends after this call anyway.
        with contextlib.suppress(OSError):
            remove(folder)

    def _reply(self, in_time: bool, status: int, seconds: float) -> Frame:
        body = b""
        reply = Reply(id=self._request.id, outcome="malformed")
        if not in_time:
            reply = replace(reply, outcome="timeout")
        elif os.WIFSIGNALED(status):
            reply = self._signalled(reply, os.WTERMSIG(status))
        elif os.WEXITSTATUS(status) or not self._streams["result"].data:
            reply = replace(reply, outcome="exited", exit=os.WEXITSTATUS(status))
        else:
            reply, body = self._statement(reply)
        stdout, stderr = self._streams["stdout"], self._streams["stderr"]
        first = (len(body), len(stdout.data))
        second = (sum(first), len(stderr.data))
        reply = replace(
            reply,
            stdout=first,
            stderr=second,
            cut=tuple(name for name in ("stdout", "stderr") if self._streams[name].cut),
            seconds=round(seconds, 6),
        )
        return Frame(header=reply.header(), body=body + bytes(stdout.data) + bytes(stderr.data))

    @staticmethod
    def _signalled(reply: Reply, number: int) -> Reply:
        if number == signal.SIGXCPU:
            return replace(reply, outcome="limit", limit="cpu")
        return replace(reply, outcome="signalled", signal=number)

    def _statement(self, reply: Reply) -> tuple[Reply, bytes]:
        """What the child itself says about the call."""
        result = self._streams["result"]
        try:
            if result.cut:
                raise Malformed("the result does not fit a frame")
            frame = unpack(bytes(result.data))
            return _read_statement(reply, frame), frame.body
        except Malformed as error:
            return replace(reply, error=wire_error("wire.Malformed", str(error))), b""


_SAYS: dict[str, tuple[str, type | None]] = {
    "returned": ("value", None),
    "raised": ("error", dict),
    "exited": ("exit", int),
    "limit": ("limit", str),
}


def _read_statement(reply: Reply, frame: Frame) -> Reply:
    outcome: Json = frame.header.get("outcome")
    key, kind = _SAYS.get(outcome, ("", None)) if type(outcome) is str else ("", None)
    if not key or set(frame.header) != {"outcome", key}:
        raise Malformed("the child's own statement has other keys")
    said = frame.header[key]
    if kind is not None and type(said) is not kind:
        raise Malformed(f"the child's {key} is of another type")
    decoder = Decoder(frame.body)
    if key == "error":
        check_error(said, decoder)
    if key == "value":
        decoder.value(said)
    return replace(reply, outcome=outcome, **{key: said})
