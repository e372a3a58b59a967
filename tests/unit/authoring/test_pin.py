"""The pin stage on tiny upstreams: what comes out, and each way to say no."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from authoring.arrival import Fetch, store_for
from authoring.inventory import SizeBounds, take_inventory, unsuitable
from authoring.pin import checkout_pin, notices, pin
from taskpack.errors import DigestMismatch, FetchFailed, RecordUnreadable
from taskpack.files import file_digest, tree_digest
from taskpack.layout import WorkFolder
from taskpack.order import Order, PypiSource
from taskpack.outcome import Fact, Reason, Rejected
from taskpack.pin import Pin
from tests.unit.authoring.sources import (
    MIT,
    PROJECT,
    entry,
    git_source,
    members,
    order,
    write_repository,
    write_sdist,
    write_tar,
)


@pytest.fixture
def work(tmp_path: Path) -> WorkFolder:
    return WorkFolder(root=tmp_path / "work")


def ordered(archive: Path) -> Order:
    digest = file_digest(archive)
    return order(PypiSource(kind="pypi", name="tallybook", version="1.0", sha256=digest))


def giving(archive: Path) -> Fetch:
    return lambda _source, folder: Path(shutil.copy(archive, folder))


def pinned(path: Path, work: WorkFolder, files: Mapping[str, bytes]) -> Pin | Rejected:
    archive = write_sdist(path / "tallybook-1.0.tar.gz", files)
    return pin(ordered(archive), work=work, fetch=giving(archive))


def refuse_to_fetch(_source: PypiSource, _folder: Path) -> Path:
    raise FetchFailed("the registry does not answer")


def test_a_pin_says_where_it_came_from_and_what_it_holds(tmp_path: Path, work: WorkFolder) -> None:
    found = pinned(tmp_path, work, {**PROJECT, ".gitmodules": b""})
    assert isinstance(found, Pin)
    assert found.file_name == "tallybook-1.0.tar.gz"
    assert found.file_sha256 == file_digest(tmp_path / "tallybook-1.0.tar.gz")
    assert found.dropped == (".gitmodules: read by git itself",)
    assert (found.licence, found.recipe) == ("MIT", 1)
    assert [file.path for file in found.licence_files] == ["LICENSE"]
    assert found.inventory.model_dump() == {
        "files": 5,
        "bytes": sum(map(len, PROJECT.values())),
        "source_files": 2,
        "test_files": 1,
        "links": 0,
        "native_files": 0,
        "pointers": 0,
    }
    assert Pin.from_bytes(found.to_bytes()) == found


def test_the_same_archive_gives_the_same_pin_in_another_work_directory(tmp_path: Path, work: WorkFolder) -> None:
    archive = write_sdist(tmp_path / "tallybook-1.0.tar.gz", PROJECT)
    one, other = (
        pin(ordered(archive), work=place, fetch=giving(archive))
        for place in (work, WorkFolder(root=tmp_path / "other"))
    )
    assert isinstance(one, Pin)
    assert one == other


def test_the_same_files_in_another_archive_give_the_same_tree(tmp_path: Path, work: WorkFolder) -> None:
    one = pinned(tmp_path, work, PROJECT)
    archive = write_sdist(tmp_path / "b.tgz", dict(reversed(PROJECT.items())), top="elsewhere")
    two = pin(ordered(archive), work=work, fetch=giving(archive))
    assert isinstance(one, Pin)
    assert isinstance(two, Pin)
    assert (one.tree, one.commit) == (two.tree, two.commit)
    assert one.file_sha256 != two.file_sha256


def test_the_checkout_holds_the_pinned_files_and_no_git(tmp_path: Path, work: WorkFolder) -> None:
    found = pinned(tmp_path, work, PROJECT)
    assert isinstance(found, Pin)
    checkout_pin(found, work=work, dest=tmp_path / "out")
    checkout_pin(found, work=work, dest=tmp_path / "again")
    assert (tmp_path / "out" / "LICENSE").read_bytes() == MIT
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["LICENSE", "pyproject.toml", "src", "tests"]
    assert tree_digest(tmp_path / "out") == tree_digest(tmp_path / "again")


def test_licence_texts_and_notices_can_be_carried_along(tmp_path: Path, work: WorkFolder) -> None:
    found = pinned(tmp_path, work, {**PROJECT, "NOTICE": b"By A. Person.\n"})
    assert isinstance(found, Pin)
    assert notices(found, work) == {"LICENSE": MIT, "NOTICE": b"By A. Person.\n"}


def test_a_second_run_does_not_fetch_again(tmp_path: Path, work: WorkFolder) -> None:
    archive = write_sdist(tmp_path / "a.tar.gz", PROJECT)
    first = pin(ordered(archive), work=work, fetch=giving(archive))
    assert pin(ordered(archive), work=work, fetch=refuse_to_fetch) == first


def test_a_download_that_was_changed_on_disk_is_fetched_again(tmp_path: Path, work: WorkFolder) -> None:
    archive = write_sdist(tmp_path / "a.tar.gz", PROJECT)
    first = pin(ordered(archive), work=work, fetch=giving(archive))
    (kept,) = work.downloads.glob("*/a.tar.gz")
    kept.write_bytes(b"something else")
    with pytest.raises(FetchFailed):
        pin(ordered(archive), work=work, fetch=refuse_to_fetch)
    assert pin(ordered(archive), work=work, fetch=giving(archive)) == first


def test_other_bytes_than_the_pinned_ones_are_a_mismatch_and_are_not_kept(tmp_path: Path, work: WorkFolder) -> None:
    archive = write_sdist(tmp_path / "a.tar.gz", PROJECT)
    wanted = ordered(archive)
    archive.write_bytes(b"swapped")
    with pytest.raises(DigestMismatch, match="is not the file that was pinned") as caught:
        pin(wanted, work=work, fetch=giving(archive))
    assert caught.value.details["arrived"] == hashlib.sha256(b"swapped").hexdigest()
    assert list(work.downloads.rglob("*")) == []


def test_a_hostile_archive_is_rejected_with_member_and_reason(tmp_path: Path, work: WorkFolder) -> None:
    archive = write_tar(tmp_path / "a.tar.gz", entry("p/ok"), entry("p/../../etc/cron.d/x"))
    rejected = pin(ordered(archive), work=work, fetch=giving(archive))
    assert isinstance(rejected, Rejected)
    assert rejected.reason is Reason.UNSUITABLE
    assert rejected.message == "the source is not taken: `..` in the path"
    assert rejected.evidence == (Fact(what="`..` in the path", where="p/../../etc/cron.d/x"),)
    assert rejected.command == "repowright author case901"


def without(*names: str) -> Callable[[], dict[str, bytes]]:
    return lambda: {name: data for name, data in PROJECT.items() if name not in names}


@pytest.mark.parametrize(
    ("files", "reason", "message"),
    [
        (
            without("tests/test_total.py"),
            Reason.UNSUITABLE,
            "the source cannot become a task: no tests: no test_*.py, *_test.py or tests folder",
        ),
        (
            without("src/tallybook/__init__.py", "src/tallybook/total.py"),
            Reason.UNSUITABLE,
            "the source cannot become a task: no public package or module at the root or below src/",
        ),
        (without("LICENSE"), Reason.LICENCE, "no licence text was found"),
        (
            lambda: {**PROJECT, "pyproject.toml": b'[project]\nlicense = "GPL-3.0-only"\n'},
            Reason.LICENCE,
            "metadata and licence texts do not agree",
        ),
    ],
)
def test_a_source_that_cannot_be_used_is_rejected(
    tmp_path: Path, work: WorkFolder, files: Callable[[], dict[str, bytes]], reason: Reason, message: str
) -> None:
    rejected = pinned(tmp_path, work, files())
    assert isinstance(rejected, Rejected)
    assert (rejected.reason, rejected.message) == (reason, message)
    assert rejected.evidence


def test_a_licence_outside_the_order_is_rejected(tmp_path: Path, work: WorkFolder) -> None:
    archive = write_sdist(tmp_path / "a.tar.gz", PROJECT)
    wanted = ordered(archive).model_copy(update={"licences": ("ISC",)})
    rejected = pin(wanted, work=work, fetch=giving(archive))
    assert isinstance(rejected, Rejected)
    assert rejected.reason is Reason.LICENCE
    assert rejected.message == "the licence is not accepted: MIT"


def test_a_source_out_of_bounds_says_every_count_that_is_too_high() -> None:
    listed = members(PROJECT)
    facts = unsuitable(listed, take_inventory(listed), SizeBounds(files=4, bytes=100, source_files=2))
    assert [fact.what.partition(";")[0] for fact in facts] == ["5 files", f"{sum(map(len, PROJECT.values())):,} bytes"]


def test_a_git_source_is_pinned_by_its_own_commit(tmp_path: Path, work: WorkFolder) -> None:
    first = write_repository(tmp_path / "up", PROJECT)
    found = pin(order(git_source(tmp_path / "up", first)), work=work, fetch=refuse_to_fetch)
    assert isinstance(found, Pin)
    assert (found.commit, found.file_name, found.file_sha256) == (first, "", "")
    archive = write_sdist(tmp_path / "a.tar.gz", PROJECT)
    same = pin(ordered(archive), work=work, fetch=giving(archive))
    assert isinstance(same, Pin)
    assert same.tree == found.tree


def test_a_git_source_is_not_asked_twice(tmp_path: Path, work: WorkFolder) -> None:
    first = write_repository(tmp_path / "up", PROJECT)
    wanted = order(git_source(tmp_path / "up", first))
    found = pin(wanted, work=work, fetch=refuse_to_fetch)
    shutil.rmtree(tmp_path / "up")
    assert pin(wanted, work=work, fetch=refuse_to_fetch) == found


def test_a_pin_whose_store_is_gone_says_what_to_do(tmp_path: Path, work: WorkFolder) -> None:
    found = pinned(tmp_path, work, PROJECT)
    assert isinstance(found, Pin)
    shutil.rmtree(store_for(work, found.source))
    with pytest.raises(RecordUnreadable, match="the git store does not hold") as caught:
        checkout_pin(found, work=work, dest=tmp_path / "out")
    assert "so that both are made again" in caught.value.remedy


def test_each_source_has_a_store_of_its_own_whatever_it_is_called(work: WorkFolder) -> None:
    names = ["a", "../../a", "A"]
    stores = {store_for(work, PypiSource(kind="pypi", name=name, version="1", sha256="0" * 64)) for name in names}
    assert len(stores) == 3
    assert {store.parent for store in stores} == {work.git}
