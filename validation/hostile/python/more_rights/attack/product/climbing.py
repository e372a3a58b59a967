import ctypes
import os
import resource
import socket

LIBC = ctypes.CDLL(None, use_errno=True)
WRITTEN = (
    "/app/x", "/scenarios/x", "/opt/lib/x", "/env/x", "/run/x", "/tmp/../x", "/x",
    "/etc/x", "/usr/x", "/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger", "/dev/mem", "/dev/kmsg",
    "/sys/kernel/uevent_helper", "/proc/1/oom_score_adj", "/sys/fs/cgroup/x",
)


def gained():
    names = [name for name, attempt in ATTEMPTS.items() if worked(attempt)]
    names += [f"writing {place}" for place in WRITTEN if worked(lambda place=place: write(place))]
    return ", ".join(names) or "no rights"


def worked(attempt):
    try:
        result = attempt()
    except (OSError, ValueError, OverflowError):
        return False
    return result is None or result == 0


def write(place):
    there = os.path.exists(place)
    os.close(os.open(place, os.O_WRONLY | (0 if there else os.O_CREAT)))


def root_file():
    with open("mine", "w"):
        os.chown("mine", 0, 0)


def device():
    os.mknod("device", 0o60600, os.makedev(8, 0))


def low_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 80))


def raw_socket():
    socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP).close()


def more_memory():
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    if hard == resource.RLIM_INFINITY:
        raise OSError
    resource.setrlimit(resource.RLIMIT_AS, (hard * 2, hard * 2))


ATTEMPTS = {
    "uid 0": lambda: os.setuid(0),
    "gid 0": lambda: os.setgid(0),
    "groups": lambda: os.setgroups([0, 1]),
    "another uid": lambda: os.setresuid(*[os.getuid() + 1] * 3),
    "a user namespace": lambda: LIBC.unshare(0x10000000),
    "a mount namespace": lambda: LIBC.unshare(0x00020000),
    "a mount": lambda: LIBC.mount(b"none", b"/tmp", b"tmpfs", 0, None),
    "a remount": lambda: LIBC.mount(None, b"/app", None, 0x1020, None),
    "an unmount": lambda: LIBC.umount2(b"/app", 2),
    "another root": lambda: os.chroot("."),
    "another host name": lambda: socket.sethostname("mine"),
    "the clock": lambda: LIBC.stime(ctypes.byref(ctypes.c_long(0))) if hasattr(LIBC, "stime") else -1,
    "a file of uid 0": root_file,
    "a device": device,
    "a low port": low_port,
    "a raw socket": raw_socket,
    "more memory": more_memory,
    "priority": lambda: os.setpriority(os.PRIO_PROCESS, 0, -5),
    "a signal to the first process": lambda: os.kill(1, 0),
    "a signal to the driver": lambda: os.kill(os.getppid(), 0),
    "a trace of the driver": lambda: LIBC.ptrace(0x4206, os.getppid(), 0, 0),
}
