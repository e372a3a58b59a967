"""Release bundles: audiences, bytes, checksums."""

from __future__ import annotations

import hashlib
import os
import subprocess
import tarfile
from pathlib import Path

import pytest

from taskpack.bundle import write_bundle
from taskpack.layout import Audience, CaseFolder, audience
from taskpack.release import Release


@pytest.fixture
def case(tmp_path: Path) -> CaseFolder:
    root = tmp_path / "case042"
    for name, text in {
        "order.toml": "secret source",
        "public/Full_PRD.md": "prd",
        "source/manifest.json": "{}",
        "milestones/final/tests/F01_acceptance.py": "hidden",
        "milestones/final/tests/__pycache__/x.pyc": "no",
        "provenance/pin.json": "pin",
    }.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return CaseFolder(root=root)


def bundle(case: CaseFolder, dest: Path) -> Release:
    dest.mkdir()
    return write_bundle(
        case, dest, engine="1", backend="local", base="preview:x", gates=["B", "A"], not_checked=["parity"]
    )


def members(path: Path) -> set[str]:
    with tarfile.open(path) as tar:
        return set(tar.getnames())


def test_same_case_gives_same_bytes_whatever_the_times_and_modes(case: CaseFolder, tmp_path: Path) -> None:
    bundle(case, tmp_path / "one")
    for path in case.root.rglob("*"):
        os.utime(path, (5, 5))
        if path.is_file():
            path.chmod(0o600)
    bundle(case, tmp_path / "two")
    for name in ("SHA256SUMS", "release.json", "case042-solver.tar.gz", "case042-author.tar.gz"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes(), name


def test_each_audience_gets_its_own_files_only(case: CaseFolder, tmp_path: Path) -> None:
    bundle(case, tmp_path / "one")
    assert members(tmp_path / "one/case042-solver.tar.gz") == {"case042/public/Full_PRD.md"}
    assert members(tmp_path / "one/case042-judge.tar.gz") == {"case042/milestones/final/tests/F01_acceptance.py"}
    assert members(tmp_path / "one/case042-author.tar.gz") == {
        "case042/order.toml",
        "case042/provenance/pin.json",
    }


def test_a_file_that_nobody_was_promised_is_the_authors() -> None:
    assert audience("notes/idea.md") is Audience.AUTHOR
    assert audience("order.toml") is Audience.AUTHOR
    assert audience("publicly.md") is Audience.AUTHOR


def test_sums_cover_every_file_and_sha256sum_agrees(case: CaseFolder, tmp_path: Path) -> None:
    release = bundle(case, tmp_path / "one")
    done = subprocess.run(
        ["sha256sum", "--check", "--strict", "SHA256SUMS"],
        cwd=tmp_path / "one",
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    listed = {line.split("  ")[1] for line in (tmp_path / "one/SHA256SUMS").read_text().splitlines()}
    on_disk = {
        path.relative_to(tmp_path / "one").as_posix() for path in (tmp_path / "one").rglob("*") if path.is_file()
    }
    assert listed == on_disk - {"SHA256SUMS"}
    for file in release.files:
        assert hashlib.sha256((tmp_path / "one/case042" / file.path).read_bytes()).hexdigest() == file.sha256
