"""The same limits where no control group can be written: `local` with a watcher in their place."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from environments.cgroups import Place
from environments.interface import Mechanism, Sandbox
from environments.local import Local
from environments.runtime import Runtime
from environments.transfer import remove_tree
from environments.usermap import current_users

from .test_contract_limits import *  # noqa: F403 (the contract's tests, with the fixture below)

pytestmark = pytest.mark.sandbox


class Ungrouped(Local):
    """The real back end, on a system that gives it no control group."""

    def _find_groups(self) -> Place | None:
        return None


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    area = Path(tempfile.mkdtemp(prefix="area-", dir="/var/tmp"))
    made = Ungrouped(runtime=Runtime(current_users(), area=area / "runtime"))
    os.chown(area, -1, made.users.gid)
    area.chmod(0o710)
    yield made
    made.close()
    remove_tree(area)


def test_a_watcher_holds_them(sandbox: Sandbox) -> None:
    assert sandbox.limits_by is Mechanism.WATCHER
