"""Which system calls a container may make, as a profile for the engine. What is not listed here is refused.

The engine's own profile lets through sockets of families that no network namespace separates, which differs from
release to release; this one is the same everywhere, and refuses at least what `local` refuses.
"""

from __future__ import annotations

from taskpack.record import to_json

_NAMES = """
    accept accept4 access adjtimex alarm arch_prctl bind brk capget capset chdir chmod chown clock_adjtime
    clock_getres clock_gettime clock_nanosleep close close_range connect copy_file_range creat dup dup2 dup3
    epoll_create epoll_create1 epoll_ctl epoll_pwait epoll_pwait2 epoll_wait eventfd eventfd2 execve execveat exit
    exit_group faccessat faccessat2 fallocate fchdir fchmod fchmodat fchmodat2 fchown fchownat fcntl
    fdatasync fgetxattr flistxattr flock fork fremovexattr fsetxattr fstat fstatat fstatfs fsync ftruncate futex
    futex_requeue futex_wait futex_waitv futex_wake futimesat get_mempolicy get_robust_list get_thread_area getcpu
    getcwd getdents getdents64 getegid geteuid getgid getgroups getitimer getpeername getpgid getpgrp getpid getppid
    getpriority getrandom getresgid getresuid getrlimit getrusage getsid getsockname getsockopt gettid gettimeofday
    getuid getxattr inotify_add_watch inotify_init inotify_init1 inotify_rm_watch ioprio_get ioprio_set kill
    landlock_add_rule landlock_create_ruleset landlock_restrict_self lchown lgetxattr link linkat listen listxattr
    llistxattr lremovexattr lseek lsetxattr lstat madvise map_shadow_stack membarrier memfd_create mincore mkdir
    mkdirat mknod mknodat mlock mlock2 mlockall mmap mprotect mq_getsetattr mq_notify mq_open mq_timedreceive
    mq_timedsend mq_unlink mremap mseal msgctl msgget msgrcv msgsnd msync munlock munlockall munmap nanosleep
    newfstatat open openat openat2 pause pidfd_open pidfd_send_signal pipe pipe2 pkey_alloc pkey_free pkey_mprotect
    poll ppoll prctl pread64 preadv prlimit64 process_madvise process_mrelease pselect6 pwrite64 pwritev
    pwritev2 read readahead readlink readlinkat readv recvfrom recvmmsg recvmsg remap_file_pages removexattr rename
    renameat renameat2 restart_syscall rmdir rseq rt_sigaction rt_sigpending rt_sigprocmask rt_sigqueueinfo
    rt_sigreturn rt_sigsuspend rt_sigtimedwait rt_tgsigqueueinfo sched_get_priority_max sched_get_priority_min
    sched_getaffinity sched_getattr sched_getparam sched_getscheduler sched_rr_get_interval sched_setaffinity
    sched_setattr sched_setparam sched_setscheduler sched_yield seccomp select semctl semget semop semtimedop
    sendfile sendmmsg sendmsg sendto set_robust_list set_thread_area set_tid_address setfsgid setfsuid setgid
    setgroups setitimer setpgid setpriority setregid setresgid setresuid setreuid setrlimit setsid setuid
    setxattr shmat shmctl shmdt shmget shutdown sigaltstack signalfd signalfd4 splice stat statfs statx symlink
    symlinkat sync_file_range sysinfo tee tgkill time timer_create timer_delete timer_getoverrun timer_gettime
    timer_settime timerfd_create timerfd_gettime timerfd_settime times tkill truncate umask uname unlink unlinkat
    utime utimensat utimes vfork vmsplice wait4 waitid write writev
"""
ALLOWED = frozenset(_NAMES.split())
"""Names that an architecture does not have are passed over by the engine."""

_NEW_NAMESPACES = 0x7E02_0000
_NEW_TIME = 0x80
_ENOSYS = 38
_UNIX, _INET, _INET6, _NETLINK, _NETLINK_ROUTE = 1, 2, 10, 16, 0
_LEVELS = (0, 1, 6, 17, 58, 136, 255, 270)
"""Of options of sockets: IP, sockets, TCP, UDP, ICMPv6, UDP-Lite, raw, netlink. IPv6 is apart."""
_IPV6, _IPV6_OPTIONS, _FLOW_LABELS = 41, range(1, 81), 32
_ADVICE, _DONT_NEED = range(8), 4
_NO_WAIT = 8

Rule = dict[str, object]


def profile() -> str:
    """The profile as the engine wants it."""
    rules: list[Rule] = [
        {"names": sorted(ALLOWED), "action": "SCMP_ACT_ALLOW"},
        *(_when("socket", _equal(0, family)) for family in (_UNIX, _INET, _INET6)),
        _when("socket", _equal(0, _NETLINK), _equal(2, _NETLINK_ROUTE)),
        _when("socketpair", _equal(0, _UNIX)),
        *(_when("personality", _equal(0, persona)) for persona in (0, 0xFFFF_FFFF)),
        _when("clone", _without(0, _NEW_NAMESPACES)),
        _when("unshare", _without(0, _NEW_NAMESPACES | _NEW_TIME)),
        # As `local`: what outlives a socket, and what tells which pages of a file are in memory.
        *(_when("setsockopt", _low(1, level)) for level in _LEVELS),
        *(_when("setsockopt", _low(1, _IPV6), _low(2, each)) for each in _IPV6_OPTIONS if each != _FLOW_LABELS),
        *(_when("fadvise64", _low(3, each)) for each in _ADVICE if each != _DONT_NEED),
        _when("preadv2", _without(5, _NO_WAIT)),
        # Its flags lie in memory, out of a filter's reach; without it, libraries use clone.
        {"names": ["clone3"], "action": "SCMP_ACT_ERRNO", "errnoRet": _ENOSYS},
        # Terminals: none of the host's is ever inside, so what can be pushed into one is the program's own.
        {"names": ["ioctl"], "action": "SCMP_ACT_ALLOW"},
    ]
    return to_json({"defaultAction": "SCMP_ACT_ERRNO", "syscalls": rules}).decode()


def _when(call: str, *conditions: Rule) -> Rule:
    return {"names": [call], "action": "SCMP_ACT_ALLOW", "args": list(conditions)}


def _equal(index: int, value: int) -> Rule:
    return {"index": index, "value": value, "op": "SCMP_CMP_EQ"}


def _low(index: int, value: int) -> Rule:
    """The kernel reads the low half of such an argument alone, whatever stands in the other."""
    return {"index": index, "value": 0xFFFF_FFFF, "valueTwo": value, "op": "SCMP_CMP_MASKED_EQ"}


def _without(index: int, bits: int) -> Rule:
    return {"index": index, "value": bits, "valueTwo": 0, "op": "SCMP_CMP_MASKED_EQ"}
