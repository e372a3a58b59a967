"""The root file system: what is left out of a tree, what names it, and where it is found."""

from __future__ import annotations

import io
import json
import tarfile
from pathlib import Path

import pytest

from environments.docker_syscalls import ALLOWED, profile
from environments.rootfs import BasePython, RootFs, find_rootfs, read_recipe
from environments.rootfs_trim import installed, stays, trim
from environments.syscalls import REFUSED
from taskpack.errors import EnvironmentFailed

STATUS = """Package: one
Status: install ok installed
Version: 1.0
Description: first
 Version: 9

Package: two
Status: deinstall ok config-files
Version: 2.0
"""


def packed(*members: tuple[tarfile.TarInfo, bytes]) -> tarfile.TarFile:
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w") as tar:
        for info, content in members:
            info.size = len(content)
            tar.addfile(info, io.BytesIO(content))
    data.seek(0)
    return tarfile.open(fileobj=data)


def member(name: str, *, mode: int = 0o644, kind: bytes = tarfile.REGTYPE, link: str = "") -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.mode, info.type, info.linkname, info.uid, info.uname = mode, kind, link, 7, "somebody"
    return info


def trimmed(*members: tuple[tarfile.TarInfo, bytes]) -> tuple[dict[str, tarfile.TarInfo], tuple[str, ...]]:
    out = io.BytesIO()
    with packed(*members) as raw, tarfile.open(fileobj=out, mode="w") as tar:
        packages = trim(raw, tar, written={"etc/passwd": "root\n"}, epoch=5)
    out.seek(0)
    with tarfile.open(fileobj=out) as tar:
        return {info.name: info for info in tar}, packages


@pytest.mark.parametrize(
    "name",
    [
        "etc/apt/sources.list",
        "etc/hostname",
        "etc/machine-id",
        "etc/resolv.conf",
        "etc/shadow",
        "etc/ssl/private",
        "home",
        "root/.bashrc",
        "usr/lib/python3/dist-packages/apt.py",
        "usr/share/doc/one/README",
        "usr/share/man/man1/one.1",
        "var/cache/apt/archives/one.deb",
        "var/lib/dpkg/status",
        "var/log/dpkg.log",
        "",
    ],
)
def test_what_tells_of_the_host_or_has_no_use_inside_goes(name: str) -> None:
    assert not stays(name)


@pytest.mark.parametrize(
    "name", ["bin", "etc/ssl/certs/one.pem", "tmp", "usr/bin/python3", "usr/share/doc/one/copyright", "var/tmp"]
)
def test_programs_certificates_and_licences_stay(name: str) -> None:
    assert stays(name)


def test_owners_and_set_uid_bits_are_taken_away_and_everyone_may_read() -> None:
    found, _ = trimmed((member("./usr/bin/su", mode=0o4750), b"x"), (member("./usr/lib/x", mode=0o600), b"x"))
    assert [(info.mode, info.uid, info.uname) for info in found.values()][:2] == [(0o755, 0, ""), (0o644, 0, "")]


def test_devices_go_and_temporary_folders_stay_open() -> None:
    found, _ = trimmed((member("dev/sda", kind=tarfile.BLKTYPE), b""), (member("tmp", kind=tarfile.DIRTYPE), b""))
    assert sorted(found) == ["etc/passwd", "tmp"]
    assert found["tmp"].mode == 0o1777


def test_a_hard_link_to_what_goes_is_refused() -> None:
    with pytest.raises(EnvironmentFailed, match="hard link"):
        trimmed((member("root/x"), b"x"), (member("usr/x", kind=tarfile.LNKTYPE, link="root/x"), b""))


def test_a_path_out_of_the_tree_is_refused() -> None:
    with pytest.raises(EnvironmentFailed, match="leaves its root"):
        trimmed((member("usr/../../x"), b"x"))


def test_packages_are_read_from_the_list_of_the_tree() -> None:
    assert installed(STATUS) == ("one=1.0",)
    _, packages = trimmed((member("var/lib/dpkg/status"), STATUS.encode()))
    assert packages == ("one=1.0",)


def record(recipe: str, sha256: str) -> RootFs:
    python = BasePython(path="/usr/bin/python3.11", version="3.11.2", minor="3.11", machine="x86_64")
    return RootFs(sha256=sha256, recipe=recipe, suite="bookworm", packages=("one=1.0",), python=python)


def keep(area: Path, made: RootFs, *, name: str = "") -> Path:
    folder = area / "kept" / f"rootfs-{name or made.sha256}"
    folder.mkdir(parents=True)
    (folder / "rootfs.json").write_bytes(made.to_bytes())
    return folder


def test_base_of_the_present_recipe_is_found(tmp_path: Path) -> None:
    folder = keep(tmp_path, record(read_recipe().key, "ab" * 32))
    built = find_rootfs(tmp_path)
    assert built is not None
    assert (built.folder, built.record.name) == (folder, "rootfs:abababababab")


def test_base_of_another_recipe_or_under_another_name_is_not(tmp_path: Path) -> None:
    keep(tmp_path, record("another", "ab" * 32))
    keep(tmp_path, record(read_recipe().key, "cd" * 32), name="ef" * 32)
    assert find_rootfs(tmp_path) is None


def test_recipe_lists_its_packages_in_order() -> None:
    packages = read_recipe().packages
    assert list(packages) == sorted(packages)


def test_container_profile_allows_nothing_that_local_refuses() -> None:
    assert not ALLOWED & set(REFUSED)
    assert json.loads(profile())["defaultAction"] == "SCMP_ACT_ERRNO"
