"""Fetching one commit, and hostile repositories that run nothing here and write nothing outside."""

from __future__ import annotations

import contextlib
import os
import subprocess
from pathlib import Path

import pytest

from authoring import gitprocess, gitstore
from authoring.barerepo import BareRepo
from authoring.gitprocess import run_git
from authoring.gitstore import Files, checkout, fetch_commit, read_commit
from authoring.members import Refused
from taskpack.errors import BadInput, DigestMismatch, FetchFailed, RecordUnreadable
from tests.unit.authoring.sources import PROJECT, git, write_repository


@pytest.mark.parametrize("prefix", ["", "file://"])
def test_one_commit_is_fetched_from_a_path_or_a_file_address(tmp_path: Path, prefix: str) -> None:
    first = write_repository(tmp_path / "a%20b", PROJECT)
    store = tmp_path / "a.git"
    assert fetch_commit(f"{prefix}{tmp_path / 'a%20b'}", first, store).commit == first
    assert run_git(store, "rev-list", "--all").decode().split() == [first]
    assert run_git(store, "tag").decode() == ""
    checkout(store, first, tmp_path / "out")
    assert (tmp_path / "out/src/tallybook/total.py").read_bytes() == PROJECT["src/tallybook/total.py"]
    assert not (tmp_path / "out" / ".git").exists()


def test_the_parent_history_stays_behind(tmp_path: Path) -> None:
    write_repository(tmp_path / "up", PROJECT)
    head = git(tmp_path / "up", "rev-parse", "HEAD")
    fetch_commit(str(tmp_path / "up"), head, tmp_path / "a.git")
    assert run_git(tmp_path / "a.git", "rev-list", "--all").decode().split() == [head]


@pytest.mark.parametrize("name", ["main", "HEAD", "4b825dc", "A" * 40, "-" * 40, "refs/heads/main", "v1.0", "0" * 41])
def test_only_full_commit_ids_are_fetched(tmp_path: Path, name: str) -> None:
    with pytest.raises(BadInput, match="is not a full commit id"):
        fetch_commit(str(tmp_path), name, tmp_path / "a.git")


@pytest.mark.parametrize(
    ("url", "fact"),
    [
        ("ext::sh -c touch% ran", "a blank or a control character in it"),
        ("ext::touch", "only https, ssh and local absolute paths are fetched from"),
        ("fd::3", "only https, ssh and local absolute paths are fetched from"),
        ("http://host.invalid/x", "only https, ssh and local absolute paths are fetched from"),
        ("git://host.invalid/x", "only https, ssh and local absolute paths are fetched from"),
        ("git@host.invalid:x", "only https, ssh and local absolute paths are fetched from"),
        ("../relative", "only https, ssh and local absolute paths are fetched from"),
        ("file://host/x", "only https, ssh and local absolute paths are fetched from"),
        ("--upload-pack=touch", "only https, ssh and local absolute paths are fetched from"),
        ("ssh://-oProxyCommand=touch/x", "it names no host"),
        ("ssh://-lroot@host.invalid/x", "it names no host"),
        ("https:///x", "it names no host"),
        ("https://name:secret@host.invalid/x", "it holds a name or a password, which would be stored with the case"),
        ("https://secret@host.invalid/x", "it holds a name or a password, which would be stored with the case"),
        ("/nowhere/at/all", "there is no such folder"),
        ("file:///nowhere/at/all", "there is no such folder"),
        ("https://host.invalid/x\n", "a blank or a control character in it"),
        ("https://[half", "Invalid IPv6 URL"),
    ],
)
def test_an_address_of_another_kind_is_refused(tmp_path: Path, url: str, fact: str) -> None:
    with pytest.raises(BadInput, match="the repository's address cannot be used") as caught:
        fetch_commit(url, "0" * 40, tmp_path / "a.git")
    assert caught.value.details["fact"] == fact
    assert "secret" not in caught.value.render()
    assert list(tmp_path.iterdir()) == []


def test_a_commit_that_is_not_there_fails_the_fetch_with_what_git_said(tmp_path: Path) -> None:
    write_repository(tmp_path / "up", PROJECT)
    with pytest.raises(FetchFailed, match="did not give the pinned commit") as caught:
        fetch_commit(str(tmp_path / "up"), "1" * 40, tmp_path / "a.git")
    assert "1" * 40 in caught.value.details["git said"]
    assert not (tmp_path / "a.git").exists()


def test_a_folder_without_a_repository_fails_the_fetch(tmp_path: Path) -> None:
    (tmp_path / "up").mkdir()
    with pytest.raises(FetchFailed):
        fetch_commit(str(tmp_path / "up"), "1" * 40, tmp_path / "a.git")


def test_the_id_of_a_tag_is_refused(tmp_path: Path) -> None:
    write_repository(tmp_path / "up", PROJECT)
    git(tmp_path / "up", "tag", "-a", "v1", "-m", "one")
    tag = git(tmp_path / "up", "rev-parse", "v1")
    with pytest.raises(BadInput, match="is no commit"):
        fetch_commit(str(tmp_path / "up"), tag, tmp_path / "a.git")


def test_another_commit_than_the_pinned_one_is_a_mismatch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = write_repository(tmp_path / "up", PROJECT)
    head = git(tmp_path / "up", "rev-parse", "HEAD")

    def swapped(repo: BareRepo, url: str, commit: str, **options: object) -> None:
        gitprocess.fetch_one(repo, url, head if commit == first else commit, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(gitstore, "fetch_one", swapped)
    with pytest.raises(DigestMismatch, match="gave another commit") as caught:
        fetch_commit(str(tmp_path / "up"), first, tmp_path / "a.git")
    assert caught.value.details["arrived"] == head


def test_a_fetch_that_hangs_is_ended_with_its_children(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = tmp_path / "bin" / "git"
    fake.parent.mkdir()
    fake.write_text(f'#!/bin/sh\ncase "$*" in *fetch*) sleep 60 & echo $! > {tmp_path}/pid; wait;; esac\n')
    fake.write_text(fake.read_text() + 'exec /usr/bin/git "$@"\n')
    fake.chmod(0o755)
    (tmp_path / "up").mkdir()
    monkeypatch.setenv("PATH", f"{fake.parent}:{os.environ['PATH']}")
    monkeypatch.setattr(gitstore, "_FETCH_S", 1)
    with pytest.raises(FetchFailed) as caught:
        fetch_commit(str(tmp_path / "up"), "1" * 40, tmp_path / "a.git")
    assert caught.value.details["git said"] == "nothing for 1 s"
    child = int((tmp_path / "pid").read_text())
    state = Path(f"/proc/{child}/stat")
    assert not state.exists() or state.read_text().split()[2] == "Z"


def hostile_repository(folder: Path) -> str:
    """Everything in it that git could run or follow touches the file `ran` beside it."""
    first = write_repository(folder, {".gitattributes": b"* filter=evil diff=evil text eol=crlf\n", "a.txt": b"a\nb\n"})
    touch = f"touch {folder.parent}/ran"
    for name in ("post-checkout", "reference-transaction", "post-merge", "pre-receive", "update", "post-upload-pack"):
        hook = folder / ".git" / "hooks" / name
        hook.parent.mkdir(exist_ok=True)
        hook.write_text(f"#!/bin/sh\n{touch}\n")
        hook.chmod(0o755)
    for key in (
        "core.fsmonitor",
        "core.sshCommand",
        "filter.evil.smudge",
        "filter.evil.process",
        "diff.evil.command",
        "uploadpack.packObjectsHook",
        "remote.origin.uploadpack",
        "core.gitProxy",
        "core.alternateRefsCommand",
    ):
        git(folder, "config", key, touch)
    return first


def test_hooks_filters_and_commands_of_a_hostile_repository_do_not_run(tmp_path: Path) -> None:
    first = hostile_repository(tmp_path / "up")
    with contextlib.suppress(subprocess.CalledProcessError):
        git(tmp_path / "up", "status")
    (tmp_path / "ran").unlink()  # the traps do spring for who runs git in there
    fetch_commit(str(tmp_path / "up"), first, tmp_path / "a.git")
    checkout(tmp_path / "a.git", first, tmp_path / "out")
    assert (tmp_path / "out" / "a.txt").read_bytes() == b"a\nb\n"
    assert not (tmp_path / "ran").exists()


def test_a_repository_that_lacks_objects_does_not_make_git_fetch_them(tmp_path: Path) -> None:
    first = hostile_repository(tmp_path / "up")
    blob = git(tmp_path / "up", "rev-parse", f"{first}:a.txt")
    git(tmp_path / "up", "config", "extensions.partialClone", "origin")
    git(tmp_path / "up", "config", "core.repositoryFormatVersion", "1")
    git(tmp_path / "up", "config", "remote.origin.promisor", "true")
    git(tmp_path / "up", "config", "remote.origin.url", f"file://{tmp_path}/other")
    (tmp_path / "up" / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    (tmp_path / "ran").unlink(missing_ok=True)
    with pytest.raises(FetchFailed):
        fetch_commit(str(tmp_path / "up"), first, tmp_path / "a.git")
    assert not (tmp_path / "ran").exists()


def test_submodules_are_left_out_and_said(tmp_path: Path) -> None:
    write_repository(tmp_path / "up", PROJECT)
    url = f"ext::sh -c touch% {tmp_path}/ran"
    (tmp_path / "up" / ".gitmodules").write_text(f'[submodule "evil"]\n\tpath = evil\n\turl = {url}\n')
    git(tmp_path / "up", "update-index", "--add", "--cacheinfo", f"160000,{'2' * 40},evil")
    git(tmp_path / "up", "add", ".gitmodules")
    git(tmp_path / "up", "commit", "-q", "-m", "three")
    head = git(tmp_path / "up", "rev-parse", "HEAD")
    fetch_commit(str(tmp_path / "up"), head, tmp_path / "a.git")
    files = read_commit(tmp_path / "a.git", head)
    assert isinstance(files, Files)
    assert files.dropped == (".gitmodules: read by git itself", "evil: submodule")
    assert {member.path for member in files.members} == set(PROJECT)
    assert not (tmp_path / "ran").exists()


def raw_commit(folder: Path, *rows: tuple[str, str, bytes]) -> str:
    """A commit whose one tree holds `rows` (mode, name, content) exactly as given."""
    git(folder, "init", "-q")
    body = b""
    for mode, name, data in rows:
        oid = git(folder, "hash-object", "-w", "--stdin", stdin=data)
        body += f"{mode} {name}\0".encode("utf-8", "surrogateescape") + bytes.fromhex(oid)
    tree = git(folder, "hash-object", "-w", "-t", "tree", "--literally", "--stdin", stdin=body)
    return git(folder, "commit-tree", tree, "-m", "x")


@pytest.mark.parametrize(
    ("row", "member", "why"),
    [
        (("100644", "..", b""), "..", "`..` in the path"),
        (("100644", ".git", b"gitdir: /x"), ".git", "`.git` inside a commit"),
        (("100644", ".GiT", b""), ".GiT", "`.git` inside a commit"),
        (("100644", "a\\b", b""), "a\\\\b", "backslash in the name"),
        (("100644", "a/../../b", b""), "a/../../b", "`..` in the path"),
        (("100644", ".", b""), "", "not a plain path"),
        (("100644", "a\udcff", b""), "a\\udcff", "name is not UTF-8"),
        (("120000", "out", b"../x"), "out", "link leaves the tree"),
        (("120000", "out", b"/etc/passwd"), "out", "link leaves the tree"),
        (("100644", "ok", b"twice"), "ok", "the name is there twice"),
    ],
)
def test_a_hostile_tree_is_refused_and_never_written(
    tmp_path: Path, row: tuple[str, str, bytes], member: str, why: str
) -> None:
    commit = raw_commit(tmp_path / "up", ("100644", "ok", b""), row)
    fetch_commit(str(tmp_path / "up"), commit, tmp_path / "a.git")
    assert read_commit(tmp_path / "a.git", commit) == Refused(member=member, why=why)
    with pytest.raises(RecordUnreadable, match="cannot be written to a folder"):
        checkout(tmp_path / "a.git", commit, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_an_empty_commit_is_refused(tmp_path: Path) -> None:
    commit = raw_commit(tmp_path / "up")
    fetch_commit(str(tmp_path / "up"), commit, tmp_path / "a.git")
    assert read_commit(tmp_path / "a.git", commit) == Refused(member="", why="the commit holds no files")


def test_a_sha256_repository_is_fetched_as_well(tmp_path: Path) -> None:
    git(tmp_path / "up", "init", "-q", "--object-format=sha256")
    (tmp_path / "up" / "a").write_text("a")
    git(tmp_path / "up", "add", "a")
    git(tmp_path / "up", "commit", "-q", "-m", "x")
    head = git(tmp_path / "up", "rev-parse", "HEAD")
    assert len(head) == 64
    assert fetch_commit(str(tmp_path / "up"), head, tmp_path / "a.git").commit == head
    checkout(tmp_path / "a.git", head, tmp_path / "out")
    assert (tmp_path / "out" / "a").read_text() == "a"


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root to become somebody else")
def test_a_repository_of_another_user_is_fetched(tmp_path: Path) -> None:
    first = write_repository(tmp_path / "up", PROJECT)
    for path in [tmp_path / "up", *(tmp_path / "up").rglob("*")]:
        os.chown(path, 65534, 65534, follow_symlinks=False)
    assert fetch_commit(str(tmp_path / "up"), first, tmp_path / "a.git").commit == first
