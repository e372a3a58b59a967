"""Each kind of source, and that a name is looked at once: what moved since is said and not followed."""

from __future__ import annotations

import os
import shutil
import socket
import stat
from collections.abc import Mapping
from pathlib import Path

import pytest
from pydantic import ValidationError

from authoring.arrival import store_for
from authoring.folder import read_folder
from authoring.members import Bounds, Refused
from authoring.pin import checkout_pin, pin
from taskpack.errors import BadInput, DigestMismatch, FetchFailed
from taskpack.files import file_digest
from taskpack.layout import WorkFolder
from taskpack.order import ArchiveSource, FolderSource, GitSource, PypiSource, Source
from taskpack.outcome import Reason, Rejected
from taskpack.pin import Pin, Resolution
from taskpack.suitability import Suitability, Suitable
from tests.unit.authoring.sources import PROJECT, git, order, write_repository, write_sdist, write_zip


class Author:
    """A case's author: keeps what was resolved, hears what is said."""

    def __init__(self, root: Path) -> None:
        self.work = WorkFolder(root=root / "work")
        self.known: Resolution | None = None
        self.heard: list[str] = []
        self.verdicts: list[Suitability] = []

    def keep(self, resolution: Resolution) -> None:
        self.known = Resolution.from_bytes(resolution.to_bytes())

    def pin(self, source: Source, *, archive: Path | None = None) -> Pin | Rejected:
        return pin(
            order(source),
            work=self.work,
            fetch=lambda _source, folder: Path(shutil.copy(archive or Path("/nowhere"), folder)),
            known=self.known,
            keep=self.keep,
            note=self.heard.append,
            report=self.verdicts.append,
        )


@pytest.fixture
def author(tmp_path: Path) -> Author:
    return Author(tmp_path)


def write_folder(root: Path, files: Mapping[str, bytes]) -> Path:
    for name, data in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(data)
    return root


def named(repository: Path, **name: str) -> GitSource:
    return GitSource.model_validate({"kind": "git", "url": str(repository), **name})


# the order


@pytest.mark.parametrize(
    "names",
    [
        {},
        {"branch": "main", "tag": "v1"},
        {"commit": "a" * 40, "branch": "main"},
        {"commit": "a" * 7},
        {"branch": "a" * 40},
        {"branch": "-main"},
        {"branch": "refs/heads/main"},
        {"branch": "main^"},
        {"branch": "main:other"},
        {"branch": "a..b"},
        {"tag": "v1@{1}"},
        {"tag": "v 1"},
        {"tag": "v1\n"},
        {"tag": "*"},
        {"tag": ""},
        {"tag": "x.lock"},
    ],
)
def test_a_git_source_takes_exactly_one_name_and_no_expression(names: dict[str, str]) -> None:
    with pytest.raises(ValidationError):
        named(Path("/x"), **names)


@pytest.mark.parametrize("path", ["relative", "./x", "/a/../b", "~/x", ""])
def test_archives_and_folders_are_named_by_whole_paths(path: str) -> None:
    with pytest.raises(ValidationError):
        FolderSource(kind="folder", path=path, name="x")
    with pytest.raises(ValidationError):
        ArchiveSource(kind="archive", path=path, sha256="0" * 64, name="x")


# branches and tags


@pytest.mark.parametrize("name", [{"branch": "main"}, {"branch": "topic/one"}, {"tag": "light"}, {"tag": "heavy"}])
def test_a_name_is_resolved_to_the_commit_itself_and_kept(tmp_path: Path, author: Author, name: dict[str, str]) -> None:
    first = write_repository(tmp_path / "up", PROJECT)
    git(tmp_path / "up", "branch", "-f", "topic/one", first)
    git(tmp_path / "up", "tag", "light", first)
    git(tmp_path / "up", "tag", "-a", "heavy", first, "-m", "x")
    git(tmp_path / "up", "reset", "-q", "--hard", first)
    found = author.pin(named(tmp_path / "up", **name))
    assert isinstance(found, Pin)
    assert found.commit == first
    assert author.known == Resolution(source=found.source, commit=first)
    assert author.heard == []


def test_the_whole_name_counts_not_its_end(tmp_path: Path, author: Author) -> None:
    write_repository(tmp_path / "up", PROJECT)
    git(tmp_path / "up", "update-ref", "refs/heads/x/refs/heads/absent", "HEAD")
    with pytest.raises(BadInput, match="the repository has no branch `absent`"):
        author.pin(named(tmp_path / "up", branch="absent"))
    assert author.known is None
    with pytest.raises(BadInput, match="the repository has no tag `main`"):
        author.pin(named(tmp_path / "up", tag="main"))


def test_a_branch_that_moved_is_said_and_not_followed(tmp_path: Path, author: Author) -> None:
    write_repository(tmp_path / "up", PROJECT)
    source = named(tmp_path / "up", branch="main")
    before = author.pin(source)
    assert isinstance(before, Pin)
    git(tmp_path / "up", "commit", "-q", "--allow-empty", "-m", "three")
    now = git(tmp_path / "up", "rev-parse", "HEAD")
    assert now != before.commit
    assert author.pin(source) == before
    (said,) = author.heard
    assert said.startswith(f"    refs/heads/main is at {now[:12]} now; the pin stays at {before.commit[:12]} ")
    assert said.endswith("(delete provenance/resolution.json to follow)")
    author.known = None
    after = author.pin(source)
    assert isinstance(after, Pin)
    assert after.commit == now


def test_the_pin_holds_in_a_new_work_directory_after_the_branch_moved(tmp_path: Path, author: Author) -> None:
    write_repository(tmp_path / "up", PROJECT)
    source = named(tmp_path / "up", branch="main")
    before = author.pin(source)
    git(tmp_path / "up", "commit", "-q", "--allow-empty", "-m", "three")
    author.work = WorkFolder(root=tmp_path / "elsewhere")
    assert author.pin(source) == before


def test_the_pin_holds_when_branch_and_repository_are_gone(tmp_path: Path, author: Author) -> None:
    write_repository(tmp_path / "up", PROJECT)
    source = named(tmp_path / "up", branch="main")
    before = author.pin(source)
    shutil.rmtree(tmp_path / "up")
    assert author.pin(source) == before
    assert "cannot be looked up now" in author.heard[0]


def test_a_commit_that_a_rewritten_branch_lost_is_an_error_and_not_the_new_one(tmp_path: Path, author: Author) -> None:
    write_repository(tmp_path / "up", PROJECT)
    source = named(tmp_path / "up", branch="main")
    author.pin(source)
    shutil.rmtree(tmp_path / "up")
    write_repository(tmp_path / "up", {**PROJECT, "more": b""})
    author.work = WorkFolder(root=tmp_path / "elsewhere")
    with pytest.raises(FetchFailed, match="did not give the pinned commit"):
        author.pin(source)


def test_a_resolution_of_another_source_is_not_used(tmp_path: Path, author: Author) -> None:
    first = write_repository(tmp_path / "up", PROJECT)
    git(tmp_path / "up", "tag", "v1", first)
    author.pin(named(tmp_path / "up", branch="main"))
    found = author.pin(named(tmp_path / "up", tag="v1"))
    assert isinstance(found, Pin)
    assert found.commit == first
    assert author.heard == ["    resolution.json is of another source: it is resolved again"]


# archives and folders on this machine


@pytest.mark.parametrize("kind", ["tar.gz", "zip"])
def test_an_archive_file_gives_the_tree_that_the_registry_s_would(tmp_path: Path, author: Author, kind: str) -> None:
    path = tmp_path / f"tallybook-1.0.{kind}"
    made = (
        write_sdist(path, PROJECT)
        if kind == "tar.gz"
        else write_zip(path, {f"top/{name}": data for name, data in PROJECT.items()})
    )
    found = author.pin(ArchiveSource(kind="archive", path=str(made), sha256=file_digest(made), name="tallybook"))
    assert isinstance(found, Pin)
    assert found.file_name == path.name
    sdist = write_sdist(tmp_path / "registry.tar.gz", PROJECT)
    other = author.pin(
        PypiSource(kind="pypi", name="tallybook", version="1.0", sha256=file_digest(sdist)), archive=sdist
    )
    assert isinstance(other, Pin)
    assert (found.tree, found.commit) == (other.tree, other.commit)
    assert author.known is None


def test_an_archive_file_that_changed_is_a_mismatch(tmp_path: Path, author: Author) -> None:
    path = write_sdist(tmp_path / "a.tar.gz", PROJECT)
    source = ArchiveSource(kind="archive", path=str(path), sha256=file_digest(path), name="tallybook")
    write_sdist(path, {**PROJECT, "more": b""})
    with pytest.raises(DigestMismatch, match=r"a\.tar\.gz is not the file that was pinned"):
        author.pin(source)
    path.unlink()
    with pytest.raises(BadInput, match="there is no such archive"):
        author.pin(source)


PKG_INFO = b"Metadata-Version: 2.1\nName: Tally_Book\nVersion: 1.0.0\nLicense-Expression: MIT\n"


@pytest.mark.parametrize(
    ("name", "version", "fact"),
    [
        ("tally-book", "1.0", ""),
        ("tally.book", "1.0.0", ""),
        ("tally-book", "1.1", "PKG-INFO says version `1.0.0`, the order says `1.1`"),
        ("tallyhook", "1.0", "PKG-INFO says `Tally_Book`, the order says `tallyhook`"),
    ],
)
def test_an_archive_of_another_project_or_version_than_the_order_s_is_refused(
    tmp_path: Path, author: Author, name: str, version: str, fact: str
) -> None:
    path = write_sdist(tmp_path / "a.tar.gz", {**PROJECT, "PKG-INFO": PKG_INFO})
    source = PypiSource(kind="pypi", name=name, version=version, sha256=file_digest(path))
    if not fact:
        assert isinstance(author.pin(source, archive=path), Pin)
        return
    with pytest.raises(DigestMismatch, match="of another project or version") as caught:
        author.pin(source, archive=path)
    assert caught.value.details["fact"] == fact
    assert not store_for(author.work, source).exists()


def test_a_folder_is_pinned_by_what_it_held_first(tmp_path: Path, author: Author) -> None:
    folder = write_folder(tmp_path / "up", {**PROJECT, ".git/config": b"[core]\n"})
    source = FolderSource(kind="folder", path=str(folder), name="tallybook")
    before = author.pin(source)
    assert isinstance(before, Pin)
    assert before.dropped == (".git: read by git itself",)
    assert author.known is not None
    assert author.known.commit == before.commit
    (folder / "src/tallybook/total.py").write_text("def add(a, b): return 0\n")
    assert author.pin(source) == before
    assert "has changed or is gone; the pin stays at" in author.heard[0]
    checkout_pin(before, work=author.work, dest=tmp_path / "out")
    assert (tmp_path / "out/src/tallybook/total.py").read_bytes() == PROJECT["src/tallybook/total.py"]
    author.work = WorkFolder(root=tmp_path / "elsewhere")
    with pytest.raises(DigestMismatch, match="the folder is not what was pinned"):
        author.pin(source)
    author.known = None
    after = author.pin(source)
    assert isinstance(after, Pin)
    assert after.commit != before.commit


def test_a_folder_gives_the_tree_that_its_archive_would(tmp_path: Path, author: Author) -> None:
    folder = write_folder(tmp_path / "up", PROJECT)
    found = author.pin(FolderSource(kind="folder", path=str(folder), name="tallybook"))
    path = write_sdist(tmp_path / "a.tar.gz", PROJECT)
    other = author.pin(ArchiveSource(kind="archive", path=str(path), sha256=file_digest(path), name="tallybook"))
    assert isinstance(found, Pin)
    assert isinstance(other, Pin)
    assert found.commit == other.commit


def pipe(root: Path) -> None:
    os.mkfifo(root / "entry")


def socket_file(root: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(root / "entry"))


def device(root: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("needs root to make a device")
    try:
        os.mknod(root / "entry", stat.S_IFCHR | 0o600, os.makedev(1, 5))
    except OSError as error:
        pytest.skip(f"no device can be made here: {error}")


def leaving(root: Path) -> None:
    (root / "entry").symlink_to("../../outside")


def absolute(root: Path) -> None:
    (root / "entry").symlink_to("/etc/passwd")


def twins(root: Path) -> None:
    (root / "entry").write_text("")
    (root / "ENTRY").write_text("")


def control(root: Path) -> None:
    (root / "en\x1btry").write_text("")


def not_text(root: Path) -> None:
    Path(os.fsdecode(os.fsencode(root) + b"/\xff")).write_text("")


def large(root: Path) -> None:
    with (root / "entry").open("wb") as file:
        file.truncate(64 * 1024 * 1024 * 1024)


def deep(root: Path) -> None:
    (root / "/".join("d" * 70)).mkdir(parents=True)
    (root / "/".join("d" * 70) / "x").write_text("")


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (pipe, "a device, a pipe or an unknown kind of entry"),
        (socket_file, "a device, a pipe or an unknown kind of entry"),
        (device, "a device, a pipe or an unknown kind of entry"),
        (leaving, "link leaves the tree"),
        (absolute, "link leaves the tree"),
        (twins, "in case or spelling alone"),
        (control, "NUL or control character in the name"),
        (not_text, "name is not UTF-8"),
        (large, "more than 33,554,432 bytes"),
        (deep, "more than 64 folders deep"),
    ],
)
def test_a_hostile_folder_is_refused_at_once(tmp_path: Path, make: object, why: str) -> None:
    root = write_folder(tmp_path / "up", {"ok": b"fine"})
    make(root)  # type: ignore[operator]
    refused = read_folder(root)
    assert isinstance(refused, Refused)
    assert why in refused.why


def test_a_folder_has_bounds_and_is_no_link(tmp_path: Path) -> None:
    root = write_folder(tmp_path / "up", dict.fromkeys("abc", b"0123"))
    for bounds, why in (
        (Bounds(members=2), "more than 2 members"),
        (Bounds(total_bytes=9), "more than 9 bytes in all"),
    ):
        assert read_folder(root, bounds) == Refused(member="c", why=why)
    (tmp_path / "link").symlink_to(root)
    with pytest.raises(BadInput, match="the source is no folder"):
        read_folder(tmp_path / "link")
    with pytest.raises(BadInput, match="the source is no folder"):
        read_folder(tmp_path / "absent")


# the verdict on what is turned away


def test_a_source_that_is_turned_away_has_a_verdict(tmp_path: Path, author: Author) -> None:
    bare = {name: data for name, data in PROJECT.items() if not name.startswith("tests/")}
    rejected = author.pin(FolderSource(kind="folder", path=str(write_folder(tmp_path / "a", bare)), name="tallybook"))
    assert isinstance(rejected, Rejected)
    (verdict,) = author.verdicts
    assert verdict.verdict is Suitable.UNUSABLE
    assert verdict.blocking_items == ("no tests: no test_*.py, *_test.py or tests folder",)
    assert not verdict.dimensions.blackbox_testability.passed
    assert verdict.empirical_evidence.environment_method == "none"


def test_a_licence_that_is_not_accepted_is_a_verdict_on_what_comes_from_outside(tmp_path: Path, author: Author) -> None:
    files = {name: data for name, data in PROJECT.items() if name != "LICENSE"}
    rejected = author.pin(FolderSource(kind="folder", path=str(write_folder(tmp_path / "a", files)), name="tallybook"))
    assert isinstance(rejected, Rejected)
    assert rejected.reason is Reason.LICENCE
    assert author.verdicts[0].blocking_items == ("no licence text was found",)
    assert not author.verdicts[0].dimensions.external_resources.passed
