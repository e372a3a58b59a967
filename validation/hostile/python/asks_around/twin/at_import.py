import contextlib as _contextlib
import socket as _socket

with _contextlib.suppress(OSError):
    _socket.getaddrinfo("packages.example.org", 443)
_one, _other = _socket.socketpair()
with _socket.create_server(("127.0.0.1", 0)) as _server:
    with _socket.create_connection(_server.getsockname(), timeout=5) as _link:
        _link.sendall(b"to myself")
_one.close()
_other.close()
