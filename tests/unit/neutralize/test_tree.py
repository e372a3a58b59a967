from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from environments.languages.python.belongs import belongs
from neutralize.reference import renamed_command
from neutralize.rename import build_map, invert
from neutralize.terms import derive_terms
from neutralize.tree import Renamed, reach, rename_tree
from taskpack.files import tree_digest, walk
from taskpack.order import Order
from taskpack.outcome import Reason, Rejected
from taskpack.rename import Names, Rename, RenameMap


@pytest.fixture
def map_(upstream: Path, order: Order) -> RenameMap:
    made = build_map(order, derive_terms(upstream, order))
    assert isinstance(made, RenameMap)
    return made


def renamed(source: Path, dest: Path, map_: RenameMap) -> Renamed:
    done = rename_tree(source, dest, map_)
    assert isinstance(done, Renamed), done
    return done


def test_taking_the_map_back_restores_every_byte_of_a_tree(upstream: Path, tmp_path: Path, map_: RenameMap) -> None:
    (upstream / "bin").mkdir()
    (upstream / "bin" / "run-oldtally").write_text("#!/bin/sh\nexec oldtally\r\n", "utf-8", newline="")
    (upstream / "bin" / "run-oldtally").chmod(0o755)
    (upstream / "bin" / "oldtally-link").symlink_to("run-oldtally")
    renamed(upstream, tmp_path / "neutral", map_)
    assert (tmp_path / "neutral" / "bin" / "vexsum-link").readlink() == Path("run-vexsum")
    assert os.access(tmp_path / "neutral" / "bin" / "run-vexsum", os.X_OK)
    renamed(tmp_path / "neutral", tmp_path / "back", invert(map_))
    assert tree_digest(tmp_path / "back") == tree_digest(upstream)
    assert tree_digest(tmp_path / "neutral") != tree_digest(upstream)


def test_paths_follow_the_same_map_as_the_imports(upstream: Path, tmp_path: Path, map_: RenameMap) -> None:
    done = renamed(upstream, tmp_path / "neutral", map_)
    assert "src/vexsum/marker.py" in done.files
    assert "tests/test_vexsum/test_counter.py" in done.files
    assert "from .marker import Marker as Marker" in (tmp_path / "neutral/src/vexsum/__init__.py").read_text("utf-8")


def test_what_is_no_text_is_copied_as_it_is(upstream: Path, tmp_path: Path, map_: RenameMap) -> None:
    data = b"oldtally\xff\xfe\x00"
    (upstream / "tests" / "sheet.dat").write_bytes(data)
    renamed(upstream, tmp_path / "neutral", map_)
    assert (tmp_path / "neutral/tests/sheet.dat").read_bytes() == data


@pytest.mark.parametrize(
    ("path", "line", "expected"),
    [
        ("src/oldtally/counter.py", "vexsum = 1", ("'vexsum' is already there", "src/oldtally/counter.py:29")),
        ("src/oldtally/counter.py", "marker = 1", ("'marker' is already there", "src/oldtally/counter.py:29")),
        ("src/oldtally/vexsum_x.py", "x = 1", ("'vexsum' is already there", "src/oldtally/vexsum_x.py (path)")),
        ("a.md", "a7Kq9ZoldtallyB3y8L2P5R1V6", ("'oldtally' lies inside a hash or base64", "a.md:1")),
        ("a.md", "brassworks vexsumteam", ("'vexsumteam' is already there", "a.md:1")),
    ],
)
def test_a_place_that_could_not_be_taken_back_is_refused_and_named(
    upstream: Path, tmp_path: Path, *, map_: RenameMap, path: str, line: str, expected: tuple[str, str]
) -> None:
    with (upstream / path).open("a", encoding="utf-8") as file:
        file.write(line + "\n")
    done = rename_tree(upstream, tmp_path / "neutral", map_)
    assert isinstance(done, Rejected)
    assert done.reason is Reason.MAP_NOT_INVERTIBLE
    assert expected in [(fact.what, fact.where) for fact in done.evidence]
    assert not (tmp_path / "neutral").exists()


@pytest.mark.parametrize("target", ["/etc/passwd", "../../outside"])
def test_a_link_out_of_the_tree_is_refused(upstream: Path, tmp_path: Path, map_: RenameMap, target: str) -> None:
    (upstream / "src" / "link").symlink_to(target)
    assert isinstance(rename_tree(upstream, tmp_path / "neutral", map_), Rejected)


def test_the_reference_holds_what_builds_and_tests_the_product(upstream: Path) -> None:
    (upstream / "tox.ini").write_text("[tox]\n", "utf-8")
    keep = belongs(upstream)
    kept = {path.relative_to(upstream).as_posix() for path in walk(upstream)}
    kept = {path for path in kept if keep(path)}
    assert kept == {
        "pyproject.toml",
        "src/oldtally/__init__.py",
        "src/oldtally/counter.py",
        "tests/sheet.dat",
        "tests/test_oldtally/__init__.py",
        "tests/test_oldtally/test_counter.py",
    }
    (upstream / "tox.ini").write_text("[pytest]\n", "utf-8")
    assert belongs(upstream)("tox.ini")


@pytest.mark.parametrize(
    "name", ["pytest.ini", ".pytest.ini", "pytest.toml", ".pytest.toml", "setup.cfg", "pyproject.toml"]
)
def test_what_configures_pytest_is_in_the_reference(upstream: Path, name: str) -> None:
    assert belongs(upstream)(name)


def test_a_flat_project_keeps_its_packages_and_modules(tmp_path: Path) -> None:
    (tmp_path / "oldtally").mkdir()
    (tmp_path / "oldtally" / "__init__.py").touch()
    keep = belongs(tmp_path)
    assert keep("oldtally/__init__.py")
    assert keep("single.py")
    assert not keep("docs/conf.py")


def test_tests_at_the_root_stay_with_a_product_below_src(upstream: Path) -> None:
    keep = belongs(upstream)
    assert keep("test.py")
    assert keep("test_counter.py")
    assert not keep("fabfile.py")


def test_the_test_command_names_its_files_as_the_reference_does(map_: RenameMap) -> None:
    names = Names(map=map_, terms=(), checks=())
    command = (
        "python",
        "-m",
        "pytest",
        "oldtally/tests",
        "--deselect=tests/test_oldtally/test_counter.py::TestOldTally::test_a",
    )
    renamed = renamed_command(command, names)
    assert renamed[:3] == command[:3]
    assert not [word for word in renamed if "oldtally" in word.lower()]


PARTS = st.sampled_from(
    ["oldtally", "OldTally", "OLD_TALLY", "old-tally", "Counter", "counter", "$counter", "rich-oldtally", "libovo", "Ovo",
     "ovo", "\n", " ", "import ", '"', "'", "# ", "// ", "/* ", "`", "\\", "\\n", "https://a.org/", "@b.org", "|", "a", "9", "_",
     "vexsum", "\u00e9", "\r\n", "\0", "(", ";", "=====\n"]
)  # fmt: skip
NAMES = st.sampled_from(
    ["a.py", "oldtally/b.js", "libovo/c.cpp", "d.md", "e.rst", "package.json", "Cargo.toml", "go.mod", "f.go", "g.rs",
     "Counter.txt", "counter/h.ts", "noending", "rich-oldtally.yml"]
)  # fmt: skip


def _any_map() -> RenameMap:
    word = [("libovo", "libwex", "name"), ("ovo", "wexa", "word"), ("Ovo", "Wexa", "word")]
    whole = [("Counter", "Marker", "identifier"), ("counter", "marker", "identifier")]
    names = [("oldtally", "vexsum"), ("OldTally", "VexSum"), ("OLD_TALLY", "VEX_SUM"), ("old-tally", "vex-sum")]
    rows = [*((old, new, "name") for old, new in names), *word, *whole, ("rich-oldtally", "rich-oldtally", "kept")]
    return RenameMap(renames=tuple(Rename(surface=old, replacement=new, kind=kind) for old, new, kind in rows))


@settings(deadline=None)
@given(files=st.dictionaries(NAMES, st.lists(PARTS, max_size=14).map("".join), min_size=1, max_size=4))
def test_every_tree_that_is_renamed_comes_back_byte_by_byte_and_is_done_in_one_pass(files: dict[str, str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        for name, text in files.items():
            (place / "old" / name).parent.mkdir(parents=True, exist_ok=True)
            (place / "old" / name).write_bytes(text.encode())
        done = rename_tree(place / "old", place / "new", ANY)
        if isinstance(done, Rejected):
            assert done.evidence
            assert not (place / "new").exists()
            return
        assert sum(done.kinds.values()) == done.replaced
        assert reach(place / "new", ANY) == 0
        back = rename_tree(place / "new", place / "back", invert(ANY))
        assert isinstance(back, Renamed), back
        assert tree_digest(place / "back") == tree_digest(place / "old")
        assert back.replaced == done.replaced


ANY = _any_map()
