"""Folders of errands: in the swept area, gone at their end, and gone after a kill."""

from __future__ import annotations

import ast
import multiprocessing
import os
import signal
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from environments.runtime import VARIABLE, scratch

CHECKOUT = Path(__file__).parents[3]


@pytest.fixture
def area(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(VARIABLE, str(tmp_path / "area"))
    return tmp_path / "area"


def owners(area: Path) -> list[Path]:
    return list((area / "owners").iterdir())


def test_a_scratch_folder_lies_in_the_area_and_goes_with_its_block(area: Path) -> None:
    with scratch() as first, scratch() as second:
        assert first != second
        assert first.is_relative_to(area)
        assert list(first.iterdir()) == []
    assert owners(area) == []


def test_a_scratch_folder_goes_when_its_block_raises(area: Path) -> None:
    def broken() -> None:
        with scratch() as folder:
            (folder / "file").touch()
            raise KeyError

    with pytest.raises(KeyError):
        broken()
    assert owners(area) == []


def test_many_that_open_and_close_at_once_do_not_sweep_each_other(area: Path) -> None:
    def errand(number: int) -> bool:
        with scratch() as folder:
            for name in range(20):
                (folder / f"{name}").write_text(str(number))
            return all((folder / f"{name}").read_text() == str(number) for name in range(20))

    with ThreadPoolExecutor(max_workers=8) as pool:
        assert all(pool.map(errand, range(200)))
    assert owners(area) == []


def _hold(pipe: Connection) -> None:
    with scratch() as folder:
        (folder / "file").write_text("left")
        pipe.send(str(folder))
        signal.pause()


def test_what_a_killed_process_left_is_swept_and_what_a_living_one_holds_is_not(area: Path) -> None:
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    held = []
    processes = [context.Process(target=_hold, args=(theirs,)) for _ in range(2)]
    for process in processes:
        process.start()
        assert ours.poll(120)
        held.append(Path(ours.recv()))
    assert processes[0].pid is not None
    os.kill(processes[0].pid, signal.SIGKILL)
    processes[0].join(60)
    assert held[0].is_dir()
    with scratch():
        assert not held[0].exists()
        assert (held[1] / "file").is_file()
    processes[1].kill()
    processes[1].join(60)
    with scratch():
        assert len(owners(area)) == 1


@pytest.mark.parametrize(
    "path",
    [*sorted((CHECKOUT / "environments").rglob("*.py")), *sorted((CHECKOUT / "authoring").glob("*.py"))],
    ids=lambda path: path.relative_to(CHECKOUT).as_posix(),
)
def test_nothing_with_a_name_is_made_in_the_systems_temporary_folder(path: Path) -> None:
    makers = {"mkdtemp", "mkstemp", "TemporaryDirectory", "NamedTemporaryFile"}
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            assert name not in makers or any(word.arg == "dir" for word in node.keywords), node.lineno
