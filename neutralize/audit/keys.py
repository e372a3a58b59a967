"""The secret of shareable reports.

A plain hash of a package's name is undone by hashing a registry; a keyed one is not.
"""

from __future__ import annotations

import fcntl
import hashlib
import hmac
import os
import secrets
import stat
from pathlib import Path

from taskpack.errors import BadInput
from taskpack.files import make_folder, write_bytes

_BYTES = 32


def project_key(path: Path, project: str) -> bytes:
    """The key of one project, made from the secret at `path`: the same surface has another hash in every project.

    The secret is made when there is none, for its owner alone. Raises `BadInput` when others may read it, or when it is
    no secret of ours.
    """
    make_folder(path.parent)
    descriptor = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        if not path.exists():
            write_bytes(path, secrets.token_hex(_BYTES).encode() + b"\n", mode=0o600)
    finally:
        os.close(descriptor)
    return keyed(_secret(path), f"project\0{project}").digest()


def keyed(key: bytes, text: str) -> hmac.HMAC:
    """HMAC-SHA-256 of a text."""
    return hmac.new(key, text.encode("utf-8", "surrogatepass"), hashlib.sha256)


def _secret(path: Path) -> bytes:
    mode = stat.S_IMODE(path.stat().st_mode)
    if mode & 0o077:
        raise BadInput(
            "the key of shareable reports can be read by others",
            details={"file": str(path), "mode": f"{mode:04o}"},
            remedy=f"chmod 600 {path}; remove it for a new key, when somebody has read it",
        )
    try:
        secret = bytes.fromhex(path.read_text("ascii").strip())
    except ValueError:
        secret = b""
    if len(secret) != _BYTES:
        raise BadInput(
            "the key of shareable reports is damaged",
            details={"file": str(path), "fact": f"it is not {_BYTES} bytes in hexadecimal"},
            remedy="remove it: a new one is made, and new reports have other hashes than old ones",
        )
    return secret
