"""What `repowright new` takes as a source."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from authoring.guesses.refs import whole_commit
from authoring.guesses.source import LocalArchive, LocalFolder, Project, Repository, read_source
from taskpack.errors import BadInput, FetchFailed


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("tallybook", Project(name="tallybook")),
        ("pypi:tallybook", Project(name="tallybook")),
        ("Tally.Book-2==1.0rc1", Project(name="Tally.Book-2", version="1.0rc1")),
        ("https://host.example/a/b.git", Repository(url="https://host.example/a/b.git")),
        ("https://host.example/a/b@v1.0", Repository(url="https://host.example/a/b", ref="v1.0")),
        ("git+https://host.example/a/b@main", Repository(url="https://host.example/a/b", ref="main")),
        ("ssh://git@host.example/a/b@v1", Repository(url="ssh://git@host.example/a/b", ref="v1")),
        ("git@host.example:a/b.git", Repository(url="ssh://git@host.example/a/b.git")),
    ],
)
def test_projects_and_addresses_are_told_apart(text: str, asked: object) -> None:
    assert read_source(text) == asked


@pytest.mark.parametrize(
    "text",
    [
        "",
        "tally book",
        "tallybook>=1",
        "tallybook=1.0",
        "-r file",
        "tallybook==",
        "pypi:./here",
        "tallybook\n",
        "./absent",
    ],
)
def test_what_is_no_source_is_refused_with_the_forms(text: str) -> None:
    with pytest.raises(BadInput) as caught:
        read_source(text)
    assert caught.value.remedy


def repository(folder: Path) -> str:
    """A repository with a branch, an annotated tag and a plain one; gives its only commit."""
    folder.mkdir()
    (folder / "file").write_text("text")
    base = ["git", "-c", "user.name=a", "-c", "user.email=a@a.example", "-C", str(folder)]
    for words in (
        ["init", "-q", "-b", "main"],
        ["add", "."],
        ["commit", "-qm", "one"],
        ["tag", "-am", "t", "v1"],
        ["tag", "v2"],
    ):
        subprocess.run([*base, *words], check=True, capture_output=True)
    return subprocess.run([*base, "rev-parse", "HEAD"], check=True, capture_output=True, text=True).stdout.strip()


def test_paths_are_repositories_folders_and_archives(tmp_path: Path) -> None:
    repository(tmp_path / "repo")
    (tmp_path / "plain").mkdir()
    (tmp_path / "a.tar.gz").touch()
    assert read_source(f"{tmp_path}/repo") == Repository(url=str(tmp_path / "repo"))
    assert read_source(f"{tmp_path}/repo@v1") == Repository(url=str(tmp_path / "repo"), ref="v1")
    assert read_source(f"{tmp_path}/plain") == LocalFolder(path=tmp_path / "plain")
    assert read_source(f"{tmp_path}/a.tar.gz") == LocalArchive(path=tmp_path / "a.tar.gz")
    with pytest.raises(BadInput, match="no git repository"):
        read_source(f"{tmp_path}/plain@v1")


def test_a_branch_either_kind_of_tag_and_head_become_the_whole_commit(tmp_path: Path) -> None:
    commit = repository(tmp_path / "repo")
    found = {ref: whole_commit(str(tmp_path / "repo"), ref) for ref in ("main", "v1", "v2", "", commit)}
    assert set(found.values()) == {commit}


def test_names_that_are_not_there_or_not_clear_are_refused(tmp_path: Path) -> None:
    repository(tmp_path / "repo")
    for ref in ("absent", "ain", "V1", "heads/main"):
        with pytest.raises(BadInput, match="no tag or branch"):
            whole_commit(str(tmp_path / "repo"), ref)
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@a.example", "-C", str(tmp_path / "repo")]
    subprocess.run([*git, "checkout", "-qb", "v1"], check=True, capture_output=True)
    subprocess.run([*git, "commit", "-qm", "two", "--allow-empty"], check=True, capture_output=True)
    with pytest.raises(BadInput, match="they differ"):
        whole_commit(str(tmp_path / "repo"), "v1")


def test_a_repository_without_a_commit_has_no_head(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path / "empty")], check=True, capture_output=True)
    with pytest.raises(BadInput, match="no tag or branch HEAD"):
        whole_commit(str(tmp_path / "empty"), "")


def test_a_folder_that_is_no_repository_any_more_is_silence(tmp_path: Path) -> None:
    (tmp_path / "gone").mkdir()
    with pytest.raises(FetchFailed, match="did not say"):
        whole_commit(str(tmp_path / "gone"), "main")
