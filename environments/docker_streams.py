"""The pipes of a container: the engine's attach connections on one side, ordinary pipes on the other.

Standard error has a connection of its own, so that output that nobody reads never holds it up. Every byte is handed on
before the next is fetched: a reader that does not read stops the program, as with any pipe.
"""

from __future__ import annotations

import contextlib
import os
import select
import socket
import struct
import threading
from typing import IO, Protocol

_HEADER = struct.Struct(">BxxxI")
"""Which stream, and how many bytes follow."""
_CHUNK = 256 * 1024
_JOIN_S = 10.0


class Connection(Protocol):
    """An attach connection; closing it closes the socket."""

    @property
    def socket(self) -> socket.socket: ...

    def close(self) -> None: ...


class Outward:
    """Copies what a program writes into a pipe, in a thread. The pipe ends when the stream does."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        reading, self._fd = os.pipe()
        os.set_blocking(self._fd, False)
        self.pipe: IO[bytes] = os.fdopen(reading, "rb")
        self._wake = os.eventfd(0)
        self._thread = threading.Thread(target=self._copy, daemon=True)
        self._thread.start()

    def let_go(self) -> None:
        """Do not wait for a reader any more: what it has not read by now is dropped.

        An engine ends no container whose output is stuck.
        """
        os.eventfd_write(self._wake, 1)

    def end(self) -> None:
        """Close both sides. Nothing is copied any more."""
        self.let_go()
        _hang_up(self._connection)
        self._thread.join(_JOIN_S)
        with contextlib.suppress(OSError):
            self.pipe.close()
        self._connection.close()
        os.close(self._wake)

    def _copy(self) -> None:
        buffer = memoryview(bytearray(_CHUNK))
        is_read = True
        try:
            while header := _exactly(self._connection.socket, _HEADER.size):
                _, left = _HEADER.unpack(header)
                while left:
                    size = self._connection.socket.recv_into(buffer[: min(left, _CHUNK)])
                    if not size:
                        return
                    is_read = is_read and self._write(buffer[:size])
                    left -= size
        except OSError:
            return
        finally:
            os.close(self._fd)

    def _write(self, data: memoryview) -> bool:
        """Whether the reader may want more."""
        poll = select.poll()
        poll.register(self._fd, select.POLLOUT)
        poll.register(self._wake, select.POLLIN)
        while data:
            try:
                data = data[os.write(self._fd, data) :]
            except BlockingIOError:
                if any(descriptor == self._wake for descriptor, _ in poll.poll()):
                    return False
            except BrokenPipeError:
                return False
        return True


class Inward:
    """Copies what is written into a pipe to a program's standard input, in a thread, its end included."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._fd, writing = os.pipe()
        self.pipe: IO[bytes] = os.fdopen(writing, "wb")
        self._thread = threading.Thread(target=self._copy, daemon=True)
        self._thread.start()

    def end(self) -> None:
        """Close the pipe; what was not sent is dropped. The connection is closed by whoever reads from it."""
        _hang_up(self._connection)
        with contextlib.suppress(OSError):
            self.pipe.close()
        self._thread.join(_JOIN_S)

    def _copy(self) -> None:
        try:
            while chunk := os.read(self._fd, _CHUNK):
                self._connection.socket.sendall(chunk)
            self._connection.socket.shutdown(socket.SHUT_WR)
        except OSError:
            return
        finally:
            os.close(self._fd)


def _hang_up(connection: Connection) -> None:
    """Wake a thread that waits for the socket: closing it alone would not."""
    with contextlib.suppress(OSError):
        connection.socket.shutdown(socket.SHUT_RDWR)


def _exactly(source: socket.socket, size: int) -> bytes:
    """`size` bytes, or nothing when the stream ends first."""
    data = b""
    while len(data) < size:
        part = source.recv(size - len(data))
        if not part:
            return b""
        data += part
    return data
