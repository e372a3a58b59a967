"""Control groups on made-up trees of both versions: where a group goes, what is written there, what is read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from environments.cgroups import Place, group_name, read_place, sweep_groups
from environments.interface import Limits, Mechanism

LIMITS = Limits(memory_mb=100, processes=30)


def v1_mounts(root: Path) -> str:
    names = ["cpu,cpuacct", "memory", "pids"]
    rows = [f"30 20 0:2{n} / {root}/{name} rw - cgroup cgroup rw,{name}" for n, name in enumerate(names)]
    return "\n".join(["20 1 8:1 / / rw shared:1 - ext4 /dev/vda rw", *rows]) + "\n"


def v2_mounts(root: Path, shown: str = "/") -> str:
    return f"20 1 8:1 / / rw - ext4 /dev/vda rw\n35 20 0:30 {shown} {root} rw,nosuid shared:9 - cgroup2 cgroup2 rw\n"


def made(folder: Path, **files: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name.replace("__", ".")).write_text(text)
    return folder


def test_version_1_goes_below_our_own_group_of_each_controller(tmp_path: Path) -> None:
    own = "9:memory:/job/7\n8:cpu,cpuacct:/\n7:pids:/job\n0::/\n"
    folders = tuple(made(tmp_path / path) for path in ("memory/job/7", "pids/job", "cpu,cpuacct"))
    place = read_place(mountinfo=v1_mounts(tmp_path), own=own)
    assert place == Place(mechanism=Mechanism.CGROUP_V1, folders=folders)


def test_version_1_without_one_controller_is_no_place(tmp_path: Path) -> None:
    made(tmp_path / "memory")
    mounts = v1_mounts(tmp_path).replace("rw,pids", "rw,freezer")
    assert read_place(mountinfo=mounts, own="9:memory:/\n8:cpu,cpuacct:/\n7:freezer:/\n") is None


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"user/session": "cpu memory pids"}, "user/session"),
        ({"user": "memory pids"}, "user"),
        ({"": "pids memory"}, ""),
    ],
    ids=["its own", "one up", "the top"],
)
def test_version_2_goes_where_controllers_are_given_downwards(
    tmp_path: Path, given: dict[str, str], expected: str
) -> None:
    for path in ("", "user", "user/session"):
        made(tmp_path / path, cgroup__subtree_control=given.get(path, "cpu"))
    place = read_place(mountinfo=v2_mounts(tmp_path), own="0::/user/session\n")
    assert place == Place(mechanism=Mechanism.CGROUP_V2, folders=(tmp_path / expected,))


def test_version_2_never_looks_above_its_mount(tmp_path: Path) -> None:
    made(tmp_path, cgroup__subtree_control="memory pids")
    made(tmp_path / "mount" / "mine", cgroup__subtree_control="")
    assert read_place(mountinfo=v2_mounts(tmp_path / "mount"), own="0::/mine\n") is None


def test_a_mount_that_shows_a_part_is_followed_from_there(tmp_path: Path) -> None:
    made(tmp_path / "inner", cgroup__subtree_control="memory pids")
    place = read_place(mountinfo=v2_mounts(tmp_path, shown="/docker/1"), own="0::/docker/1/inner\n")
    assert place is not None
    assert place.folders == (tmp_path / "inner",)


def test_version_2_group_gets_its_bounds_and_is_read(tmp_path: Path) -> None:
    place = Place(mechanism=Mechanism.CGROUP_V2, folders=(tmp_path,))
    group = place.group("one", LIMITS)
    folder = tmp_path / "one"
    assert (folder / "memory.max").read_text() == str(100 * 1024 * 1024)
    assert (folder / "pids.max").read_text() == "30"
    group.add(4711)
    assert group.pids() == (4711,)
    made(folder, memory__events="low 0\noom 4\noom_kill 2\n", pids__events="max 5\n")
    made(folder, cpu__stat="usage_usec 2500000\nuser_usec 1\n")
    usage = group.usage()
    assert (usage.oom_kills, usage.refused, usage.cpu_s) == (2, 5, 2.5)
    made(folder, memory__events="low 0\nmax 0\noom 0\noom_kill 2\n")
    usage = group.usage()
    assert (usage.oom_kills, usage.starved) == (0, 2)


def test_version_2_group_forbids_swap_and_ends_as_a_whole_where_the_kernel_can(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make = Path.mkdir

    def kernel_makes(folder: Path) -> None:
        make(folder)
        for name in ("memory.swap.max", "memory.oom.group"):
            (folder / name).write_text("max")

    monkeypatch.setattr(Path, "mkdir", kernel_makes)
    Place(mechanism=Mechanism.CGROUP_V2, folders=(tmp_path,)).group("one", LIMITS)
    assert (tmp_path / "one" / "memory.swap.max").read_text() == "0"
    assert (tmp_path / "one" / "memory.oom.group").read_text() == "1"


def test_version_1_group_gets_its_bounds_and_is_read(tmp_path: Path) -> None:
    memory, pids, cpu = (made(tmp_path / name) for name in ("memory", "pids", "cpuacct"))
    group = Place(mechanism=Mechanism.CGROUP_V1, folders=(memory, pids, cpu)).group("one", LIMITS)
    assert (memory / "one" / "memory.limit_in_bytes").read_text() == str(100 * 1024 * 1024)
    assert (pids / "one" / "pids.max").read_text() == "30"
    group.add(4711)
    assert {(folder / "one" / "cgroup.procs").read_text() for folder in (memory, pids, cpu)} == {"4711"}
    made(memory / "one", memory__oom_control="oom_kill_disable 0\nunder_oom 0\noom_kill 1\n")
    made(pids / "one", pids__events="max 7\n")
    made(cpu / "one", cpuacct__usage="3500000000\n")
    usage = group.usage()
    assert (usage.oom_kills, usage.refused, usage.cpu_s) == (1, 7, 3.5)
    mib = 1024 * 1024
    for fails, most, own in ((3, 0, 1), (0, 90 * mib, 0), (0, 98 * mib, 1)):
        made(memory / "one", memory__failcnt=f"{fails}\n", memory__memsw__failcnt="0\n")
        made(memory / "one", memory__max_usage_in_bytes=f"{most}\n")
        usage = group.usage()
        assert (usage.oom_kills, usage.starved) == (own, 1 - own)


def test_version_1_bounds_what_lies_in_network_sockets_where_the_kernel_can(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a bound of its own it is not counted at all there."""
    make = Path.mkdir

    def kernel_makes(folder: Path, *args: Any, **kwargs: Any) -> None:
        make(folder, *args, **kwargs)
        (folder / "memory.kmem.tcp.limit_in_bytes").write_text("9223372036854771712")

    memory, pids, cpu = (made(tmp_path / name) for name in ("memory", "pids", "cpuacct"))
    monkeypatch.setattr(Path, "mkdir", kernel_makes)
    Place(mechanism=Mechanism.CGROUP_V1, folders=(memory, pids, cpu)).group("one", LIMITS)
    assert (memory / "one" / "memory.kmem.tcp.limit_in_bytes").read_text() == str(64 * 1024 * 1024)


def test_a_group_that_cannot_be_made_whole_is_not_made_at_all(tmp_path: Path) -> None:
    memory = made(tmp_path / "memory")
    place = Place(mechanism=Mechanism.CGROUP_V1, folders=(memory, tmp_path / "absent", tmp_path / "absent"))
    with pytest.raises(OSError, match="absent"):
        place.group("one", LIMITS)
    assert list(memory.iterdir()) == []


def test_a_dead_owners_groups_are_swept_and_nobody_elses(tmp_path: Path) -> None:
    owner = made(tmp_path / "owners" / "abc", groups=f"{tmp_path / 'tree'}\n")
    for name in (group_name("abc", "run-1"), group_name("abc", "run-2"), group_name("abd", "run-1"), "system"):
        made(tmp_path / "tree" / name)
    assert sweep_groups(owner)
    assert sorted(path.name for path in (tmp_path / "tree").iterdir()) == [group_name("abd", "run-1"), "system"]


def test_a_group_that_is_still_busy_is_told(tmp_path: Path) -> None:
    owner = made(tmp_path / "owners" / "abc", groups=f"{tmp_path / 'tree'}\n")
    made(tmp_path / "tree" / group_name("abc", "run-1"), file="a group with processes refuses as well")
    assert not sweep_groups(owner)
    assert sweep_groups(made(tmp_path / "owners" / "without"))
