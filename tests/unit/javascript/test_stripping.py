"""What of a product is stripped once for all calls, and who finds it: as far as it needs no Node."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from environments.driver.scene import BUILD_UID, FIRST_UID
from environments.languages.javascript import driver_strip
from environments.languages.javascript.driver_strip import Stripped, plain_sources, strip_product
from judge.bundle_lib import lib_files


def put(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("export {};\n")


def names(folder: Path, *products: str) -> list[str]:
    found = plain_sources([folder / product for product in products or (".",)])
    return [path.relative_to(folder.resolve()).as_posix() for path in found]


def test_typescript_is_found_and_nothing_else(tmp_path: Path) -> None:
    put(
        tmp_path,
        "b.ts",
        "a.mts",
        "in/c.cts",
        "in/deep/d.ts",
        "x.js",
        "x.mjs",
        "x.json",
        "xts",
        "tsconfig.json",
        "b.d.ts",
        "b.d.mts",
    )
    put(tmp_path, "node_modules/dep/e.ts", "in/node_modules/f.ts", "node_modules.ts")
    assert names(tmp_path) == ["a.mts", "b.ts", "node_modules.ts", "in/c.cts", "in/deep/d.ts"]
    assert names(tmp_path, "in/deep", "in") == ["in/deep/d.ts", "in/c.cts", "in/deep/d.ts"]


def test_what_is_no_plain_file_is_left_alone(tmp_path: Path) -> None:
    put(tmp_path, "real.ts")
    os.mkfifo(tmp_path / "pipe.ts")
    (tmp_path / "folder.ts").mkdir()
    (tmp_path / "link.ts").symlink_to("real.ts")
    (tmp_path / "loop").symlink_to(".")
    (tmp_path / "around").symlink_to("around")
    (tmp_path / "odd\n\udcff.ts").write_text("")
    assert names(tmp_path) == ["odd\n\udcff.ts", "real.ts"]
    assert names(tmp_path, "around", "nowhere", "real.ts") == []


def test_a_product_that_is_reached_through_a_link_is_told_by_where_it_lies(tmp_path: Path) -> None:
    put(tmp_path, "kept/a.ts")
    (tmp_path / "src").symlink_to("kept")
    assert names(tmp_path, "src") == ["kept/a.ts"]


def test_folders_may_be_deeper_than_a_function_can_call_itself(tmp_path: Path) -> None:
    depth = sys.getrecursionlimit() + 50
    here = os.open(tmp_path, os.O_RDONLY)
    try:
        for _ in range(depth):
            os.mkdir("d", dir_fd=here)
            inner = os.open("d", os.O_RDONLY, dir_fd=here)
            os.close(here)
            here = inner
        os.close(os.open("a.ts", os.O_CREAT | os.O_WRONLY, dir_fd=here))
    finally:
        os.close(here)
    try:
        assert names(tmp_path) == ["d/" * depth + "a.ts"]
    finally:
        subprocess.run(["rm", "-rf", str(tmp_path / "d")], check=True)


@pytest.mark.parametrize(
    ("cap", "value", "left"),
    [("_FILES_CAP", 2, 2), ("_BYTES_CAP", 11 * 2, 2), ("_FILE_BYTES_CAP", 10, 0), ("_ENTRIES_CAP", 2, 2)],
)
def test_each_cap_leaves_the_rest_to_calls(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cap: str, value: int, left: int
) -> None:
    put(tmp_path, "a.ts", "b.ts", "c.ts")
    assert len(names(tmp_path)) == 3
    monkeypatch.setattr(driver_strip, cap, value)
    assert len(names(tmp_path)) == left


def test_a_product_without_typescript_starts_nothing(tmp_path: Path) -> None:
    put(tmp_path, "app/a.js")
    made = strip_product(tmp_path / "x", Path("/nowhere"), flags=(), product=[tmp_path / "app"], memory_mb=0)
    assert made is None
    assert not (tmp_path / "x").exists()


def test_each_uid_so_far_finds_the_store_and_the_names_are_one_link(tmp_path: Path) -> None:
    put(tmp_path, f"v-{BUILD_UID}/made")
    stripped = Stripped(folder=tmp_path, store="v")
    for count in (1, 3, 2):
        stripped.open_to(count)
    links = [path for path in tmp_path.iterdir() if path.is_symlink()]
    assert sorted(path.name for path in links) == [f"v-{FIRST_UID + number}" for number in range(3)]
    assert all((path / "made").is_file() for path in links)
    assert len({path.lstat().st_ino for path in links}) == 1


def test_where_there_is_no_room_for_a_link_calls_strip_for_themselves(tmp_path: Path) -> None:
    stripped = Stripped(folder=tmp_path / "gone", store="v")
    stripped.open_to(2)
    assert not (tmp_path / "gone").exists()


def test_what_strips_travels_with_suites() -> None:
    place = "_lib/environments/languages/javascript/"
    assert {f"{place}driver_strip.py", f"{place}wire/strip.mjs"} <= set(lib_files("javascript"))
