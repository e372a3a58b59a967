"""Ways in which one call could tell a later one something, as a product that tries them all, and its scenarios."""

from __future__ import annotations

CHANNELS = '''
import ctypes, os, re, socket, struct, sys, time

LIBC = ctypes.CDLL(None, use_errno=True)
KEYS = {"x86_64": (248, 250), "aarch64": (217, 219)}.get(os.uname().machine)
PLACES = ("~", "/tmp", "/tmp/bytecode", "/var/tmp", "/dev/shm", "/dev/mqueue", "/run", "/app", "/app/src", "/scenarios",
          "/opt/lib", "/env")
SHARED = ("/tmp", "/var/tmp", "/dev/shm")

def number_of(mark): return int(mark[:7], 16)

def stay(name, work):
    """A process that outlives its parent, holding what `work` makes; answers when it is there."""
    reader, writer = os.pipe()
    if os.fork() == 0:
        os.setsid()
        if os.fork():
            os._exit(0)
        try:
            held = work()
            os.write(writer, b"x")
            for number in range(3):
                os.close(number)
            time.sleep(600)
        finally:
            os._exit(0)
    os.close(writer)
    os.wait()
    if not os.read(reader, 1):
        raise OSError(name)

def listening(family, place):
    one = socket.socket(family)
    one.bind(place)
    one.listen()
    return one

def meet(family, place):
    with socket.socket(family) as one:
        one.connect(place)

def leave_connection(mark):
    """Its own end is closed first, so that the kernel keeps it for a minute."""
    with listening(socket.AF_INET, ("127.0.0.1", 0)) as server, socket.socket() as one:
        one.bind(("127.0.0.1", 40000 + number_of(mark) % 9999))
        one.connect(server.getsockname())
        other, _ = server.accept()
        one.close()
        other.recv(1)
        other.close()

def find_connection(mark):
    with open("/proc/net/tcp") as rows:
        equal(f":{40000 + number_of(mark) % 9999:04X} " in rows.read(), True)

def leave_deaf_connection(mark):
    """Its last words are never heard to be received: for minutes nobody has it, and the kernel says them again."""
    with listening(socket.AF_INET, ("127.0.0.2", 30000 + number_of(mark) % 9999)) as server, socket.socket() as one:
        one.connect(server.getsockname())
        server.accept()
        one.setsockopt(socket.IPPROTO_IP, 21, 255)  # IP_MINTTL
        one.send(b"x")

def find_deaf_connection(mark):
    with open("/proc/net/tcp") as rows:
        equal(f":{30000 + number_of(mark) % 9999:04X} " in rows.read(), True)

def leave_unreachable(mark):
    """Each of them lies in a message to the other, and nobody closes one before the process ends."""
    one, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    named = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    named.bind("\\0unreachable" + mark)
    socket.send_fds(one, [b"x"], [named.fileno(), other.fileno(), one.fileno()])
    socket.send_fds(other, [b"x"], [named.fileno(), one.fileno(), other.fileno()])
    for each in (one, other, named):
        each.detach()

def find_unreachable(mark):
    with open("/proc/net/unix") as rows:
        equal("@unreachable" + mark in rows.read(), True)

def bits_of(mark):
    return [place for place in range(24) if number_of(mark) >> place & 1]

def leave_speed(mark):
    for place in bits_of(mark):
        with listening(socket.AF_INET, (f"127.1.1.{1 + place}", 0)) as server, socket.socket() as one:
            one.connect(server.getsockname())
            other, _ = server.accept()
            for sender, reader in ((one, other), (other, one)) * 3:
                sender.send(b"x")
                reader.recv(1)
            other.close()

def patience_with(address):
    """How long the first answer is waited for, in microseconds."""
    with listening(socket.AF_INET, (address, 0)) as server, socket.socket() as one:
        one.connect(server.getsockname())
        return struct.unpack_from("=I", one.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 104), 8)[0]

def find_speed(mark):
    """With some address of which something was kept it is another time than with one that nobody has spoken to."""
    new = patience_with("127.2.2.2")
    equal(any(patience_with(f"127.1.1.{1 + place}") != new for place in bits_of(mark)), True)

def label(mark):
    return socket.inet_pton(socket.AF_INET6, "::1") + struct.pack(">I", number_of(mark) % 0xfffff + 1)

def leave_label(mark):
    with socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as one:
        one.setsockopt(41, 32, label(mark) + struct.pack("=BBHHHI", 0, 255, 1, 60, 60, 0))

def find_label(mark):
    with open("/proc/net/ip6_flowlabel") as rows:
        equal(f"{number_of(mark) % 0xfffff + 1:05X} " in rows.read(), True)

def bytecode(place):
    return f"/run/bytecode/app/src/bits/bit{place}.cpython-311.pyc".replace("311", f"3{sys.version_info[1]}")

def leave_reading(mark):
    os.stat(bytecode(0))
    for place in bits_of(mark):
        with open(bytecode(place), "rb") as file:
            file.read()

def find_reading(mark):
    read = [place for place in range(24) if os.stat(bytecode(place)).st_atime_ns > os.stat(bytecode(place)).st_mtime_ns]
    equal(read, bits_of(mark))

def file_in(folder, mark):
    return os.path.join(os.path.expanduser(folder), mark)

def key(ring, mark):
    if KEYS is None or LIBC.syscall(KEYS[0], b"user", mark.encode(), b"x", ctypes.c_size_t(1), ring) < 0:
        raise OSError("no keys")

def find_key(ring, mark):
    if KEYS is None or LIBC.syscall(KEYS[1], 10, ring, b"user", mark.encode(), 0) < 0:
        raise OSError("no such key")

def time_of(mark):
    return number_of(mark) * 10**9

def rules(mark):
    """An access list that names a uid."""
    rows = ((1, 7, -1), (2, 7, 1 + number_of(mark) % 50_000), (4, 0, -1), (0x10, 7, -1), (0x20, 0, -1))
    return struct.pack("<I", 2) + b"".join(struct.pack("<HHi", *row) for row in rows)

def uids_in(rules):
    return [struct.unpack_from("<HHi", rules, place)[2] for place in range(4, len(rules), 8)]

def equal(one, other):
    if one != other:
        raise ValueError

def checked(number):
    if number < 0:
        raise OSError(ctypes.get_errno())

def find_process(mark):
    for name in os.listdir("/proc"):
        try:
            with open(f"/proc/{name}/comm") as file:
                if file.read().strip() == mark[:15]:
                    return
        except OSError:
            continue
    raise OSError("no such process")

def in_memory(mark):
    with open("/proc/self/maps") as rows, open("/proc/self/mem", "rb", buffering=0) as memory:
        for row in rows:
            start, end, mode = re.match("([0-9a-f]+)-([0-9a-f]+) (..)", row).groups()
            if mode == "rw":
                try:
                    memory.seek(int(start, 16))
                    data = memory.read(int(end, 16) - int(start, 16)) or b""
                except (OSError, OverflowError):
                    continue
                if re.search(mark.encode() + b"-the-[r]est", data):
                    return
    raise OSError("not there")

LEAVE = {
    **{f"a file in {place}": lambda mark, place=place: open(file_in(place, mark), "w").close() for place in PLACES},
    **{f"the time of {place}": lambda mark, place=place: os.utime(place, ns=(0, time_of(mark))) for place in SHARED},
    **{f"an attribute of {place}": lambda mark, place=place: os.setxattr(place, "user.mark", mark.encode())
       for place in SHARED},
    **{f"a rule of {place}": lambda mark, place=place: os.setxattr(place, "system.posix_acl_access", rules(mark))
       for place in SHARED},
    "shared memory": lambda mark: checked(LIBC.shmget(number_of(mark), 4096, 0o1666)),
    "a message queue": lambda mark: checked(LIBC.msgget(number_of(mark), 0o1666)),
    "a semaphore": lambda mark: checked(LIBC.semget(number_of(mark), 1, 0o1666)),
    "an abstract socket": lambda mark: stay(mark, lambda: listening(socket.AF_UNIX, "\\0" + mark)),
    "a port": lambda mark: stay(mark, lambda: listening(socket.AF_INET, ("127.0.0.1", 20000 + number_of(mark) % 9999))),
    "a connection": leave_connection,
    "an unreachable socket": leave_unreachable,
    "the speed of an address": leave_speed,
    "a label of a flow": leave_label,
    "when something was read": leave_reading,
    "a process": lambda mark: stay(mark, lambda: open("/proc/self/comm", "w").write(mark[:15])),
    "a key of the user": lambda mark: key(-4, mark),
    "memory": lambda mark: None,
}
FIND = {
    **{f"a file in {place}": lambda mark, place=place: os.stat(file_in(place, mark)) for place in PLACES},
    **{f"the time of {place}": lambda mark, place=place: equal(os.stat(place).st_mtime_ns, time_of(mark))
       for place in SHARED},
    **{f"an attribute of {place}": lambda mark, place=place: equal(os.getxattr(place, "user.mark"), mark.encode())
       for place in SHARED},
    **{f"a rule of {place}": lambda mark, place=place: equal(
        uids_in(os.getxattr(place, "system.posix_acl_access"))[1], uids_in(rules(mark))[1]) for place in SHARED},
    "shared memory": lambda mark: checked(LIBC.shmget(number_of(mark), 0, 0)),
    "a message queue": lambda mark: checked(LIBC.msgget(number_of(mark), 0)),
    "a semaphore": lambda mark: checked(LIBC.semget(number_of(mark), 0, 0)),
    "an abstract socket": lambda mark: meet(socket.AF_UNIX, "\\0" + mark),
    "a port": lambda mark: meet(socket.AF_INET, ("127.0.0.1", 20000 + number_of(mark) % 9999)),
    "a connection": find_connection,
    "an unreachable socket": find_unreachable,
    "the speed of an address": find_speed,
    "a label of a flow": find_label,
    "when something was read": find_reading,
    "a process": lambda mark: find_process(mark),
    "a key of the user": lambda mark: find_key(-4, mark),
    "memory": in_memory,
}
SESSION = -3

def open_processes():
    """Other processes whose memory or pipes can be opened."""
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit() and int(name) != os.getpid():
            for place in ("mem", "fd/0", "fd/1"):
                try:
                    os.close(os.open(f"/proc/{name}/{place}", os.O_RDWR if place == "mem" else os.O_WRONLY))
                except OSError:
                    continue
                found.append(f"{name}: {place}")
    return found

OF_FOLDERS = ("the time of", "an attribute of", "a rule of")

def worked(attempts, mark, of_folders=False):
    names = []
    for name, attempt in attempts.items():
        if name.startswith(OF_FOLDERS) != of_folders:
            continue
        try:
            attempt(mark)
        except (OSError, ValueError):
            continue
        names.append(name)
    return names
'''
SCENARIO = """
import channels

def left(mark, rest):
    return channels.worked(channels.LEAVE, mark)

def found(mark):
    return channels.worked(channels.FIND, mark)

def both(mark, rest):
    channels.worked(channels.LEAVE, mark)
    return channels.worked(channels.FIND, mark)

def folders_left(mark):
    return channels.worked(channels.LEAVE, mark, of_folders=True)

def folders_found(mark):
    return channels.worked(channels.FIND, mark, of_folders=True)

def folders_both(mark):
    folders_left(mark)
    return folders_found(mark)

def open_processes():
    return channels.open_processes()

def deaf_left(mark):
    channels.leave_deaf_connection(mark)
    channels.find_deaf_connection(mark)
    print("left")

def deaf_found(mark):
    return channels.worked({"it": channels.find_deaf_connection}, mark)

def key_left(mark):
    channels.key(channels.SESSION, mark)
    return "left"

def key_found(mark):
    channels.find_key(channels.SESSION, mark)
    return "found"
"""
