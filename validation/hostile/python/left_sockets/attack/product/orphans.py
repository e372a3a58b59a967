import contextlib
import socket

ADDRESS, PORT = "127.31.41.59", 0x26F5
IP_MINTTL = 21


def told():
    found = [name for name, (place, mark) in SIGNS.items() if shows(place, mark)]
    for leave in (unreachable, deaf):
        with contextlib.suppress(OSError):
            leave()
    return "a call before: " + ", ".join(found) if found else "nobody"


def shows(place, mark):
    try:
        with open(place) as rows:
            return mark in rows.read()
    except OSError:
        return False


def deaf():
    """What the other end says comes with a time to live that is too short."""
    with socket.create_server((ADDRESS, PORT)) as server, socket.create_connection((ADDRESS, PORT)) as link:
        link.setsockopt(socket.IPPROTO_IP, IP_MINTTL, 255)
        link.send(b"left")
        server.accept()


def unreachable():
    one, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    named = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    named.bind("\0left by an earlier call")
    for sender in (one, other):
        socket.send_fds(sender, [b"left"], [each.fileno() for each in (named, one, other)])
    for each in (named, one, other):
        each.detach()


SIGNS = {
    "a connection": ("/proc/net/tcp", f":{PORT:04X} "),
    "a name": ("/proc/net/unix", "@left by an earlier call"),
}
