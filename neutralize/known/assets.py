"""Which files are images, fonts or page files: by their first bytes, else by their endings."""

from __future__ import annotations

from neutralize.known.lexing import ending
from neutralize.words import listed

_ENDINGS = listed(
    "png jpg jpeg gif webp bmp ico icns tif tiff svg pdf ps eps ttf otf woff woff2 eot psd ai mp4 mp3 wav ogg"
)
_MAGIC = (
    b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a", b"BM", b"\x00\x00\x01\x00", b"II*\x00", b"MM\x00*",
    b"%PDF-", b"%!PS", b"\x00\x01\x00\x00\x00", b"OTTO", b"ttcf", b"wOFF", b"wOF2", b"8BPS",
)  # fmt: skip
_SHORT = {b"BM": 14, b"\x00\x00\x01\x00": 22, b"\x00\x01\x00\x00\x00": 12, b"II*\x00": 8, b"MM\x00*": 8}


def is_asset(path: str, data: bytes) -> bool:
    """Whether a file is of a kind that a person looks at or listens to."""
    if ending(path) in _ENDINGS:
        return True
    if data[:4] == b"RIFF" and data[8:12] in {b"WEBP", b"WAVE", b"AVI "}:
        return True
    if data[:512].lstrip()[:4].lower() == b"<svg":
        return True
    return any(data.startswith(magic) and _binary(data, magic) for magic in _MAGIC)


def _binary(data: bytes, magic: bytes) -> bool:
    """A short mark counts only where zeros follow: `BM` may begin a text."""
    return magic not in _SHORT or (len(data) >= _SHORT[magic] and b"\0" in data[:64])
