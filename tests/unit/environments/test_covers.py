"""Which places a launch's masked paths come to."""

from __future__ import annotations

from pathlib import Path

import pytest

from environments.covers import Cover, covers
from environments.interface import Mount


@pytest.fixture
def mount(tmp_path: Path) -> Mount:
    (tmp_path / "site" / "pennies").mkdir(parents=True)
    (tmp_path / "site" / "pennies.py").write_text("")
    return Mount(source=tmp_path / "site", dest="/env/site")


def test_a_mount_is_covered_below_folders_that_the_base_does_not_have(mount: Mount, tmp_path: Path) -> None:
    found = covers(["/env/site/pennies", "/env/site/pennies.py"], root=tmp_path / "base", mounts=[mount])
    assert found == (Cover(dest="/env/site/pennies", folder=True), Cover(dest="/env/site/pennies.py", folder=False))


def test_what_is_neither_in_the_base_nor_in_a_mount_is_left_out(mount: Mount, tmp_path: Path) -> None:
    assert covers(["/env/other/pennies", "/env/site/gone"], root=tmp_path / "base", mounts=[mount]) == ()
