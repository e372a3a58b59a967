import contextlib
import ctypes
import os
import socket
import sys
import tempfile
import time

LIBC = ctypes.CDLL(None, use_errno=True)
LIBC.mq_open.argtypes = [ctypes.c_char_p, ctypes.c_int, ctypes.c_int, ctypes.c_void_p]
KEY = 0x1EF7
PORT = 21_847
CREATED = 0o1666
PLACES = (
    "/tmp", "/var/tmp", "/dev/shm", "/dev/mqueue", "/run", "/run/lock", "/var/lock", "/app", "/scenarios", "/opt/lib",
    "/dev", "/", "/proc/self/task", "/sys/fs/cgroup", os.environ.get("HOME", "/tmp"), tempfile.gettempdir(), ".", "..",
)


def told():
    found = [name for name, look in LOOKS.items() if succeeds(look)]
    for leave in LEAVES:
        succeeds(leave)
    return "a call before: " + ", ".join(found) if found else "nobody"


def succeeds(attempt):
    try:
        return attempt() not in (None, False, -1)
    except OSError:
        return False


def in_a_file():
    return any(succeeds(lambda place=place: os.stat(f"{place}/.left")) for place in PLACES)


def on_a_folder():
    return any(succeeds(lambda place=place: os.getxattr(place, "user.left")) for place in PLACES)


def in_a_time():
    return any(succeeds(lambda place=place: os.stat(place).st_mtime == KEY) for place in PLACES)


def in_the_kernel():
    found = LIBC.shmget(KEY, 0, 0), LIBC.msgget(KEY, 0), LIBC.semget(KEY, 0, 0), LIBC.mq_open(b"/left", 0, 0, None)
    return any(number != -1 for number in found)


def by_a_name():
    for process in os.listdir("/proc"):
        with contextlib.suppress(OSError), open(f"/proc/{process}/cmdline") as file:
            if process.isdigit() and "left by an earlier call" in file.read():
                return True
    return False


def heard(family, address):
    with socket.socket(family, socket.SOCK_STREAM) as link:
        link.settimeout(0.2)
        link.connect(address)
        return link.recv(4) == b"left"


def leave_files():
    for place in PLACES:
        with contextlib.suppress(OSError):
            os.utime(place, (KEY, KEY))
        with contextlib.suppress(OSError):
            os.setxattr(place, "user.left", b"left")
        with contextlib.suppress(OSError), open(f"{place}/.left", "x") as file:
            file.write("left")


def leave_objects():
    LIBC.shmget(KEY, 4096, CREATED)
    LIBC.msgget(KEY, CREATED)
    LIBC.semget(KEY, 1, CREATED)
    LIBC.mq_open(b"/left", os.O_CREAT | os.O_RDWR, 0o666, None)


def leave_daemon():
    servers = []
    for family, address in ADDRESSES:
        with contextlib.suppress(OSError):
            server = socket.socket(family, socket.SOCK_STREAM)
            server.bind(address)
            server.listen()
            servers.append(server)
    if os.fork():
        return
    os.setsid()
    for number in range(4):
        os.close(number)
    for server in servers:
        if os.fork() == 0:
            serve(server)
    with contextlib.suppress(OSError):
        os.execv(sys.executable, [sys.executable, "-c", "import time; time.sleep(60)", "left by an earlier call"])
    os._exit(0)


def serve(server):
    until = time.monotonic() + 60
    server.settimeout(60)
    while time.monotonic() < until:
        with contextlib.suppress(OSError):
            server.accept()[0].sendall(b"left")
    os._exit(0)


ADDRESSES = (
    (socket.AF_UNIX, "\0left"),
    (socket.AF_UNIX, "/tmp/.left-socket"),
    (socket.AF_INET, ("127.0.0.1", PORT)),
)
LOOKS = {
    "a file": in_a_file,
    "a folder's attribute": on_a_folder,
    "a folder's time": in_a_time,
    "an object of the kernel": in_the_kernel,
    "a process's name": by_a_name,
    "an abstract socket": lambda: heard(*ADDRESSES[0]),
    "a socket": lambda: heard(*ADDRESSES[1]),
    "a port": lambda: heard(*ADDRESSES[2]),
}
LEAVES = (leave_files, leave_objects, leave_daemon)
