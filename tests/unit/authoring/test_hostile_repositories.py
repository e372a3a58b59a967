"""Hostile repositories: each trap springs for who handles it carelessly, and does nothing here but be refused."""

from __future__ import annotations

import os
import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from authoring import gitprocess, gitrefs, gitstore
from authoring.gitrefs import resolve_ref
from authoring.gitstore import Files, checkout, commit_members, fetch_commit, read_commit
from authoring.members import Member, Mode, Refused, RefusedMember
from authoring.pin import checkout_pin, pin
from taskpack.errors import BadInput, FetchFailed
from taskpack.files import file_digest
from taskpack.layout import WorkFolder
from taskpack.order import ArchiveSource
from taskpack.outcome import Rejected
from taskpack.pin import Pin
from tests.unit.authoring.objects import deep_tree, new_repository, tree_bomb
from tests.unit.authoring.sources import PROJECT, git, git_source, members, order, write_repository, write_sdist


def no_fetch(_source: object, _folder: Path) -> Path:
    raise AssertionError("the registry was asked")


# content of another repository


def with_alternates(folder: Path, victim: Path) -> None:
    new_repository(folder)
    (folder / ".git/objects/info/alternates").write_text(f"{victim}/.git/objects\n")


def with_git_file(folder: Path, victim: Path) -> None:
    folder.mkdir()
    (folder / ".git").write_text(f"gitdir: {victim}/.git\n")


def with_git_link(folder: Path, victim: Path) -> None:
    folder.mkdir()
    (folder / ".git").symlink_to(victim / ".git")


def with_linked_objects(folder: Path, victim: Path) -> None:
    new_repository(folder)
    for path in sorted((folder / ".git/objects").rglob("*"), reverse=True):
        path.rmdir()
    (folder / ".git/objects").rmdir()
    (folder / ".git/objects").symlink_to(victim / ".git/objects")


def with_one_linked_object(folder: Path, victim: Path) -> None:
    new_repository(folder)
    for path in (victim / ".git/objects").glob("??"):
        (folder / ".git/objects" / path.name).symlink_to(path)


@pytest.mark.parametrize(
    ("make", "fact"),
    [
        (with_alternates, "`objects/info/alternates` makes another repository a part of it"),
        (with_git_file, "`.git` is no folder, so it leads to another repository"),
        (with_git_link, "`.git` is no folder, so it leads to another repository"),
        (with_linked_objects, "`objects` is a link"),
        (with_one_linked_object, "is a link or a special file"),
    ],
)
def test_a_repository_that_gives_away_what_another_holds_is_refused(
    tmp_path: Path, make: object, fact: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = write_repository(tmp_path / "victim", PROJECT)
    make(tmp_path / "up", tmp_path / "victim")  # type: ignore[operator]
    with pytest.raises(BadInput, match="the repository is not taken") as caught:
        fetch_commit(str(tmp_path / "up"), secret, tmp_path / "a.git")
    assert fact in caught.value.details["fact"]
    with pytest.raises(BadInput, match="the repository is not taken"):
        resolve_ref(str(tmp_path / "up"), "refs/heads/main")
    assert not (tmp_path / "a.git").exists()
    monkeypatch.setattr(gitstore, "check_repository", lambda _path: None)
    assert fetch_commit(str(tmp_path / "up"), secret, tmp_path / "a.git").commit == secret  # what git would have done


@pytest.mark.parametrize("name", ["HEAD", "packed-refs", "refs/heads/main"])
def test_a_pipe_where_git_would_wait_is_refused_at_once(tmp_path: Path, name: str) -> None:
    first = write_repository(tmp_path / "up", PROJECT)
    (tmp_path / "up/.git" / name).unlink(missing_ok=True)
    os.mkfifo(tmp_path / "up/.git" / name)
    with pytest.raises(BadInput, match="the repository is not taken") as caught:
        fetch_commit(str(tmp_path / "up"), first, tmp_path / "a.git")
    assert name in caught.value.details["fact"]


# programs


def test_an_address_that_is_a_program_does_not_run(tmp_path: Path) -> None:
    url = f"ext::sh -c touch% {tmp_path}/ran"
    subprocess.run(["git", "-c", "protocol.ext.allow=always", "ls-remote", url], capture_output=True, check=False)
    (tmp_path / "ran").unlink()  # the trap springs for who hands it to git
    with pytest.raises(BadInput):
        fetch_commit(url, "0" * 40, tmp_path / "a.git")
    with pytest.raises(BadInput):
        resolve_ref(url, "refs/heads/main")
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize("url", ["ext::sh -c touch% {0}/ran", "--upload-pack=touch {0}/ran", "fd::3"])
def test_an_address_that_got_past_our_own_check_is_stopped_by_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    for room in (gitstore, gitrefs):
        monkeypatch.setattr(room, "check_url", lambda _url: "https")
    with pytest.raises(FetchFailed):
        fetch_commit(url.format(tmp_path), "0" * 40, tmp_path / "a.git")
    with pytest.raises(FetchFailed):
        resolve_ref(url.format(tmp_path), "refs/heads/main")
    assert not (tmp_path / "ran").exists()


@contextmanager
def listening() -> Iterator[tuple[int, list[bytes]]]:
    """A server that writes down the first bytes of whoever connects."""
    heard: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            try:
                while True:
                    with server.accept()[0] as client:
                        heard.append(client.recv(64))
            except OSError:
                return

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield server.getsockname()[1], heard
        server.shutdown(socket.SHUT_RDWR)
        thread.join(10)


@pytest.mark.parametrize("scheme", ["http", "git"])
def test_no_other_transport_than_the_wanted_one_leaves_the_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scheme: str
) -> None:
    with listening() as (port, heard):
        url = f"{scheme}://127.0.0.1:{port}/x"
        subprocess.run(["git", "ls-remote", url], capture_output=True, check=False, env={"PATH": os.environ["PATH"]})
        assert heard  # plain git asks
        heard.clear()
        monkeypatch.setattr(gitstore, "check_url", lambda _url: "https")
        with pytest.raises(FetchFailed) as caught:
            fetch_commit(url, "0" * 40, tmp_path / "a.git")
        assert f"transport '{scheme}' not allowed" in caught.value.details["git said"]
    assert heard == []


def fake_ssh(folder: Path, script: str) -> None:
    folder.mkdir(exist_ok=True)
    (folder / "ssh").write_text(f"#!/bin/sh\n{script}\n")
    (folder / "ssh").chmod(0o755)


def test_words_of_a_remote_do_not_reach_the_terminal_raw(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake_ssh(tmp_path / "bin", "printf '\\033]0;owned\\007\\033[2Jerror: all is well\\n' >&2; exit 1")
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    with pytest.raises(FetchFailed) as caught:
        fetch_commit("ssh://git@host.invalid/x", "0" * 40, tmp_path / "a.git")
    assert "owned" in caught.value.details["git said"]
    assert caught.value.details["git said"].isprintable()
    with pytest.raises(FetchFailed) as asked:
        resolve_ref("ssh://git@host.invalid/x", "refs/heads/main")
    assert asked.value.details["git said"].isprintable()


def test_a_commit_comes_over_ssh_as_it_comes_from_a_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = write_repository(tmp_path / "up", PROJECT)
    fake_ssh(tmp_path / "bin", f"exec git-upload-pack {tmp_path}/up")
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    assert fetch_commit("ssh://git@host.invalid/x", first, tmp_path / "a.git").commit == first
    head = git(tmp_path / "up", "rev-parse", "HEAD")
    assert resolve_ref("ssh://git@host.invalid/x", "refs/heads/main") == head


def test_an_endless_list_of_names_is_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    row = f"{'0' * 40} refs/heads/main\\n"
    fake_ssh(tmp_path / "bin", f"printf '000eversion 1\\n'; while :; do printf '003d{row}'; done")
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    monkeypatch.setattr(gitrefs, "_ASK_S", 2)
    with pytest.raises(FetchFailed):
        resolve_ref("ssh://git@host.invalid/x", "refs/heads/main")


def test_the_callers_git_variables_lead_git_nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = write_repository(tmp_path / "up", PROJECT)
    plain = commit_members(tmp_path / "plain.git", members(PROJECT))
    write_repository(tmp_path / "other", {"x": b""})
    touch = f"touch {tmp_path}/ran"
    for name, value in {
        "GIT_DIR": f"{tmp_path}/other/.git",
        "GIT_COMMON_DIR": f"{tmp_path}/other/.git",
        "GIT_OBJECT_DIRECTORY": f"{tmp_path}/other/.git/objects",
        "GIT_ALTERNATE_OBJECT_DIRECTORIES": f"{tmp_path}/other/.git/objects",
        "GIT_INDEX_FILE": f"{tmp_path}/index",
        "GIT_WORK_TREE": f"{tmp_path}/other",
        "GIT_NAMESPACE": "elsewhere",
        "GIT_SSH_COMMAND": touch,
        "GIT_SSH": touch,
        "GIT_EXTERNAL_DIFF": touch,
        "GIT_PROXY_COMMAND": touch,
        "GIT_ASKPASS": touch,
        "GIT_EXEC_PATH": f"{tmp_path}/nowhere",
        "GIT_CONFIG_PARAMETERS": "'core.fsmonitor'='" + touch + "'",
        "GIT_ALLOW_PROTOCOL": "ext:file:ssh",
        "GIT_TRACE": f"{tmp_path}/trace",
    }.items():
        monkeypatch.setenv(name, value)
    assert fetch_commit(str(tmp_path / "up"), first, tmp_path / "a.git").commit == first
    assert commit_members(tmp_path / "b.git", members(PROJECT)) == plain
    checkout(tmp_path / "a.git", first, tmp_path / "out")
    assert (tmp_path / "out/LICENSE").is_file()
    assert os.environ["GIT_NAMESPACE"] == "elsewhere"  # and the caller keeps his
    assert not any((tmp_path / name).exists() for name in ("ran", "trace", "index", "nowhere"))


def test_a_folder_that_looks_like_a_repository_is_a_folder(tmp_path: Path) -> None:
    touch = f"touch {tmp_path}/ran"
    config = f"[core]\n\tbare = false\n\tworktree = .\n\trepositoryformatversion = 0\n\tfsmonitor = {touch}\n".encode()
    look = {"HEAD": b"ref: refs/heads/main\n", "config": config, "objects/x": b"", "refs/x": b""}
    archive = write_sdist(tmp_path / "a.tar.gz", {**PROJECT, **look, **{f"docs/{k}": v for k, v in look.items()}})
    source = ArchiveSource(kind="archive", path=str(archive), sha256=file_digest(archive), name="tallybook")
    work = WorkFolder(root=tmp_path / "work")
    found = pin(order(source), work=work, fetch=no_fetch)
    assert isinstance(found, Pin)
    checkout_pin(found, work=work, dest=tmp_path / "out")
    assert not (tmp_path / "ran").exists()
    subprocess.run(["git", "status"], cwd=tmp_path / "out" / "docs", capture_output=True, check=False)
    assert (tmp_path / "ran").exists()  # the trap springs for who runs git in there


def test_large_files_kept_elsewhere_stay_pointers_and_their_program_does_not_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    touch = f"touch {tmp_path}/ran; cat"
    (home / ".gitconfig").write_text(f'[filter "lfs"]\n\tsmudge = "{touch}"\n')
    pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"0" * 64 + b"\nsize 12345\n"
    files = {**PROJECT, ".gitattributes": b"*.bin filter=lfs\n", "data.bin": pointer}
    first = write_repository(tmp_path / "up", files)
    clone = ["git", "clone", "-q", f"{tmp_path}/up", f"{tmp_path}/clone"]
    subprocess.run(clone, capture_output=True, check=True, env={"PATH": os.environ["PATH"], "HOME": str(home)})
    (tmp_path / "ran").unlink()  # the filter does run for a clone
    monkeypatch.setenv("HOME", str(home))
    work = WorkFolder(root=tmp_path / "work")
    found = pin(order(git_source(tmp_path / "up", first)), work=work, fetch=no_fetch)
    assert isinstance(found, Pin)
    checkout_pin(found, work=work, dest=tmp_path / "out")
    assert (tmp_path / "out/data.bin").read_bytes() == pointer
    assert found.inventory.pointers == 1
    assert not (tmp_path / "ran").exists()


# too much


def test_few_objects_that_are_a_hundred_million_files_are_refused(tmp_path: Path) -> None:
    commit = tree_bomb(tmp_path / "up", levels=8)
    assert sum(1 for path in (tmp_path / "up/.git/objects").rglob("*") if path.is_file()) == 10
    fetch_commit(str(tmp_path / "up"), commit, tmp_path / "a.git")
    assert read_commit(tmp_path / "a.git", commit) == Refused(member="", why="more than 20,000 members")


def test_folders_without_end_are_refused(tmp_path: Path) -> None:
    commit = deep_tree(tmp_path / "up", levels=3000)
    fetch_commit(str(tmp_path / "up"), commit, tmp_path / "a.git")
    refused = read_commit(tmp_path / "a.git", commit)
    assert isinstance(refused, Refused)
    assert refused.why in {"name is too long", "git cannot list it: folders are too deep, or objects are broken"}


def test_a_blob_that_is_small_on_the_way_and_huge_at_home_is_refused_unread(tmp_path: Path) -> None:
    first = write_repository(tmp_path / "up", {**PROJECT, "zeros": bytes(40 * 1024 * 1024)})
    fetch_commit(str(tmp_path / "up"), first, tmp_path / "a.git")
    packed = sum(path.stat().st_size for path in (tmp_path / "a.git").rglob("*") if path.is_file())
    assert packed < 1_000_000
    assert read_commit(tmp_path / "a.git", first) == Refused(member="zeros", why="more than 33,554,432 bytes")


def test_a_repository_that_sends_without_end_is_rejected_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = write_repository(tmp_path / "up", {**PROJECT, "noise": os.urandom(300_000)})
    work = WorkFolder(root=tmp_path / "work")
    wanted = order(git_source(tmp_path / "up", first))
    monkeypatch.setattr(gitprocess, "_LARGEST_FILE", 100_000)
    rejected = pin(wanted, work=work, fetch=no_fetch)
    assert isinstance(rejected, Rejected)
    assert rejected.message == "the source is not taken: the repository sends more than is taken"
    assert list(work.git.iterdir()) == []
    monkeypatch.undo()
    assert isinstance(pin(wanted, work=work, fetch=no_fetch), Pin)


# names


@pytest.mark.parametrize(
    "name",
    [".git\u200c/config", ".g\u200dit/config", "git~1/config", ".git /config", ".git./x", ".git::$INDEX_ALLOCATION/x"],
)
def test_a_name_that_is_git_s_own_on_another_file_system_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(subprocess.CalledProcessError):  # git itself will not have it
        git(new_repository(tmp_path / "plain"), "-c", "core.protectNTFS=true", "-c", "core.protectHFS=true",
            "update-index", "--add", "--cacheinfo", f"100644,{'1' * 40},{name}")  # fmt: skip
    ids = commit_members(tmp_path / "a.git", [Member(path="ok", mode=Mode.FILE, data=b"")])
    folder, _, file = name.partition("/")
    blob = gitprocess.run_git(tmp_path / "a.git", "rev-parse", f"{ids.commit}:ok").decode().strip()
    from tests.unit.authoring.objects import commit, tree, write_object

    up = new_repository(tmp_path / "up")
    assert write_object(up, "blob", b"") == blob
    inner = write_object(up, "tree", tree(("100644", file, blob)))
    fetched = commit(up, write_object(up, "tree", tree(("40000", folder, inner))))
    fetch_commit(str(up), fetched, tmp_path / "b.git")
    refused = read_commit(tmp_path / "b.git", fetched)
    assert isinstance(refused, Refused)
    assert refused.why == "`.git` inside a commit"


def test_names_that_differ_in_case_alone_are_refused(tmp_path: Path) -> None:
    first = write_repository(tmp_path / "up", {**PROJECT, "SRC/tallybook/total.py": b"import os\n"})
    fetch_commit(str(tmp_path / "up"), first, tmp_path / "a.git")
    refused = read_commit(tmp_path / "a.git", first)
    assert isinstance(refused, Refused)
    assert refused == Refused(member="src", why="differs from `SRC` in case or spelling alone")
    without = write_repository(tmp_path / "plain", PROJECT)
    fetch_commit(str(tmp_path / "plain"), without, tmp_path / "b.git")
    assert isinstance(read_commit(tmp_path / "b.git", without), Files)


def test_the_refusal_of_a_fetch_ends_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = write_repository(tmp_path / "up", {"noise": os.urandom(300_000)})
    monkeypatch.setattr(gitprocess, "_LARGEST_FILE", 100_000)
    with pytest.raises(RefusedMember):
        fetch_commit(str(tmp_path / "up"), first, tmp_path / "a.git")
    assert not (tmp_path / "a.git").exists()
