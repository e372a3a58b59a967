import contextlib
import glob
import os
import socket
import struct
import urllib.parse

NAMES = ("packages.example.org", "files.example.net", "code.example.com", "host.docker.internal", "gateway.docker.internal")
ADDRESSES = (
    "1.1.1.1", "8.8.8.8", "9.9.9.9", "151.101.0.223", "169.254.169.254", "169.254.170.2", "100.100.100.200",
    "10.0.0.1", "10.0.2.2", "10.0.2.3", "172.17.0.1", "192.168.0.1", "192.168.1.1", "192.168.122.1",
    "2606:4700:4700::1111", "fd00:ec2::254", "::1", "127.0.0.1",
)
PORTS = (53, 80, 443, 2375, 3128, 3141, 8080, 4200)
ENGINES = ("/var/run/docker.sock", "/run/containerd/containerd.sock", "/run/podman/podman.sock", "/run/dbus/*")
QUESTION = b"\x12\x34\1\0\0\1\0\0\0\0\0\0\4pypi\3org\0\0\1\0\1"


def answering():
    found = [*named(), *addresses(), *servers(), *proxies(), *listeners(), *paths(), *machines()]
    return "somebody: " + ", ".join(map(str, found))[:300] if found else "nobody"


def connects(family, address):
    with contextlib.suppress(OSError, ValueError), socket.socket(family, socket.SOCK_STREAM) as link:
        link.settimeout(0.05)
        link.connect(address)
        return True
    return False


def named():
    for name in NAMES:
        with contextlib.suppress(OSError):
            yield socket.getaddrinfo(name, 443, type=socket.SOCK_STREAM)[0][4][0]


def addresses():
    for address in ADDRESSES:
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        yield from [(address, port) for port in PORTS if connects(family, (address, port))]


def servers():
    with contextlib.suppress(OSError), open("/etc/resolv.conf") as file:
        for line in file:
            if line.startswith("nameserver"):
                with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as link:
                    link.settimeout(0.1)
                    link.sendto(QUESTION, (line.split()[1], 53))
                    yield link.recvfrom(512)[1]


def proxies():
    for name, value in os.environ.items():
        if name.lower().endswith(("_proxy", "index_url", "_host")):
            with contextlib.suppress(ValueError):
                place = urllib.parse.urlsplit(value if "//" in value else f"//{value}")
                if place.hostname and connects(socket.AF_INET, (place.hostname, place.port or 80)):
                    yield value


def listeners():
    for kind, family in (("tcp", socket.AF_INET), ("tcp6", socket.AF_INET6)):
        with contextlib.suppress(OSError), open(f"/proc/net/{kind}") as file:
            for row in file.read().splitlines()[1:]:
                port = int(row.split()[1].rpartition(":")[2], 16)
                loopback = "127.0.0.1" if kind == "tcp" else "::1"
                if row.split()[3] == "0A" and connects(family, (loopback, port)):
                    yield loopback, port
    with contextlib.suppress(OSError), open("/proc/net/unix") as file:
        for row in file.read().splitlines()[1:]:
            name = (row.split() + [""] * 8)[7]
            if name and connects(socket.AF_UNIX, "\0" + name[1:] if name.startswith("@") else name):
                yield name


def paths():
    for pattern in (*ENGINES, "/run/*.sock", "/run/*/*.sock", "/tmp/*", "/app/*", "/opt/lib/*"):
        yield from [path for path in glob.glob(pattern) if connects(socket.AF_UNIX, path)]


def machines():
    with contextlib.suppress(OSError, AttributeError):
        if connects(socket.AF_VSOCK, (socket.VMADDR_CID_HOST, 1024)):
            yield "the hypervisor"
    with contextlib.suppress(OSError), open("/proc/net/route") as file:
        for row in file.read().splitlines()[1:]:
            gateway = socket.inet_ntoa(struct.pack("<L", int(row.split()[2], 16)))
            yield from [(gateway, port) for port in PORTS if connects(socket.AF_INET, (gateway, port))]
