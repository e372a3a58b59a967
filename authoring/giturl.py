"""Which addresses a git source may be fetched from."""

from __future__ import annotations

import os
import re
from pathlib import Path
from urllib.parse import urlsplit

from authoring.members import printable
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


def check_repository(path: Path) -> None:
    """A repository on this machine holds what it gives away: nothing in it may point to another place.

    Raises `BadInput` for alternates, a `.git` that is a file or a link, linked object stores, and special files that
    git would wait for. Nothing is run.
    """
    inner = path / ".git"
    store = inner if inner.exists() or inner.is_symlink() else path
    fact = _points_elsewhere(store) if store.is_dir() or store.is_symlink() or store == inner else ""
    if fact:
        raise BadInput(
            "the repository is not taken",
            details={"repository": str(path), "fact": fact},
            remedy="clone it with `git clone --no-local --bare`, and name the clone in order.toml",
        )


def _points_elsewhere(store: Path) -> str:
    if store.is_symlink() or not store.is_dir():
        return f"`{store.name}` is no folder, so it leads to another repository"
    for name in ("commondir", "objects/info/alternates", "objects/info/http-alternates"):
        if (store / name).exists() or (store / name).is_symlink():
            return f"`{name}` makes another repository a part of it"
    for name in ("HEAD", "config", "packed-refs", "shallow"):
        place = store / name
        if place.is_symlink() or (place.exists() and not place.is_file()):
            return f"`{name}` is no plain file"
    return next(filter(None, (_strange(store, top) for top in ("objects", "refs"))), "")


def _strange(store: Path, top: str) -> str:
    """The first entry below `top` that is neither a plain file nor a folder."""
    if (store / top).is_symlink():
        return f"`{top}` is a link"
    for folder, folders, names in os.walk(store / top):
        for name in (*folders, *names):
            place = Path(folder, name)
            if place.is_symlink() or not (place.is_dir() or place.is_file()):
                return f"`{printable(place.relative_to(store).as_posix())}` is a link or a special file"
    return ""
