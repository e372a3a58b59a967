from __future__ import annotations

import hashlib
import os
import struct
import subprocess
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from neutralize.deep import Limits, deep_items
from tests.unit.neutralize.deep.makers import problems, read, tarred, texts, zipped

WHO = {f"GIT_{role}_{what}": value for role in ("AUTHOR", "COMMITTER")
       for what, value in (("NAME", "Ada Brass"), ("EMAIL", "ada@brass.example"))}  # fmt: skip


def git(folder: Path, *words: str) -> str:
    env = {"PATH": os.environ["PATH"], "HOME": str(folder), "GIT_CONFIG_NOSYSTEM": "1", **WHO}
    return subprocess.run(["git", *words], cwd=folder, env=env, check=True, capture_output=True, text=True).stdout


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """Three commits of one growing file, a tag with a message, a log of the references."""
    folder = tmp_path / "in"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "brass-main")
    for number in range(3):
        (folder / "monocle.txt").write_text("".join(f"line {line}\n" for line in range(400)) + str(number))
        git(folder, "add", ".")
        git(folder, "commit", "-q", "-m", f"Polish the brass {number}")
    git(folder, "tag", "-a", "v1-brass", "-m", "The first monocle")
    (folder / "monocle.txt").unlink()
    return folder


def contents(folder: Path) -> bytes:
    return b"\n".join(item.path.encode() + b":" + (item.data or b"") for item in deep_items(folder))


@pytest.mark.parametrize("packed", [False, True], ids=["loose", "packed"])
def test_commits_tags_trees_blobs_references_and_logs_are_read(store: Path, packed: bool) -> None:
    if packed:
        git(store, "gc", "-q")
        assert list(store.glob(".git/objects/pack/*.pack"))
    items = list(deep_items(store))
    assert problems(items) == {}
    everything = contents(store)
    for fact in (b"Polish the brass 1", b"ada@brass.example", b"The first monocle", b"brass-main", b"line 399"):
        assert fact in everything
    trees = [item.data for item in items if "tree" in item.path.rpartition("!")[2]]
    assert trees == [b"monocle.txt\n"] * 3
    assert any(item.path == ".git/logs/HEAD" for item in items)


def test_objects_of_a_pack_are_named_by_their_ids(store: Path) -> None:
    git(store, "gc", "-q")
    known = set(git(store, "cat-file", "--batch-all-objects", "--batch-check=%(objecttype)/%(objectname)").split())
    found = {item.path.partition(".pack!")[2] for item in deep_items(store, (".git/objects/pack",))}
    assert found - {""} == known


def test_chains_of_differences_give_what_git_gives(store: Path) -> None:
    git(store, "repack", "-q", "-a", "-d", "-f", "--depth=50", "--window=50")
    for item in deep_items(store):
        kind, _, name = item.path.partition(".pack!")[2].partition("/")
        if kind == "blob":
            assert item.data == git(store, "cat-file", "blob", name).encode()


def test_a_store_in_an_archive_and_a_bare_one_are_read(store: Path, tmp_path: Path) -> None:
    git(store, "gc", "-q")
    files = {str(path.relative_to(store)).replace(".git", "x"): path.read_bytes()
             for path in store.rglob("*") if path.is_file()}  # fmt: skip
    for data in (zipped(files), tarred(files)):
        assert any(b"Polish the brass 0" in text for text in texts(read(tmp_path / "out", data)).values())


def test_a_bundle_is_read(store: Path, tmp_path: Path) -> None:
    git(store, "bundle", "create", "-q", str(tmp_path / "b.txt"), "--all")
    items = read(tmp_path / "out", (tmp_path / "b.txt").read_bytes())
    assert problems(items) == {}
    assert b"refs/heads/brass-main" in texts(items)["a.bin!(references)"]
    assert any(b"Polish the brass 0" in text for text in texts(items).values())


def test_a_pointer_to_another_store_and_alternates_are_text_and_not_followed(store: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    (other / "objects" / "info").mkdir(parents=True)
    (other / "sub").mkdir()
    (other / "sub" / ".git").write_text(f"gitdir: {store / '.git'}\n")
    (other / "objects" / "info" / "alternates").write_text(f"{store}/.git/objects\n")
    (other / "config").write_text(
        f"[include]\n\tpath = {store}/.git/config\n[core]\n\tfsmonitor = touch {tmp_path}/ran\n"
    )
    everything = contents(other)
    assert b"gitdir: " in everything
    assert b"Polish" not in everything
    assert not (tmp_path / "ran").exists()


def test_another_projects_commit_in_a_tree_is_told(tmp_path: Path) -> None:
    tree = b"160000 sub\0" + bytes(range(20))
    items = read(tmp_path, zlib.compress(b"tree %d\0" % len(tree) + tree))
    assert texts(items) == {"a.bin!(tree)": b"sub 000102030405060708090a0b0c0d0e0f10111213\n"}


def test_an_ordinary_compressed_stream_is_no_object(tmp_path: Path) -> None:
    assert texts(read(tmp_path, zlib.compress(b"see brass"))) == {"a.bin!(content)": b"see brass"}


# What is hostile


def stored(kind: int, data: bytes, *, base: bytes = b"", size: int | None = None) -> bytes:
    """One object of a pack."""
    left = len(data) if size is None else size
    head = bytearray([kind << 4 | left & 15])
    left >>= 4
    while left:
        head[-1] |= 0x80
        head.append(left & 0x7F)
        left >>= 7
    return bytes(head) + base + zlib.compress(data)


def pack(*objects: bytes) -> bytes:
    body = b"PACK" + struct.pack(">2L", 2, len(objects)) + b"".join(objects)
    return body + hashlib.sha1(body).digest()


def number(value: int) -> bytes:
    out = b""
    while value > 127:
        out, value = out + bytes([value & 127 | 128]), value >> 7
    return out + bytes([value])


def added(base: int, text: bytes) -> bytes:
    """A difference that keeps the base's first byte and adds `text`."""
    return number(base) + number(1 + len(text)) + bytes([0x90, 1]) + bytes([len(text)]) + text


def blob_id(data: bytes) -> bytes:
    return hashlib.sha1(b"blob %d\0" % len(data) + data).digest()


def chain(length: int) -> Iterator[bytes]:
    """Blobs that are each a difference to the one that stands behind them."""
    data = b"brass"
    objects = [stored(3, data)]
    for index in range(length):
        text = b"%06d" % index
        objects.append(stored(7, added(len(data), text), base=blob_id(data)))
        data = data[:1] + text
    return reversed(objects)


def test_differences_to_what_stands_behind_them_are_put_together(tmp_path: Path) -> None:
    items = read(tmp_path, pack(*chain(2000)))
    assert problems(items) == {}
    assert sum("!blob/" in item.path for item in items) == 2001


def test_differences_to_differences_that_wait_are_put_together(tmp_path: Path) -> None:
    """The first object waits for the last, the second one starts from the first by its place."""
    first, last = b"b" + b"first", b"brass"
    one = stored(7, added(len(last), b"first"), base=blob_id(last))
    two = stored(6, added(len(first), b"second"), base=bytes([len(one)]))
    items = read(tmp_path, pack(one, two, stored(3, last)))
    assert problems(items) == {}
    assert sorted(texts(items).values()) == [b"bfirst", b"brass", b"bsecond"]


def test_a_difference_to_what_is_not_there_is_told(tmp_path: Path) -> None:
    items = read(tmp_path, pack(stored(7, added(5, b"x"), base=bytes(20)), stored(3, b"brass")))
    assert list(problems(items).values()) == [f"a difference to {'00' * 20}, which is not in this pack"]
    assert b"brass" in texts(items).values()


def test_an_object_of_a_hundred_megabytes_passes_in_pieces(tmp_path: Path) -> None:
    line = b"a line of an ordinary text, number %07d\n"
    data = b"".join(line % index for index in range(1_300_000)) + b"at the end: brass\n"
    items = read(tmp_path, pack(stored(3, data)), Limits(object_bytes=1 << 20))
    assert problems(items) == {}
    assert len(items) > 3
    assert items[-1].data is not None
    assert items[-1].data.endswith(b"brass\n")
    assert all(len(item.data or b"") <= Limits().piece for item in items)


def test_a_difference_that_grows_beyond_the_bound_is_told_and_its_neighbours_are_read(tmp_path: Path) -> None:
    base = b"x" * 70_000
    copies = number(len(base)) + number(64 * 5000 * 1024) + b"\xb0\x00\x00" * 5000
    items = read(tmp_path, pack(stored(3, base), stored(7, copies, base=blob_id(base)), stored(3, b"see brass")))
    assert ["cap 'object_bytes'" in problem for problem in problems(items).values()] == [True]
    assert b"see brass" in texts(items).values()


@pytest.mark.parametrize(
    "data",
    [
        pack(stored(3, b"brass", size=4)),
        pack(stored(3, b"brass", size=6)),
        pack(stored(5, b"brass")),
        pack(stored(6, added(5, b"x"), base=b"\0")),
        pack(stored(6, added(5, b"x"), base=b"\x7f")),
        pack(stored(3, b"brass"), stored(7, added(9, b"x"), base=blob_id(b"brass"))),
        pack(stored(2, b"100644 no end")),
        pack(stored(3, b"brass"))[:-25],
        b"PACK" + struct.pack(">2L", 2, 1) + stored(7, b"", base=bytes(9))[:10],
        b"PACK" + struct.pack(">2L", 2, 0xFFFF_FFFF) + stored(3, b"brass"),
        b"PACK" + struct.pack(">2L", 9, 0),
        zlib.compress(b"blob 4\0brass"),
        zlib.compress(b"blob 999999999999\0brass"),
        zlib.compress(b"tree 5\0brass"),
        zlib.compress(b"blob 5\0brass")[:-5],
        b"# v2 git bundle\n" + b"x" * 100,
    ],
    ids=["longer", "shorter", "no-kind", "itself", "before-pack", "other-base", "tree", "cut", "cut-base", "crowd", "version", "loose-longer", "loose-shorter", "loose-tree", "loose-cut", "bundle"],
)  # fmt: skip
def test_a_store_that_lies_is_told(tmp_path: Path, data: bytes) -> None:
    assert problems(read(tmp_path, data))
