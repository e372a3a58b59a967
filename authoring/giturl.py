"""Which addresses a git source may be fetched from."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import urlsplit

from taskpack.errors import BadInput


def local_path(url: str) -> Path | None:
    """The folder that `url` names on this machine. Taken as written: git must not decode it a second time."""
    if url.startswith(("/", "file:///")):
        return Path(url.removeprefix("file://"))
    return None


def check_url(url: str) -> str:
    """The one protocol that fetching from `url` needs: `https`, `ssh` or `file`.

    Raises `BadInput` for every other scheme, for a local path that is relative or absent, and for a stored
    password.
    """
    try:
        scheme, fact = _look(url)
    except ValueError as error:
        scheme, fact = "", str(error)
    if not fact:
        return scheme
    shown = re.sub(r"//[^/@]*@", "//...@", url.encode("unicode_escape").decode())[:200]
    raise BadInput(
        "the repository's address cannot be used",
        details={"address": shown, "fact": fact},
        remedy="write https://HOST/PATH, ssh://USER@HOST/PATH or an absolute path",
    )


def _look(url: str) -> tuple[str, str]:
    """Scheme, and what is wrong with the address."""
    if any(ord(letter) <= 32 or ord(letter) == 127 for letter in url):
        return "", "a blank or a control character in it"
    local = local_path(url)
    if local is not None:
        return "file", "" if local.is_dir() else "there is no such folder"
    parts = urlsplit(url)
    user = parts.username or ""
    if parts.scheme not in {"https", "ssh"}:
        return "", "only https, ssh and local absolute paths are fetched from"
    if not parts.hostname or parts.hostname.startswith("-") or user.startswith("-"):
        return "", "it names no host"
    if parts.password is not None or (parts.scheme == "https" and user):
        return "", "it holds a name or a password, which would be stored with the case"
    return parts.scheme, ""
