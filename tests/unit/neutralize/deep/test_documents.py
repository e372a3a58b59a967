from __future__ import annotations

import struct
import zlib
from pathlib import Path

import pytest

from tests.unit.neutralize.deep.makers import png, problems, read, texts, zipped


@pytest.mark.parametrize(
    "chunk",
    [
        (b"tEXt", b"Author\0by brass"),
        (b"zTXt", b"Author\0\0" + zlib.compress(b"by brass")),
        (b"iTXt", b"Author\0\0\0en\0\0by brass"),
        (b"iTXt", b"Author\0\1\0en\0\0" + zlib.compress(b"by brass")),
    ],
    ids=["tEXt", "zTXt", "iTXt", "packed iTXt"],
)
def test_texts_in_an_image_are_told(tmp_path: Path, chunk: tuple[bytes, bytes]) -> None:
    items = read(tmp_path, png(chunk))
    assert b"Author: by brass" in texts(items)["a.bin!(text)"]
    assert problems(items) == {}


def test_camera_data_are_told_however_short(tmp_path: Path) -> None:
    block = b"MM\0\x2a\0\0\0\x08Ada\0\0\0" + "H11".encode("utf-16-le") + b"\0\0"
    assert texts(read(tmp_path, png((b"eXIf", block))))["a.bin!(exif)"].split() == [b"Ada", b"H11"]
    segments = b"".join(bytes([0xFF, mark]) + struct.pack(">H", len(data) + 2) + data
                        for mark, data in ((0xE1, b"Exif\0\0" + block), (0xFE, b"a comment"), (0xDB, b"\0not me")))  # fmt: skip
    found = texts(read(tmp_path, b"\xff\xd8" + segments + b"\xff\xda\0\2\1\2\3\xff\xd9"))["a.bin!(exif)"]
    assert found.split(b"\n")[:-1] == [b"Exif", b"Ada", b"H11", b"a comment"]


def test_what_follows_an_image_is_opened(tmp_path: Path) -> None:
    found = texts(read(tmp_path, png() + zipped({"x": b"brass"})))
    assert found["a.bin!(rest)!x"] == b"brass"


def test_a_broken_image_is_told(tmp_path: Path) -> None:
    assert problems(read(tmp_path, png()[:-6]))
    assert problems(read(tmp_path, png((b"zTXt", b"Author\0\0" + zlib.compress(b"x" * 99)[:-9]))))


PACKET = b'<x:xmpmeta xmlns:x="adobe:ns:meta/"><dc:creator>brass</dc:creator></x:xmpmeta>'
WIDE = "\ufeffMonocle".encode("utf-16-be").hex().encode()


@pytest.mark.parametrize(
    ("body", "line"),
    [
        (b"<< /Author (by brass) >>", b"Author: by brass"),
        (b"<< /Title (a \\(small\\) br\\141ss) >>", b"Title: a (small) brass"),
        (b"<< /Producer (nested (brass) here) >>", b"Producer: nested (brass) here"),
        (b"<< /Title <" + WIDE + b"> >>", b"Title: Monocle"),
        (b"stream\r\n" + zlib.compress(b"<< /Author (by brass) >>") + b"\nendstream", b"Author: by brass"),
        (b"stream\n" + PACKET + b"\nendstream", b"<dc:creator>brass</dc:creator>"),
        (b"stream\n" + zlib.compress(PACKET) + b"\nendstream", b"<dc:creator>brass</dc:creator>"),
    ],
    ids=["plain", "escaped", "nested", "wide", "packed", "packet", "packed packet"],
)
def test_what_a_document_says_about_itself_is_told_and_its_pages_are_not_read(
    tmp_path: Path, body: bytes, line: bytes
) -> None:
    items = read(tmp_path, b"%PDF-1.7\n" + body + b"\n%%EOF\n")
    told = [text for path, text in texts(items).items() if path in {"a.bin!(information)", "a.bin!(metadata)"}]
    assert any(line in text for text in told)
    assert problems(items) == {"a.bin!(pages)": "the text of its pages is not read"}


def test_hostile_documents_come_to_an_end(tmp_path: Path) -> None:
    for body in (b"/Author (" * 20_000, b"/Author " + b"(" * 100_000, b"/Title (" + b"\\" * 99_999, b"<x:xmpmeta" * 20_000,
                 (b"stream\n" + zlib.compress(bytes(9_000_000))) * 300, b"/Title (" + b"(a)" * 60_000):  # fmt: skip
        assert problems(read(tmp_path, b"%PDF-1.7\n" + body))
