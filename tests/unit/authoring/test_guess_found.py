"""Sources on this machine become what an order pins: a whole commit, a file's hash, a folder by its path."""

from __future__ import annotations

import hashlib
import tarfile
from pathlib import Path

from authoring.guesses.found import find_source, label, other_language
from authoring.guesses.source import LocalArchive, LocalFolder, Repository
from authoring.pin import pin
from taskpack.layout import WorkFolder
from taskpack.order import ArchiveSource, FolderSource, GitSource
from taskpack.outcome import Rejected
from tests.unit.authoring.sources import PROJECT, order
from tests.unit.authoring.test_guess_source import repository


def planted(folder: Path) -> Path:
    for name, data in PROJECT.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return folder


def find(asked: Repository | LocalArchive | LocalFolder) -> GitSource | ArchiveSource | FolderSource:
    found = find_source(asked, sandbox=None, say=lambda _: None).source  # type: ignore[arg-type]
    assert isinstance(found, (GitSource, ArchiveSource, FolderSource))
    return found


def fetch(*_: object) -> Path:
    raise AssertionError("nothing is fetched")


def test_an_archive_is_pinned_by_its_bytes_under_its_own_name(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "whatever-1.0.tar.gz", "w:gz") as archive:
        archive.add(planted(tmp_path / "tree"), "tallybook-1.0")
    source = find(LocalArchive(path=tmp_path / "whatever-1.0.tar.gz"))
    digest = hashlib.sha256((tmp_path / "whatever-1.0.tar.gz").read_bytes()).hexdigest()
    assert source == ArchiveSource(
        kind="archive", path=str(tmp_path / "whatever-1.0.tar.gz"), sha256=digest, name="tallybook"
    )
    assert not isinstance(pin(order(source), work=WorkFolder(root=tmp_path / "w"), fetch=fetch), Rejected)


def test_a_folder_is_named_as_its_project_names_itself(tmp_path: Path) -> None:
    source = find(LocalFolder(path=planted(tmp_path / "checkout")))
    assert source == FolderSource(kind="folder", path=str(tmp_path / "checkout"), name="tallybook")
    assert label(source) == str(tmp_path / "checkout")


def test_a_repository_is_pinned_by_its_whole_commit(tmp_path: Path) -> None:
    commit = repository(tmp_path / "repo")
    assert find(Repository(url=str(tmp_path / "repo"), ref="v1")) == GitSource(
        kind="git", url=str(tmp_path / "repo"), commit=commit
    )


def test_a_broken_archive_is_left_to_pinning_which_says_what_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "tallybook-1.0.tar.gz").write_bytes(b"no archive")
    source = find(LocalArchive(path=tmp_path / "tallybook-1.0.tar.gz"))
    answer = pin(order(source), work=WorkFolder(root=tmp_path / "w"), fetch=fetch)
    assert isinstance(answer, Rejected)
    assert "broken" in answer.message


def test_the_language_of_a_source_that_was_turned_away_is_told(tmp_path: Path) -> None:
    (tmp_path / "go").mkdir()
    (tmp_path / "go/go.mod").write_text("module x\n")
    found = other_language(find(LocalFolder(path=tmp_path / "go")), WorkFolder(root=tmp_path / "w"))
    assert found is not None
    assert found.value == "Go"
    assert other_language(find(LocalFolder(path=planted(tmp_path / "py"))), WorkFolder(root=tmp_path / "w")) is None
