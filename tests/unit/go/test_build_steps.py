"""The steps of a Go build that need no Go: what is staged, what is taken over, what a compiled library keeps."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from environments.driver.scene import Scene
from environments.languages.go import driver_build, toolchain
from judge.bundle_lib import lib_files


def scene_of(folder: Path, module: str, products: tuple[str, ...] = (".",)) -> Scene:
    scenarios = folder / "scenarios"
    scenarios.mkdir()
    (scenarios / "go.mod").write_text(module)
    (scenarios / "F01.go").write_text("package scenarios\n")
    (scenarios / "notes.txt").write_text("no Go")
    return Scene(
        workspace=folder / "app",
        product=tuple(folder / "app" / path for path in products),
        site=None,
        scenarios=scenarios,
        place=folder,
        memory_mb=0,
        uids=False,
        alone=False,
        clock={},
    )


def test_the_product_stands_where_the_suite_requires_it(tmp_path: Path) -> None:
    scene = scene_of(tmp_path, "module suite\n\ngo 1.24\n\nrequire a.example/b v0.0.0\nrequire c v0.0.0\n", ("b", "c"))
    driver_build._stage(scene, tmp_path / "suite")
    lines = (tmp_path / "suite" / "go.mod").read_text().splitlines()
    assert lines[-2:] == [f"replace a.example/b => {tmp_path}/app/b", f"replace c => {tmp_path}/app/c"]
    assert sorted(path.name for path in (tmp_path / "suite" / "scenarios").iterdir()) == ["F01.go"]
    assert (tmp_path / "suite" / "wire" / "serve.go").is_file()
    assert not (tmp_path / "suite" / "wire" / "scan").exists()
    assert (tmp_path / "scan" / "main.go").is_file()


@pytest.mark.parametrize(
    "module",
    [
        "module other\n\nrequire a v0.0.0\n",
        "module suite\n",
        "module suite\n\nrequire a v0.0.0\nrequire b v0.0.0\n",
        "",
    ],
)
def test_a_suite_that_does_not_name_its_product_is_refused(tmp_path: Path, module: str) -> None:
    with pytest.raises(ValueError, match=r"scenarios/go\.mod"):
        driver_build._stage(scene_of(tmp_path, module), tmp_path / "suite")


def test_only_a_plain_file_of_bounded_size_becomes_the_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver_build, "_PROGRAM_CAP", 10)
    (tmp_path / "good").write_bytes(b"0123456789")
    (tmp_path / "large").write_bytes(b"0123456789x")
    (tmp_path / "link").symlink_to("good")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    for name in ("large", "link", "pipe", "folder", "gone"):
        assert driver_build._take(tmp_path / name, tmp_path / f"taken-{name}") is None
        assert not (tmp_path / f"taken-{name}").exists()
    taken = driver_build._take(tmp_path / "good", tmp_path / "taken")
    assert taken is not None
    assert (taken.read_bytes(), taken.stat().st_mode & 0o777) == (b"0123456789", 0o755)


def test_a_build_gets_links_to_what_is_compiled_already(tmp_path: Path) -> None:
    (tmp_path / "go-cache" / "0a").mkdir(parents=True)
    (tmp_path / "go-cache" / "0a" / "x-d").write_text("compiled")
    (tmp_path / "own").mkdir()
    driver_build._link_cache(tmp_path, tmp_path / "own")
    assert (tmp_path / "own" / "0a" / "x-d").is_symlink()
    (tmp_path / "own" / "0a" / "y-d").write_text("new")
    assert [path.name for path in (tmp_path / "go-cache" / "0a").iterdir()] == ["x-d"]


def test_no_variable_lets_the_workspace_or_the_system_have_a_say(tmp_path: Path) -> None:
    env = driver_build._environment(Path("/env/site"), tmp_path)
    inside = {name for name, value in env.items() if value.startswith(str(tmp_path))}
    assert inside == {"HOME", "GOCACHE", "GOTMPDIR", "GOPATH"}
    assert env["PATH"] == "/env/site/go/bin"


def test_a_compiled_library_does_not_tell_when_it_was_made(tmp_path: Path) -> None:
    head = b"v1 " + b"a" * 64 + b" " + b"b" * 64 + b" " + b"%20d" % 5
    for time in (1, 10**18):
        folder = tmp_path / str(time)
        (folder / "0a").mkdir(parents=True)
        (folder / "trim.txt").write_text(str(time))
        (folder / "0a" / "x-a").write_bytes(head + b" %20d\n" % time)
        (folder / "0a" / "x-d").write_bytes(b"kept as it is")
        toolchain._settle(folder)
    one, two = (tmp_path / str(time) for time in (1, 10**18))
    assert (one / "0a" / "x-a").read_bytes() == (two / "0a" / "x-a").read_bytes() == head + b" %20d\n" % 0
    assert not (one / "trim.txt").exists()
    assert (one / "0a" / "x-d").read_bytes() == b"kept as it is"


def test_gos_side_of_the_wire_travels_with_go_suites_alone() -> None:
    place = "_lib/environments/languages/go/"
    files = lib_files("go")
    assert {f"{place}wire/serve.go", f"{place}wire/scan/main.go", f"{place}driver_build.py"} <= set(files)
    assert f"{place}toolchain.py" not in files
    assert not [path for path in lib_files() if path.startswith(place)]
