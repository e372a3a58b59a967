"""Frames over two file descriptors, with deadlines on both sides, so that no peer can hold us."""

from __future__ import annotations

import os
import select
import time

from taskpack.wire.frames import LENGTHS, Frame, Malformed, pack, parse_header, read_lengths

_CHUNK = 1024 * 1024


class Silence(Exception):
    """The peer did not speak, or did not listen, within the time it had."""


class Closed(Exception):
    """The peer closed its side between two frames."""


class CutShort(Malformed):
    """The peer went away within a frame."""


class FramePipe:
    """One frame at a time. The descriptors are set non-blocking and belong to the caller, who closes them.

    A pipe that raised `Malformed`, `Silence` or `Closed` is out of step and must not be used again.
    """

    def __init__(self, read_fd: int, write_fd: int) -> None:
        self._read_fd = read_fd
        self._write_fd = write_fd
        self._poll_read = select.poll()
        self._poll_read.register(read_fd, select.POLLIN)
        self._poll_write = select.poll()
        self._poll_write.register(write_fd, select.POLLOUT)
        os.set_blocking(read_fd, False)
        os.set_blocking(write_fd, False)

    def send(self, frame: Frame, timeout_s: float | None = None) -> None:
        """Raises `TooLarge`, `Silence` when the peer does not read, `Closed` when it is gone."""
        self.send_raw(pack(frame), timeout_s)

    def receive(self, timeout_s: float | None = None) -> Frame:
        """The next frame. Raises `Malformed`, `Silence` or `Closed`."""
        raw = self.receive_raw(timeout_s)
        return unpack(raw)

    def need_silence(self) -> None:
        """Raises `Malformed` when the peer has spoken though it was not asked."""
        if any(event & select.POLLIN for _, event in self._poll_read.poll(0)):
            raise Malformed("the peer spoke before it was asked")

    def send_raw(self, data: bytes, timeout_s: float | None = None) -> None:
        """Send bytes that are a frame already."""
        deadline = _deadline(timeout_s)
        view = memoryview(data)
        while view:
            self._wait(self._poll_write, deadline)
            try:
                view = view[os.write(self._write_fd, view[:_CHUNK]) :]
            except BlockingIOError:
                continue
            except OSError as error:
                raise Closed(f"the peer is gone: {error.strerror}") from None

    def receive_raw(self, timeout_s: float | None = None) -> bytes:
        """The bytes of the next frame; of its content only the lengths are looked at."""
        deadline = _deadline(timeout_s)
        prefix = self._exactly(LENGTHS.size, deadline, first=True)
        header, body = read_lengths(prefix)
        return prefix + self._exactly(header + body, deadline, first=False)

    def _exactly(self, size: int, deadline: float | None, *, first: bool) -> bytes:
        # One buffer: a peer that sends two bytes at a time would make millions of parts.
        found = bytearray()
        while missing := size - len(found):
            self._wait(self._poll_read, deadline)
            try:
                part = os.read(self._read_fd, min(missing, _CHUNK))
            except BlockingIOError:
                continue
            except OSError as error:
                raise Closed(f"the peer is gone: {error.strerror}") from None
            if not part:
                if first and missing == size:
                    raise Closed("the peer closed its side")
                raise CutShort(f"the stream ended {missing} bytes before the frame did")
            found += part
        return bytes(found)

    @staticmethod
    def _wait(poll: select.poll, deadline: float | None) -> None:
        left = None if deadline is None else deadline - time.monotonic()
        if left is not None and left <= 0:
            raise Silence("the peer was silent past its limit")
        if not poll.poll(None if left is None else max(1, int(left * 1000))):
            raise Silence("the peer was silent past its limit")


def unpack(raw: bytes) -> Frame:
    """A frame from exactly its bytes. Raises `Malformed`."""
    if len(raw) < LENGTHS.size:
        raise Malformed(f"{len(raw)} bytes are no frame")
    header, body = read_lengths(raw[: LENGTHS.size])
    if len(raw) != LENGTHS.size + header + body:
        raise Malformed("the lengths do not fit the bytes")
    split = LENGTHS.size + header
    return Frame(header=parse_header(raw[LENGTHS.size : split]), body=raw[split:])


def _deadline(timeout_s: float | None) -> float | None:
    return None if timeout_s is None else time.monotonic() + timeout_s
