import socket as _socket

with _socket.create_server(("127.0.0.1", 0)) as _server, _socket.create_connection(_server.getsockname()) as _link:
    _end, _ = _server.accept()
    _link.send(b"heard")
    _heard = _end.recv(5)
    _end.close()
_one, _other = _socket.socketpair(_socket.AF_UNIX, _socket.SOCK_DGRAM)
_socket.send_fds(_one, [b"x"], [_other.fileno()])
