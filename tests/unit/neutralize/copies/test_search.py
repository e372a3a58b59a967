"""Copies of a tree under other names, in archives and compiled; and what is none."""

from __future__ import annotations

import ast
import gzip
import io
import py_compile
import re
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path

import pytest

from neutralize.copies import walk
from neutralize.copies.fingerprint import Fingerprints, fingerprint
from neutralize.copies.search import Copy, find_copies, search_copies

CODE = '''
"""Routes of a parcel."""


class ParcelRoute:
    def __init__(self, first_stop, last_stop, via=()):
        self.first_stop = first_stop
        self.last_stop = last_stop
        self.stops_between = list(via)

    def insert_stop(self, name, before=None):
        if name in self.stops_between:
            raise ValueError("the parcel stops there already")
        place = self.stops_between.index(before) if before is not None else len(self.stops_between)
        self.stops_between.insert(place, name)
        return self

    def length_of_route(self, distance_of):
        total_length = 0
        stops = [self.first_stop, *self.stops_between, self.last_stop]
        for here, there in zip(stops, stops[1:]):
            step = distance_of(here, there)
            if step < 0:
                raise ArithmeticError("a distance below zero was given")
            total_length += step
        return total_length

    def without_detours(self, distance_of, longest_detour):
        kept_stops = []
        for place, name in enumerate(self.stops_between):
            before = kept_stops[-1] if kept_stops else self.first_stop
            after = self.stops_between[place + 1] if place + 1 < len(self.stops_between) else self.last_stop
            if distance_of(before, name) + distance_of(name, after) - distance_of(before, after) <= longest_detour:
                kept_stops.append(name)
        return ParcelRoute(self.first_stop, self.last_stop, kept_stops)


def parse_route_text(text):
    try:
        first_stop, *stops_between, last_stop = [part.strip() for part in text.split("->")]
    except ValueError as error:
        raise ValueError("a route has two stops at least") from error
    while "" in stops_between:
        stops_between.remove("")
    return ParcelRoute(first_stop, last_stop, stops_between)
'''
OTHER = '''
"""Weights on a scale."""


def heaviest(weights, limit):
    seen = {}
    for weight in weights:
        if weight.grams > limit:
            continue
        seen[weight.label] = max(weight.grams, seen.get(weight.label, 0))
    return sorted(seen.items(), key=lambda item: -item[1])[:10]


class Scale:
    tare = 0

    def weigh(self, *things):
        with self.locked():
            return sum(thing.grams for thing in things) - self.tare

    def average(self, *things):
        if not things:
            return None
        return self.weigh(*things) / len(things)
'''


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / "tree" / "src" / "parcels").mkdir(parents=True)
    (tmp_path / "tree" / "src" / "parcels" / "routes.py").write_text(CODE)
    (tmp_path / "tree" / "LICENSE").write_text("Permission is granted to everyone, without any fee. " * 9)
    return tmp_path / "tree"


@pytest.fixture
def known(tree: Path) -> Fingerprints:
    return fingerprint(tree)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "env" / "lib").mkdir(parents=True)
    return tmp_path / "env"


def disguised(code: str) -> str:
    """Other names, texts, comments and layout."""
    code = re.sub(r"\b(parcel|route|stop|detour|distance|kept|step|total|place)", r"zz_\1", code, flags=re.IGNORECASE)
    code = re.sub(r'"[^"\n]+"(?!")', '"said otherwise"', code)
    return code.replace("\n    def", "\n\n    # another remark\n    def").replace("\n", "  \r\n")


def zipped(members: dict[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return stream.getvalue()


def tarred(members: dict[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w:gz") as archive:
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return stream.getvalue()


def kinds(copies: tuple[Copy, ...]) -> dict[str, str]:
    return {copy.place: copy.kind for copy in copies}


def test_a_copy_under_other_names_is_found_and_other_code_is_not(known: Fingerprints, place: Path) -> None:
    (place / "lib" / "vendored.py").write_bytes(disguised(CODE).encode())
    (place / "other").mkdir()
    (place / "other" / "scale.py").write_text(OTHER)
    (copy,) = find_copies(known, [place])
    assert (copy.place, copy.kind) == ("lib", "source")
    assert copy.share > 0.9


def test_a_part_of_a_file_is_told_by_its_share(known: Fingerprints, place: Path) -> None:
    half = CODE[CODE.index("    def without_detours") :]
    (place / "lib" / "a.py").write_text(OTHER + "\n\nclass Other:\n" + half)
    (copy,) = find_copies(known, [place])
    assert 0.3 <= copy.share < 0.8


def test_whole_files_are_found_whatever_their_name_but_a_licence_is_none(
    known: Fingerprints, tree: Path, place: Path
) -> None:
    (place / "lib" / "data.bin").write_text(CODE.replace("\n", "\r\n"))
    (place / "lib" / "COPYING").write_bytes((tree / "LICENSE").read_bytes())
    assert {copy.kind for copy in find_copies(known, [place])} == {"identical", "source"}
    (place / "lib" / "data.bin").unlink()
    assert find_copies(known, [place]) == ()


@pytest.mark.parametrize(
    ("name", "data", "where"),
    [
        ("a.whl", zipped({"vendor/r.py": CODE.encode()}), "a.whl!vendor"),
        ("sdist", tarred({"x/r.py": CODE.encode()}), "sdist!x"),
        ("b.zip", zipped({"c.tar.gz": tarred({"d/r.py": CODE.encode()})}), "b.zip!c.tar.gz!d"),
        ("r.py.gz", gzip.compress(CODE.encode()), "r.py.gz"),
        ("self.exe", b"MZ\0\0" * 99 + zipped({"e/r.py": CODE.encode()}), "self.exe!e"),
    ],
)
def test_archives_are_opened_by_content(known: Fingerprints, place: Path, name: str, data: bytes, where: str) -> None:
    (place / name).write_bytes(data)
    assert kinds(find_copies(known, [place]))[where] in {"source", "identical"}


def test_compiled_code_is_known_by_its_words(known: Fingerprints, tree: Path, place: Path) -> None:
    py_compile.compile(str(tree / "src" / "parcels" / "routes.py"), cfile=str(place / "lib" / "r.pyc"), doraise=True)
    (place / "other.py").write_text(OTHER)
    py_compile.compile(str(place / "other.py"), cfile=str(place / "lib" / "o.pyc"), doraise=True)
    (copy,) = find_copies(known, [place])
    assert (copy.place, copy.kind) == ("lib/r.pyc", "compiled")
    # Bytecode has letters right behind a name; without its lengths only some names are seen.
    assert copy.share > 0.9


def test_a_file_compiled_by_itself_is_known_among_many(tree: Path, place: Path) -> None:
    for number in range(6):
        names = "\n".join(f"def other_{number}_{each}_name():\n    pass" for each in "abcdefghijklmnopqrst")
        (tree / "src" / "parcels" / f"more{number}.py").write_text(names)
    py_compile.compile(str(tree / "src" / "parcels" / "routes.py"), cfile=str(place / "lib" / "r.pyc"), doraise=True)
    (copy,) = find_copies(fingerprint(tree), [place])
    assert (copy.place, copy.kind, copy.evidence[0]) == ("lib/r.pyc", "compiled", "of src/parcels/routes.py")


def test_a_tree_without_words_of_its_own_says_so(tmp_path: Path, place: Path) -> None:
    (tmp_path / "small").mkdir()
    (tmp_path / "small" / "a.py").write_text(OTHER)
    assert not search_copies(fingerprint(tmp_path / "small"), [place]).compiled


def test_the_library_twin_of_a_renamed_tree_is_found(tmp_path: Path) -> None:
    library = Path(sysconfig.get_paths()["stdlib"])
    (tmp_path / "renamed").mkdir()
    for path in (library / "tomllib").glob("*.py"):
        text = re.sub(r"\b(parse|skip|match|flags|nest)(?=\w*_)", r"zz_\1", path.read_text())
        (tmp_path / "renamed" / f"zz{path.name}").write_text(text)
    found = find_copies(fingerprint(tmp_path / "renamed"), [library / "tomllib", library / "json", library / "email"])
    assert {copy.place for copy in found if copy.kind == "source"} == {str(library / "tomllib")}


def test_the_same_tree_gives_the_same_bytes_and_they_are_read_back(tree: Path, known: Fingerprints) -> None:
    assert fingerprint(tree).to_bytes() == known.to_bytes()
    assert Fingerprints.from_bytes(known.to_bytes()) == known


def test_tests_and_documents_are_no_product(tree: Path, known: Fingerprints) -> None:
    (tree / "tests").mkdir()
    (tree / "tests" / "test_more.py").write_text(OTHER)
    assert fingerprint(tree) == known


@pytest.mark.parametrize(
    "data",
    [
        zipped({"a.py": CODE.encode()})[:-30],
        gzip.compress(CODE.encode() * 9)[:40],
        b"PK\x03\x04" + bytes(range(256)) * 9,
        b"\x1f\x8b" + b"\xff" * 600,
        b"\0" * 257 + b"ustar" + b"\xff" * 900,
    ],
)
def test_a_broken_archive_is_not_read_and_nothing_else(known: Fingerprints, place: Path, data: bytes) -> None:
    (place / "broken").write_bytes(data)
    (place / "lib" / "r.py").write_text(CODE)
    found = search_copies(known, [place])
    assert [fact.partition(":")[0] for fact in found.unread] == ["broken"]
    assert "lib" in kinds(found.copies)


def test_archives_that_grow_or_nest_without_end_are_not_read(
    known: Fingerprints, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(walk, "_ARCHIVE_CAP", 100_000)
    (place / "bomb.zip").write_bytes(zipped({"big": b"\0" * 1_000_000}))
    nested = CODE.encode()
    for _ in range(6):
        nested = gzip.compress(nested)
    (place / "nested.gz").write_bytes(nested)
    found = search_copies(known, [place])
    assert len(found.unread) == 2
    assert "may be unpacked" in found.unread[0]
    assert "too deep" in found.unread[1]


def test_links_are_not_followed_and_odd_files_are_left(known: Fingerprints, place: Path) -> None:
    (place / "lib" / "loop").symlink_to(place)
    (place / "lib" / "gone").symlink_to("nowhere")
    assert search_copies(known, [place]).files == 0


@pytest.mark.timeout(60)
@pytest.mark.parametrize("text", ["/*" * 500_000, "'" * 1_000_001, '"""' * 300_000, "`\\" * 500_000, "a " * 900_000])
@pytest.mark.parametrize("name", ["a.py", "a.js"])
def test_hostile_text_takes_no_longer_than_other_text(known: Fingerprints, place: Path, text: str, name: str) -> None:
    (place / name).write_text(text)
    assert find_copies(known, [place]) == ()


@pytest.mark.parametrize("module", sorted(Path(walk.__file__).parent.glob("*.py")), ids=lambda path: path.stem)
def test_what_runs_inside_a_sandbox_imports_the_standard_library_alone(module: Path) -> None:
    """There is nothing else of ours, and no package, where it runs."""
    if module.stem == "gate":
        return
    for node in ast.walk(ast.parse(module.read_bytes())):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and not node.level:
            names = [node.module or ""]
        assert {name.partition(".")[0] for name in names} <= sys.stdlib_module_names
