"""The git store: reproducible commits, one-commit fetches, and hostile repositories that run nothing here."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from authoring import gitstore
from authoring.archive import Contents, read_archive
from authoring.gitprocess import GitSaidNo, run_git
from authoring.gitstore import Files, checkout, commit_members, has_commit, read_commit
from authoring.importstream import RECIPE
from authoring.members import Bounds, Member, Mode, Refused
from taskpack.errors import BadInput, NoSpace, RecordUnreadable
from taskpack.files import tree_digest
from tests.unit.authoring.sources import PROJECT, members, write_sdist

ROOT = Path(__file__).parents[3]
KNOWN = (
    Member(path="bin/run", mode=Mode.EXECUTABLE, data=b"#!/bin/sh\n"),
    Member(path="crlf.txt", mode=Mode.FILE, data=b"a\r\nb\r\n"),
    Member(path=".gitattributes", mode=Mode.FILE, data=b"* text=auto eol=lf filter=evil ident export-ignore\n"),
    Member(path=".gitignore", mode=Mode.FILE, data=b"*\n"),
    Member(path='odd "name" é', mode=Mode.FILE, data=b"$Id$\n"),
    Member(path="latest", mode=Mode.LINK, data=b"bin/run"),
)


def test_ids_do_not_depend_on_order_umask_zone_or_configuration(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = commit_members(tmp_path / "a.git", KNOWN)
    home = tmp_path / "home"
    (home / "template" / "hooks").mkdir(parents=True)
    hook = home / "template" / "hooks" / "reference-transaction"
    hook.write_text(f"#!/bin/sh\ntouch {home}/ran\n")
    hook.chmod(0o755)
    (home / ".gitconfig").write_text(
        f"[user]\n name = X\n email = x@x\n[core]\n autocrlf = true\n hooksPath = {hook.parent}\n"
        "[commit]\n gpgSign = true\n[i18n]\n commitEncoding = latin1\n[init]\n defaultBranch = other\n"
    )
    changes = {
        "HOME": str(home),
        "TZ": "Pacific/Kiritimati",
        "LC_ALL": "C",
        "GIT_TEMPLATE_DIR": str(home / "template"),
        "GIT_DIR": str(tmp_path / "nowhere"),
        "GIT_AUTHOR_NAME": "somebody",
        "GIT_COMMITTER_DATE": "2001-01-01T00:00:00",
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "core.hooksPath",
        "GIT_CONFIG_VALUE_0": str(hook.parent),
    }
    for name, value in changes.items():
        monkeypatch.setenv(name, value)
    before = os.umask(0o077)
    try:
        second = commit_members(tmp_path / "b.git", tuple(reversed(KNOWN)))
    finally:
        os.umask(before)
    assert second == first
    assert not (home / "ran").exists()


def test_the_recipe_still_gives_the_ids_that_it_gave(tmp_path: Path) -> None:
    """When this fails on purpose, `RECIPE` and the pin stage's `VERSION` go up."""
    ids = commit_members(tmp_path / "a.git", members(PROJECT))
    assert (RECIPE, ids.commit) == (1, "3ddec005b68b49f2ac9c9d3c508fd7508e0c0458")


def test_git_itself_finds_the_commit_sound(tmp_path: Path) -> None:
    ids = commit_members(tmp_path / "a.git", KNOWN)
    run_git(tmp_path / "a.git", "fsck", "--strict", "--full")
    log = run_git(tmp_path / "a.git", "log", "--format=%H %T %an %ae %ad %cn %cd %P|%B", "--date=raw", "pin").decode()
    who = "Repowright"
    assert log.split("\n")[0] == (
        f"{ids.commit} {ids.tree} {who} pin@repowright.invalid 1577836800 +0000 {who} 1577836800 +0000 |Pinned source"
    )


def test_a_checkout_writes_blobs_untouched_whatever_the_attributes_say(tmp_path: Path) -> None:
    ids = commit_members(tmp_path / "a.git", KNOWN)
    before = os.umask(0o077)
    try:
        checkout(tmp_path / "a.git", ids.commit, tmp_path / "out")
    finally:
        os.umask(before)
    out = tmp_path / "out"
    seen = {path.relative_to(out).as_posix() for path in out.rglob("*") if not path.is_dir()}
    assert seen == {member.path for member in KNOWN}
    assert (out / "crlf.txt").read_bytes() == b"a\r\nb\r\n"
    assert (out / 'odd "name" é').read_bytes() == b"$Id$\n"
    assert (out / "latest").readlink() == Path("bin/run")
    assert stat.S_IMODE((out / "bin" / "run").stat().st_mode) == 0o755
    assert stat.S_IMODE((out / "crlf.txt").stat().st_mode) == 0o644
    assert stat.S_IMODE((out / "bin").stat().st_mode) == 0o755


def test_what_is_read_back_is_what_was_put_in(tmp_path: Path) -> None:
    ids = commit_members(tmp_path / "a.git", KNOWN)
    files = read_commit(tmp_path / "a.git", ids.commit)
    assert isinstance(files, Files)
    assert sorted(files.members, key=lambda item: item.path) == sorted(KNOWN, key=lambda item: item.path)
    assert files.ids == ids


def test_a_checkout_goes_into_an_empty_folder_only(tmp_path: Path) -> None:
    ids = commit_members(tmp_path / "a.git", KNOWN)
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "x").write_text("mine")
    with pytest.raises(BadInput, match="the folder for the source is not empty"):
        checkout(tmp_path / "a.git", ids.commit, tmp_path / "out")
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(BadInput):
        checkout(tmp_path / "a.git", ids.commit, tmp_path / "link")


def test_a_store_that_lost_its_commit_is_made_again(tmp_path: Path) -> None:
    ids = commit_members(tmp_path / "a.git", KNOWN)
    for path in (tmp_path / "a.git" / "objects").rglob("*"):
        if path.is_file():
            path.unlink()
    assert not has_commit(tmp_path / "a.git", ids.commit)
    with pytest.raises(RecordUnreadable, match="the git store does not hold"):
        checkout(tmp_path / "a.git", ids.commit, tmp_path / "out")
    assert commit_members(tmp_path / "a.git", KNOWN) == ids
    checkout(tmp_path / "a.git", ids.commit, tmp_path / "out")


def test_no_half_store_is_left_when_making_one_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_args: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(gitstore, "write_stream", refuse)
    with pytest.raises(NoSpace):
        commit_members(tmp_path / "a.git", KNOWN)
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_under_git_is_said_to_be_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = tmp_path / "bin" / "git"
    fake.parent.mkdir()
    fake.write_text("#!/bin/sh\necho 'fatal: write error: No space left on device' >&2\nexit 128\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{fake.parent}:{os.environ['PATH']}")
    with pytest.raises(NoSpace, match="no space left while git was writing"):
        commit_members(tmp_path / "a.git", KNOWN)


@pytest.mark.parametrize(
    ("bounds", "why"),
    [
        (Bounds(members=2), "more than 2 members"),
        (Bounds(member_bytes=3), "more than 3 bytes"),
        (Bounds(total_bytes=9), "more than 9 bytes in all"),
    ],
)
def test_a_commit_beyond_the_bounds_is_refused_before_its_blobs_are_read(
    tmp_path: Path, bounds: Bounds, why: str
) -> None:
    ids = commit_members(tmp_path / "a.git", members(dict.fromkeys("abc", b"0123")))
    refused = read_commit(tmp_path / "a.git", ids.commit, bounds)
    assert isinstance(refused, Refused)
    assert refused.why == why


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root to become somebody else")
def test_a_plain_user_gets_the_same_commit_as_root(tmp_path: Path) -> None:
    mine = commit_members(tmp_path / "mine.git", members(PROJECT))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.chown(folder, 65534, 65534)
        child = os.fork()
        if child == 0:
            # Forked, not started: the interpreter may lie below a folder that only root can enter.
            status = 1
            try:
                os.setgroups([])
                os.setgid(65534)
                os.setuid(65534)
                ids = commit_members(folder / "a.git", members(PROJECT))
                checkout(folder / "a.git", ids.commit, folder / "out")
                (folder / "id").write_text(ids.commit)
                status = 0
            finally:
                os._exit(status)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert (folder / "id").read_text() == mine.commit


def test_git_gets_nothing_of_our_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = tmp_path / "bin" / "git"
    fake.parent.mkdir()
    fake.write_text("#!/bin/sh\nexec env\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{fake.parent}:{os.environ['PATH']}")
    monkeypatch.setenv("GIT_SSH_COMMAND", "touch ran")
    monkeypatch.setenv("A_SECRET", "hush")
    monkeypatch.setenv("https_proxy", "http://proxy.invalid:1")
    seen = dict(line.split("=", 1) for line in run_git(tmp_path, "x").decode().splitlines())
    assert seen["GIT_SSH_COMMAND"] == "ssh -oBatchMode=yes -oStrictHostKeyChecking=yes"
    assert seen["GIT_ALLOW_PROTOCOL"] == "none"
    assert seen["HOME"] == "/nonexistent"
    assert not {"A_SECRET", "https_proxy", "LANGUAGE"} & set(seen)
    fetching = dict(line.split("=", 1) for line in run_git(tmp_path, "x", protocol="https").decode().splitlines())
    assert fetching["https_proxy"] == "http://proxy.invalid:1"


def test_without_git_the_error_names_it(tmp_path: Path) -> None:
    script = (
        "import pathlib\nfrom authoring.gitprocess import run_git\nfrom taskpack.errors import BadInput\n"
        "try:\n    run_git(pathlib.Path('/'), 'version')\nexcept BadInput as error:\n    print(error.render())\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT,
        env={"PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.startswith("error: git cannot be started\n")
    assert "install git 2.32 or later" in done.stdout


def test_an_error_of_git_carries_its_words(tmp_path: Path) -> None:
    commit_members(tmp_path / "a.git", KNOWN)
    with pytest.raises(GitSaidNo) as caught:
        run_git(tmp_path / "a.git", "cat-file", "-e", "nothing")
    assert "nothing" in caught.value.stderr
    assert not caught.value.late


def test_an_archive_and_its_checkout_have_the_same_files(tmp_path: Path) -> None:
    contents = read_archive(write_sdist(tmp_path / "a.tar.gz", PROJECT))
    assert isinstance(contents, Contents)
    ids = commit_members(tmp_path / "a.git", contents.members)
    checkout(tmp_path / "a.git", ids.commit, tmp_path / "one")
    for name, data in PROJECT.items():
        path = tmp_path / "two" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    assert tree_digest(tmp_path / "one") == tree_digest(tmp_path / "two")


def test_importing_the_store_does_not_start_git() -> None:
    script = "import sys, authoring.gitstore; print('git' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
