"""What killed runs left is taken away from every documented place, and nothing else is."""

from __future__ import annotations

from pathlib import Path

import pytest

from flows.leftovers import sweep_leftovers
from taskpack.layout import CaseFolder, WorkFolder
from taskpack.scratch import SCRATCH, temporary_folder

LEFT = (
    "work/stages/.scratch-abc/tree/x",
    "work/selftest/.scratch-abc/case/order.toml",
    "work/environments/.building-abc/site/x.py",
    "work/environments/recipes/.0f.json.12345678.part",
    "work/downloads/.fetch-abc/x.tar.gz",
    "work/git/.pypi-1.git.abc/HEAD",
    "work/releases/.part-abc/bundle/SHA256SUMS",
    "work/seeds/0f/.seed-12345678",
    "work/verdicts/.0f.json.12345678.part",
    "work/resources/.0f.12345678.part",
    "work/inbox/case900.spec.FP-01.1/.request.md.12345678.part",
    "work/intents/.case900.json.12345678.part",
    "case/provenance/replies/spec/FP-01/.1.json.12345678.part",
    "case/.README.md.12345678.part",
)
KEPT = (
    "work/stages/pin/v1/0f/result.json",
    "work/environments/0f/.hidden/x.py",
    "work/git/pypi-1.git/HEAD",
    "work/releases/case900/0f/SHA256SUMS",
    "work/verdicts/0f.json",
    "work/resources/0f",
    "work/seeds/0f/0f",
    "work/downloads/uv/.lock",
    "case/order.toml",
    "case/controls/clean_room/app/.coveragerc",
    "case/.gitignore",
    "case/notes.part",
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name in (*LEFT, *KEPT):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x")
    return tmp_path


def sweep(root: Path) -> list[str]:
    sweep_leftovers(CaseFolder(root=root / "case"), WorkFolder(root=root / "work"))
    return sorted(path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file())


def test_all_that_was_left_goes_and_all_that_is_kept_stays(root: Path) -> None:
    assert sweep(root) == sorted(KEPT)


def test_what_another_run_is_making_in_the_same_work_directory_stays(root: Path) -> None:
    with temporary_folder(root / "work" / "stages", prefix=SCRATCH) as folder:
        (folder / "x").write_text("x")
        assert set(sweep(root)) - set(KEPT) == {(folder / "x").relative_to(root).as_posix()}


def test_a_work_directory_that_is_not_there_yet_is_not_made(tmp_path: Path) -> None:
    (tmp_path / "case").mkdir()
    assert sweep(tmp_path) == []
    assert not (tmp_path / "work").exists()
