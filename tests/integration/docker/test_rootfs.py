"""The root file system as it is built here: the same bytes twice, nothing of the host in it."""

from __future__ import annotations

import hashlib
import re
import tarfile
from pathlib import Path

import pytest

from environments.rootfs import find_rootfs, read_recipe
from environments.rootfs_build import make_tar
from environments.runtime import Runtime
from environments.usermap import current_users

pytestmark = [pytest.mark.sandbox, pytest.mark.docker]


@pytest.mark.full
@pytest.mark.timeout(900)
def test_a_second_build_gives_the_same_bytes(base: str, tmp_path: Path) -> None:
    if base:
        pytest.skip(base)
    runtime = Runtime(current_users())
    built = find_rootfs(runtime.area)
    runtime.close()
    assert built is not None
    packages = make_tar(read_recipe(), tmp_path, print)
    assert packages == built.record.packages
    assert hashlib.sha256((tmp_path / "root.tar").read_bytes()).hexdigest() == built.record.sha256


def test_no_archive_address_and_no_set_uid_file_is_in_the_base(base: str) -> None:
    if base:
        pytest.skip(base)
    runtime = Runtime(current_users())
    built = find_rootfs(runtime.area)
    runtime.close()
    assert built is not None
    with tarfile.open(built.tar) as tar:
        for info in tar:
            assert not info.mode & 0o6000
            assert not re.search(r"^(etc/(apt|g?shadow|machine-id|hostname|resolv)|var/(log|cache|lib))", info.name), (
                info.name
            )
            assert info.mode & 0o004, info.name
