"""A file without a name: what one process hands to another, and nobody else finds."""

from __future__ import annotations

import os


def unnamed_file(data: bytes, folder: str) -> int:
    """A descriptor of a file that holds `data`, at its start. It lies in memory; in `folder`, which only the caller's
    uid can enter, where such memory is refused because nothing counts it."""
    try:
        number = os.memfd_create("data")
    except OSError:
        path = f"{folder}/.{os.urandom(8).hex()}"
        number = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        os.unlink(path)  # noqa: PTH108 (a fresh interpreter has no use for pathlib)
    with open(number, "wb", closefd=False) as file:
        file.write(data)
    os.lseek(number, 0, os.SEEK_SET)
    return number
