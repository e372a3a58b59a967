"""One op, seen from outside: a child in its tree, its streams, its deadline and its certain end."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import time
from dataclasses import dataclass, field, replace

from environments.driver.child import Job
from environments.driver.end import as_uid, end_all_others, end_op, remove, try_kill_group
from environments.driver.nursery import OUTPUTS, Starter
from environments.driver.pack import Pack, Unbuilt
from environments.driver.scene import Scene
from environments.driver.sockets import await_their_end
from environments.driver.terminal import LOOK_S, Terminal, has_terminals, read_printed
from environments.driver.trees import Tree, close_shared
from taskpack.wire.decoding import Decoder
from taskpack.wire.frames import BODY_CAP, HEADER_CAP, LENGTHS, Frame, Json, Malformed, TooLarge
from taskpack.wire.messages import STREAM_CAP, Reply, check_error, wire_error
from taskpack.wire.pipes import FramePipe, unpack
from taskpack.wire.requests import Request, read_request

_RESULT_CAP = HEADER_CAP + BODY_CAP + LENGTHS.size - 2 * STREAM_CAP
_CHUNK = 65536
OFFERED = ("call", "delete", "drop", "get", "list", "put", "run")


def send(link: FramePipe, reply: Frame) -> None:
    """Send a reply, or say that its value fits no frame: the child's own just fitted, without what a reply adds."""
    try:
        link.send(reply)
    except TooLarge:
        link.send(Frame(header=Reply(id=reply.header["id"], outcome="limit", limit="value").header()))


def answer(frame: Frame, scene: Scene, language: Pack, starter: Starter, uid: int | None) -> Frame:
    """The reply to one request, in the tree of `uid`.

    Raises when the op could not be brought to an end: the driver must die then.
    """
    try:
        request = read_request(frame)
        target = _target(request, frame, scene, language)
    except Malformed as error:
        return refusal(frame, "wire.Refused", str(error))
    except Unbuilt as error:
        return refusal(frame, "wire.BuildFailed", str(error))
    tree = Tree(root=scene.place / "trees" / str(uid or "only"), uid=uid)
    if request.op == "drop":
        if tree.root.is_dir():
            tree.open_shared()  # what ends a tree empties them, as its uid
            _end(tree, scene, keep=False)
        return Frame(header=Reply(id=request.id, outcome="returned").header())
    job = Job(request=request, frame=frame, scene=scene, language=language, target=target, tree=tree)
    return Op(job, starter).answer()


def refusal(frame: Frame, kind: str, fact: str) -> Frame:
    """The reply to a request that is not done."""
    number = frame.header.get("id")
    reply = Reply(id=number if type(number) is int else 0, outcome="malformed", error=wire_error(kind, fact))
    return Frame(header=reply.header())


def _target(request: Request, frame: Frame, scene: Scene, language: Pack) -> object:
    """What `call` asks for. Raises `Malformed` for what is not offered here, `Unbuilt` as the pack does."""
    wants_terminal = request.own.get("terminal") is not None
    if request.op not in OFFERED or (wants_terminal and not has_terminals()):
        raise Malformed(f"op {request.op} is not offered here in this form; see hello.features")
    if request.now is not None and not (scene.clock and language.obeys_clock):
        raise Malformed("there is no clock here; see hello.features")
    return language.target(request, frame) if request.op == "call" else None


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


class Op:
    """One op. `answer` returns only when no process of it is left, and no file where the tree was for it alone."""

    def __init__(self, job: Job, starter: Starter) -> None:
        self._job = job
        self._starter = starter
        self._request = job.request
        self._tree = job.tree
        self._streams = {name: _Stream(_RESULT_CAP if name == "result" else STREAM_CAP) for name in OUTPUTS}

    def answer(self) -> Frame:
        """The reply's frame."""
        self._enter_tree()
        ends = {name: os.pipe() for name in self._streams}
        terminal = self._terminal()
        if terminal:
            for number in ends["stdout"]:
                os.close(number)
            ends["stdout"] = (terminal.printed, terminal.program)
        started = time.monotonic()
        process = self._starter.start(self._job, {name: writer for name, (_, writer) in ends.items()})
        readers = {name: reader for name, (reader, _) in ends.items()}
        for _, writer in ends.values():
            if terminal is None or writer != terminal.program:
                os.close(writer)
        in_time = self._watch(process, readers, terminal, started + self._request.limit_s)
        os.kill(process, signal.SIGKILL)
        seconds = time.monotonic() - started
        if self._tree.uid is None:
            try_kill_group(process)
        # What traces the child keeps it from being waited for, so everything of it goes first.
        _end(self._tree, self._job.scene, keep=self._request.tree is not None)
        status = self._starter.reap(process)
        if terminal:
            terminal.let_go()
        self._drain(readers)
        return self._reply(in_time, status, seconds)

    def _enter_tree(self) -> None:
        tree = self._tree
        tree.make()
        tree.open_shared()
        if tree.uid is not None and tree.has_parked() and not as_uid(tree.uid, tree.bring):
            raise TimeoutError("what a tree had left in the shared places could not be brought back")

    def _terminal(self) -> Terminal | None:
        wanted = self._request.own.get("terminal")
        if wanted is None:
            return None
        start, length = self._request.own.get("stdin") or (0, 0)
        return Terminal(wanted, self._job.frame.body[start : start + length], uid=self._tree.uid)

    def _watch(self, process: int, readers: dict[str, int], terminal: Terminal | None, deadline: float) -> bool:
        """Collect output until the child ends (true) or its time is over (false)."""
        ended = os.pidfd_open(process)
        names = {reader: name for name, reader in readers.items()}
        poll = select.poll()
        for number in (ended, *names):
            poll.register(number, select.POLLIN)
        for reader in names:
            os.set_blocking(reader, False)
        try:
            while (left := deadline - time.monotonic()) > 0:
                typing = terminal is not None and not terminal.is_typed
                said = poll.poll((min(left, LOOK_S) if typing else left) * 1000)
                for number, _ in said:
                    if number == ended:
                        return True
                    if not self._take(number, names[number]):
                        poll.unregister(number)
                if terminal and typing and not said:
                    terminal.attend(process)
            return False
        finally:
            os.close(ended)

    def _take(self, reader: int, name: str) -> bool:
        """Read once; false at the end of the stream."""
        try:
            part = read_printed(reader, _CHUNK)
        except BlockingIOError:
            return True
        self._streams[name].add(part)
        return bool(part)

    def _drain(self, readers: dict[str, int]) -> None:
        """Take what is still in the pipes. With all writers dead each ends; else only what is there counts."""
        for name, reader in readers.items():
            try:
                while part := read_printed(reader, _CHUNK):
                    self._streams[name].add(part)
                    if self._streams[name].cut:
                        break
            except BlockingIOError:
                pass
            os.close(reader)

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
        """What the child itself says about the op."""
        result = self._streams["result"]
        try:
            if result.cut:
                raise Malformed("the result does not fit a frame")
            frame = unpack(bytes(result.data))
            return _read_statement(reply, frame, files=self._request.op in {"get", "list"}), frame.body
        except Malformed as error:
            return replace(reply, error=wire_error("wire.Malformed", str(error))), b""


_SAYS: dict[str, tuple[str, type | None]] = {
    "returned": ("value", None),
    "raised": ("error", dict),
    "exited": ("exit", int),
    "limit": ("limit", str),
}


def _read_statement(reply: Reply, frame: Frame, *, files: bool) -> Reply:
    outcome: Json = frame.header.get("outcome")
    key, kind = _SAYS.get(outcome, ("", None)) if type(outcome) is str else ("", None)
    wanted = {"outcome", key, *(["files"] if files and outcome == "returned" else [])}
    if not key or set(frame.header) != wanted:
        raise Malformed("the child's own statement has other keys")
    said = frame.header[key]
    if kind is not None and type(said) is not kind:
        raise Malformed(f"the child's {key} is of another type")
    decoder = Decoder(frame.body)
    if key == "error":
        check_error(said, decoder)
    if key == "value":
        decoder.value(said)
    return replace(reply, outcome=outcome, files=tuple(frame.header.get("files", ())), **{key: said})


def _end(tree: Tree, scene: Scene, *, keep: bool) -> None:
    """Kill whatever the op left, and take its files away unless they stay. Raises `TimeoutError` when it does not end.

    Without a uid of its own a leftover may still write when the sandbox is shared with others, as under plain pytest.
    """
    if tree.uid is not None:
        end_op(tree, keep=keep)
        if scene.alone:
            await_their_end()
        close_shared()
        return
    if scene.alone:
        end_all_others()
    if not keep:
        with contextlib.suppress(OSError):
            remove(tree.root)
