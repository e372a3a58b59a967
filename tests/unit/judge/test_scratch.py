"""Candidate and hidden suite lie where nobody else looks, and go away whatever ends the process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from environments.runtime import scratch
from environments.transfer import others_may_read
from environments.usermap import current_users

HOLD = """
import sys, time
from environments.runtime import scratch
with scratch() as folder:
    (folder / "app").mkdir()
    (folder / "app/secret").write_text("x")
    print(folder, flush=True)
    time.sleep(60)
"""


def test_nobody_else_lists_it_and_it_is_gone_afterwards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REPOWRIGHT_RUNTIME", str(tmp_path / "area"))
    with scratch() as folder, scratch() as other:
        assert folder != other
        for place in (folder, *folder.parents):
            if place == tmp_path:
                break
            assert place.stat().st_mode & 0o027 == 0
            assert place.stat().st_uid == os.geteuid()
    assert not folder.exists()
    assert not folder.parent.exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root drops to another uid")
def test_the_sandboxs_own_group_reaches_it_so_that_nothing_is_copied_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with tempfile.TemporaryDirectory(dir="/var/tmp") as place:
        Path(place).chmod(0o755)
        monkeypatch.setenv("REPOWRIGHT_RUNTIME", f"{place}/area")
        with scratch() as folder:
            (folder / "app").mkdir(mode=0o755)
            assert others_may_read(folder / "app", gid=current_users().gid)
            assert not others_may_read(folder / "app")
            assert not others_may_read(folder / "app", gid=current_users().gid + 1)


def test_what_a_killed_process_left_is_swept_and_what_a_living_one_uses_stays(
    checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REPOWRIGHT_RUNTIME", str(tmp_path / "area"))
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD], cwd=checkout, stdout=subprocess.PIPE, text=True, env=dict(os.environ)
    )
    assert process.stdout is not None
    left = Path(process.stdout.readline().strip())
    with scratch():
        assert (left / "app/secret").is_file()
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()
    assert left.exists()
    with scratch():
        assert not left.exists()
