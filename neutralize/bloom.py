"""Sets of strings kept as a few bits each: a string that was put in is always found, another one seldom.

A Bloom filter: each key sets `hashes` bits of a field, and is found when all of them are set.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable


def filled(keys: Iterable[str], *, size: int, hashes: int) -> bytes:
    """A field of `size` bytes that holds `keys`."""
    field = bytearray(size)
    for key in keys:
        for place in _places(key, size * 8, hashes):
            field[place >> 3] |= 1 << (place & 7)
    return bytes(field)


def holds(field: bytes, key: str, *, hashes: int) -> bool:
    """Whether `key` may have been put in; False is never wrong."""
    return all(field[place >> 3] & (1 << (place & 7)) for place in _places(key, len(field) * 8, hashes))


def _places(key: str, bits: int, hashes: int) -> list[int]:
    digest = hashlib.blake2b(key.encode("utf-8", "surrogatepass"), digest_size=4 * hashes).digest()
    return [int.from_bytes(digest[4 * n : 4 * n + 4], "big") % bits for n in range(hashes)]
