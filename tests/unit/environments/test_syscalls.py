"""The filter's program, run by a small interpreter of its own for both architectures."""

from __future__ import annotations

import errno
import struct

import pytest

from environments.syscalls import MACHINES, REFUSED, UNMEASURED, filter_program
from taskpack.errors import SandboxUnavailable

ALLOW, KILL = "allow", "kill"
X86, ARM = "x86_64", "aarch64"
both = pytest.mark.parametrize("machine", [X86, ARM])


def verdict(program: bytes, machine: str, number: int, *args: int) -> str | int:
    """What the kernel would do: the meaning of each instruction is that of the packet filter's manual."""
    words = [*args, *([0] * (6 - len(args)))]
    data = struct.pack("<iIQ6Q", number if number < 2**31 else number - 2**32, MACHINES[machine].audit, 0, *words)
    rows = list(struct.iter_unpack("=HBBI", program))
    at, held = 0, 0
    while True:
        code, if_true, if_false, operand = rows[at]
        at += 1
        if code == 0x20:
            (held,) = struct.unpack_from("<I", data, operand)
        elif code == 0x06:
            kind = operand & 0xFFFF_0000
            return {0x7FFF_0000: ALLOW, 0x8000_0000: KILL}.get(kind, operand & 0xFFFF)
        else:
            hit = {0x15: held == operand, 0x35: held >= operand, 0x45: bool(held & operand)}[code]
            at += if_true if hit else if_false


def number(name: str, machine: str) -> int:
    return (REFUSED | UNMEASURED)[name][MACHINES[machine].column]


@both
def test_every_named_call_is_refused_and_its_neighbours_are_not(machine: str) -> None:
    program = filter_program(measured=True, machine=machine)
    numbers = {number(name, machine) for name in REFUSED} - {-1}
    for call in numbers:
        assert verdict(program, machine, call) == errno.EPERM
    ruled = {56, 435, 272, 41, 53, 16, 135, 54, 221, 327}
    if machine == ARM:
        ruled = {220, 435, 97, 198, 199, 29, 92, 208, 223, 286}
    for call in set(range(600)) - numbers - ruled:
        assert verdict(program, machine, call) == ALLOW


@both
def test_memory_that_cannot_be_sampled_is_refused_only_where_it_is_sampled(machine: str) -> None:
    for name in UNMEASURED:
        call = number(name, machine)
        assert verdict(filter_program(measured=True, machine=machine), machine, call) == ALLOW
        assert verdict(filter_program(measured=False, machine=machine), machine, call) == errno.ENOSYS


@both
@pytest.mark.parametrize(
    ("family", "protocol", "expected"),
    [(1, 0, ALLOW), (2, 6, ALLOW), (10, 17, ALLOW), (16, 0, ALLOW), (16, 9, errno.EPERM)]
    + [(family, 0, errno.EPERM) for family in (0, 3, 9, 17, 21, 29, 30, 31, 38, 40, 43, 44, 45)],
)
def test_sockets_by_family(machine: str, family: int, protocol: int, expected: str | int) -> None:
    call = {X86: 41, ARM: 198}[machine]
    program = filter_program(measured=True, machine=machine)
    assert verdict(program, machine, call, family, 1, protocol) == expected
    assert verdict(program, machine, call, family | 1 << 40, 1, protocol) == expected  # the kernel reads the low half


@both
def test_clones_by_flag(machine: str) -> None:
    program = filter_program(measured=True, machine=machine)
    clone, unshare = {X86: (56, 272), ARM: (220, 97)}[machine]
    assert verdict(program, machine, 435) == errno.ENOSYS
    assert verdict(program, machine, clone, 0x3D0F00) == ALLOW  # a thread
    assert verdict(program, machine, clone, 17) == ALLOW  # a fork
    for bit in (17, 25, 26, 27, 28, 29, 30):
        assert verdict(program, machine, clone, 1 << bit | 17) == errno.EPERM
        assert verdict(program, machine, unshare, 1 << bit) == errno.EPERM
    assert verdict(program, machine, unshare, 0x80) == errno.EPERM  # a time namespace
    assert verdict(program, machine, unshare, 0x400) == ALLOW


def test_another_architecture_is_killed() -> None:
    program = filter_program(measured=True, machine=X86)
    assert verdict(program, ARM, 0) == KILL
    assert verdict(program, X86, 0x4000_0000) == KILL
    assert verdict(program, X86, 0x4000_0000 + 520) == KILL
    assert verdict(program, X86, 0xFFFF_FFFF) == ALLOW  # no call at all: the kernel says so itself
    assert verdict(filter_program(measured=True, machine=ARM), X86, 0) == KILL


def test_an_unknown_architecture_is_refused_by_name() -> None:
    with pytest.raises(SandboxUnavailable, match="riscv64"):
        filter_program(measured=True, machine="riscv64")


@both
@pytest.mark.parametrize(
    ("numbers", "refused", "error", "allowed"),
    [
        ((54, 208), (3, 41, 32, 0, 0), errno.EPERM, [(3, 41, 26, 0, 0), (3, 6, 32, 0, 0), (3, 1, 41, 0, 0)]),
        ((221, 223), (3, 0, 0, 4), errno.EPERM, [(3, 0, 0, 1), (3, 0, 0, 2), (3, 4, 4, 0)]),
        ((327, 286), (3, 0, 1, 0, 0, 9), errno.EOPNOTSUPP, [(3, 0, 1, 0, 0, 1), (3, 0, 1, 8, 8, 0)]),
    ],
    ids=["labels of flows", "putting pages out of memory", "asking for pages in memory"],
)
def test_what_stays_in_the_kernel_is_refused_by_its_arguments(
    machine: str, numbers: tuple[int, int], refused: tuple[int, ...], error: int, allowed: list[tuple[int, ...]]
) -> None:
    program, call = filter_program(measured=True, machine=machine), numbers[MACHINES[machine].column]
    assert verdict(program, machine, call, *refused) == error
    assert verdict(program, machine, call, *(word | 1 << 32 for word in refused)) == error
    assert [verdict(program, machine, call, *words) for words in allowed] == [ALLOW] * len(allowed)
