"""The stage store: a result is there whole, or not at all."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from taskpack import files
from taskpack.errors import NoSpace, RecordUnreadable
from taskpack.outcome import Reason, Rejected, Stage
from taskpack.record import Record
from taskpack.rename import Reference
from taskpack.store import StageKey, StageStore

KEY = StageKey(stage="reference", version=1, inputs={"pin": "a", "names": "b"})
MADE = Reference(tree="0" * 64, product_paths=("src",), tests_passed=3)
NO = Rejected(stage=Stage.REFERENCE, reason=Reason.TESTS_FAIL, message="2 of 3", evidence=(), command="x")


@pytest.fixture
def store(tmp_path: Path) -> StageStore:
    return StageStore(root=tmp_path / "stages")


def keep(store: StageStore, result: Record = MADE, text: str = "made") -> None:
    with store.scratch() as scratch:
        (scratch / "tree").mkdir()
        (scratch / "tree" / "x").write_text(text)
        store.keep(KEY, result, scratch)


def test_a_kept_result_is_found_with_its_files(store: StageStore) -> None:
    assert store.load(KEY, (Rejected, Reference)) is None
    keep(store)
    assert store.load(KEY, (Rejected, Reference)) == MADE
    assert (store.tree(KEY) / "x").read_text() == "made"
    assert [path.name for path in store.root.iterdir()] == ["reference"]


def test_a_rejection_is_an_answer_and_is_kept(store: StageStore) -> None:
    keep(store, NO)
    assert store.load(KEY, (Rejected, Reference)) == NO


def test_other_inputs_or_another_version_are_another_result(store: StageStore) -> None:
    keep(store)
    others = [
        StageKey(stage="reference", version=2, inputs=KEY.inputs),
        StageKey(stage="reference", version=1, inputs={"pin": "a", "names": "c"}),
        StageKey(stage="survey", version=1, inputs=KEY.inputs),
    ]
    assert [store.load(key, (Rejected, Reference)) for key in others] == [None, None, None]


def test_the_order_of_inputs_does_not_matter() -> None:
    assert StageKey(stage="s", version=1, inputs={"names": "b", "pin": "a"}).digest == KEY.digest


def test_the_first_result_wins(store: StageStore) -> None:
    keep(store, text="one")
    keep(store, text="two")
    assert (store.tree(KEY) / "x").read_text() == "one"


def test_a_broken_result_is_named(store: StageStore) -> None:
    keep(store)
    (store.folder(KEY) / "result.json").write_text("{")
    with pytest.raises(RecordUnreadable, match=r"result\.json is not a readable reference"):
        store.load(KEY, (Rejected, Reference))


@pytest.mark.parametrize("point", ["write_bytes", "sync_tree"])
def test_a_kill_while_keeping_leaves_no_result_and_the_next_try_succeeds(store: StageStore, point: str) -> None:
    child = os.fork()
    if child == 0:

        def die(*_args: object, **_options: object) -> None:
            os.kill(os.getpid(), signal.SIGKILL)

        import taskpack.store

        setattr(taskpack.store if point == "write_bytes" else files, point, die)
        keep(store)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
    assert store.load(KEY, (Rejected, Reference)) is None
    assert not store.folder(KEY).exists()
    keep(store)
    assert store.load(KEY, (Rejected, Reference)) == MADE


def test_a_full_disk_while_keeping_leaves_nothing(store: StageStore, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(NoSpace):
            keep(store)
    assert store.load(KEY, (Rejected, Reference)) is None
    assert list(store.root.iterdir()) == []
