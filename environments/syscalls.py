"""Which system calls a sandbox refuses, as a classic BPF program that bubblewrap installs before the first program.

What is refused is what a build, a test run or a product has no use for and what reaches past the namespaces: the
kernel's wide and young interfaces, and sockets of families that no network namespace separates.
"""

from __future__ import annotations

import platform
import struct
from collections.abc import Sequence
from dataclasses import dataclass

from taskpack.errors import SandboxUnavailable

Instruction = tuple[int, int, int, int]
"""Code, jump if true, jump if false, operand."""

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCHITECTURE = 0, 4
_KILL, _ALLOW, _ERRNO = 0x8000_0000, 0x7FFF_0000, 0x0005_0000
_EPERM, _ENOSYS, _EOPNOTSUPP = 1, 38, 95
_X32 = 0x4000_0000

# NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET; NEWTIME shares its bit with clone's exit signal.
_NEW_NAMESPACES = 0x7E02_0000
_NEW_TIME = 0x80
_UNIX, _INET, _INET6, _NETLINK, _NETLINK_ROUTE = 1, 2, 10, 16, 0
_TERMINAL_INPUT = (0x5412, 0x541C)  # TIOCSTI, TIOCLINUX
_IPV6, _FLOW_LABELS = 41, 32
_DONT_NEED = 4
_NO_WAIT = 8
_PERSONALITY = (0xFFFF_FFFF, 0)  # reading it, and the ordinary one


@dataclass(frozen=True, kw_only=True)
class Machine:
    """An architecture whose numbers are in the tables below."""

    column: int
    audit: int
    """What the kernel calls it in `seccomp_data.arch`."""


MACHINES = {"x86_64": Machine(column=0, audit=0xC000_003E), "aarch64": Machine(column=1, audit=0xC000_00B7)}

# name: number on x86_64, number on aarch64 (-1: there is none)
REFUSED: dict[str, tuple[int, int]] = {
    # keys of the kernel
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    # wide interfaces with many faults in the past
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "fanotify_init": (300, 262),
    # the kernel itself
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "reboot": (169, 142),
    "syslog": (103, 116),
    "acct": (163, 89),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "lookup_dcookie": (212, 18),
    "iopl": (172, -1),
    "ioperm": (173, -1),
    # mounts and namespaces
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "open_tree_attr": (467, 467),
    "statmount": (457, 457),
    "listmount": (458, 458),
    "setns": (308, 268),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    # other processes: a traced zombie cannot be reaped by its own parent
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "pidfd_getfd": (438, 438),
    "kcmp": (312, 272),
    # one store, or one disk, for the whole machine: contexts are counted for all users together, a flush is for all
    # file systems and cannot be killed
    "io_setup": (206, 0),
    "sync": (162, 81),
    "syncfs": (306, 267),
    # which pages of a file are in memory, whoever read them
    "cachestat": (451, 451),
    # memory that is nobody's
    "memfd_secret": (447, 447),
}
UNMEASURED: dict[str, tuple[int, int]] = {"memfd_create": (319, 279), "shmget": (29, 194)}
"""Memory that no process maps cannot be seen by sampling: refused where a watcher holds the bound."""
_CLONE, _CLONE3, _UNSHARE = (56, 220), (435, 435), (272, 97)
_SOCKET, _SOCKETPAIR, _IOCTL, _PERSONALITY_CALL = (41, 198), (53, 199), (16, 29), (135, 92)
_SETSOCKOPT, _FADVISE, _PREADV2 = (54, 208), (221, 223), (327, 286)


def filter_program(*, measured: bool, machine: str | None = None) -> bytes:
    """The program for `machine` (this one by default). `measured` says that a cgroup counts the memory.

    Raises `SandboxUnavailable` on an architecture whose numbers are not known here.
    """
    name = machine or platform.machine()
    if name not in MACHINES:
        raise SandboxUnavailable(
            f"there is no system call filter for {name}",
            details={"known": ", ".join(sorted(MACHINES))},
            remedy="run on one of these, or add its numbers to environments/syscalls.py",
        )
    known = MACHINES[name]
    answers = dict.fromkeys(REFUSED, _EPERM) | ({} if measured else dict.fromkeys(UNMEASURED, _ENOSYS))
    numbers = REFUSED | UNMEASURED
    program: list[Instruction] = [*_head(known)]
    for call, error in answers.items():
        if numbers[call][known.column] >= 0:
            program += _when(numbers[call][known.column], [_refuse(error)])
    for called, rule in _argument_rules():
        program += _when(called[known.column], rule)
    program.append(_allow())
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in program)


def _head(machine: Machine) -> list[Instruction]:
    """Another architecture's calls have other numbers: a process that makes one is killed."""
    head = [_load(_ARCHITECTURE), (_EQUAL, 1, 0, machine.audit), (_RETURN, 0, 0, _KILL), _load(_NUMBER)]
    if machine is MACHINES["x86_64"]:  # -1 is no call of x32, but how some programs ask for ENOSYS
        head += [(_AT_LEAST, 0, 2, _X32), (_EQUAL, 1, 0, 0xFFFF_FFFF), (_RETURN, 0, 0, _KILL)]
    return head


def _argument_rules() -> list[tuple[tuple[int, int], list[Instruction]]]:
    """Calls that are refused with some arguments. The kernel reads the low half of each of these."""
    return [
        # Its flags lie in memory, out of a filter's reach; without it, libraries use clone.
        (_CLONE3, [_refuse(_ENOSYS)]),
        (_CLONE, [_load_argument(0), (_ANY_BIT, 0, 1, _NEW_NAMESPACES), _refuse(_EPERM), _allow()]),
        (_UNSHARE, [_load_argument(0), (_ANY_BIT, 0, 1, _NEW_NAMESPACES | _NEW_TIME), _refuse(_EPERM), _allow()]),
        (_PERSONALITY_CALL, [_load_argument(0), *_allowed(_PERSONALITY), _refuse(_EPERM)]),
        (
            _IOCTL,
            [
                _load_argument(1),
                *(word for code in _TERMINAL_INPUT for word in _when(code, [_refuse(_EPERM)])),
                _allow(),
            ],
        ),
        # Labels of IPv6 stay for minutes when their socket is gone, each with an address of one's choice.
        (
            _SETSOCKOPT,
            [
                _load_argument(1),
                (_EQUAL, 0, 3, _IPV6),
                _load_argument(2),
                *_when(_FLOW_LABELS, [_refuse(_EPERM)]),
                _allow(),
            ],
        ),
        # Which pages of a file are in memory, whoever reads it next can see, in any sandbox: nobody puts some out, and
        # nobody asks without reading.
        (_FADVISE, [_load_argument(3), *_when(_DONT_NEED, [_refuse(_EPERM)]), _allow()]),
        (_PREADV2, [_load_argument(5), (_ANY_BIT, 0, 1, _NO_WAIT), _refuse(_EOPNOTSUPP), _allow()]),
        (_SOCKETPAIR, [_load_argument(0), *_allowed((_UNIX,)), _refuse(_EPERM)]),
        # Resolvers and interface lists ask over netlink's route protocol, inside the sandbox's own network.
        (
            _SOCKET,
            [
                _load_argument(0),
                *_allowed((_UNIX, _INET, _INET6)),
                *_when(_NETLINK, [_load_argument(2), *_allowed((_NETLINK_ROUTE,))]),
                _refuse(_EPERM),
            ],
        ),
    ]


def _load(offset: int) -> Instruction:
    return (_LOAD, 0, 0, offset)


def _load_argument(number: int) -> Instruction:
    return _load(16 + 8 * number)  # little endian: the low half comes first


def _when(value: int, then: Sequence[Instruction]) -> list[Instruction]:
    """Run `then` only if what was loaded is `value`."""
    return [(_EQUAL, 0, len(then), value), *then]


def _allowed(values: Sequence[int]) -> list[Instruction]:
    return [word for value in values for word in _when(value, [_allow()])]


def _refuse(error: int) -> Instruction:
    return (_RETURN, 0, 0, _ERRNO | error)


def _allow() -> Instruction:
    return (_RETURN, 0, 0, _ALLOW)
