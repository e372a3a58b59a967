"""Resources of a task: fetched with the network when the environment is built, there without it ever after."""

from __future__ import annotations

import hashlib
import http.client
import os
import shutil
import ssl
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO
from urllib.parse import urljoin, urlsplit

from environments.interface import Mount
from environments.unpack import unpack_zip
from taskpack.errors import DigestMismatch, EnvironmentFailed, FetchFailed
from taskpack.external import External, Resource
from taskpack.files import file_digest, make_folder, publish_folder, space_errors, sync_folder, tree_digest, write_bytes
from taskpack.layout import WorkFolder
from taskpack.scratch import PART, temporary_file, temporary_folder

SCHEMES = frozenset({"https"})
SILENCE_S = 30.0
"""How long a server may say nothing."""
WALL_S = 900.0
"""How long one resource may take."""
_CHUNK = 256 * 1024
_SHOWN = 200
_HOPS = 5
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_HEADERS = {"Accept-Encoding": "identity", "User-Agent": "repowright"}


def resource_mount(external: External, *, work: WorkFolder) -> Mount:
    """The resources at their destination, read-only. Raises as `resource_site`."""
    return Mount(source=resource_site(external, work=work), dest=external.destination)


def resource_site(external: External, *, work: WorkFolder) -> Path:
    """The folder that holds all of them as they lie below the destination; made once, and looked at before each use.

    Raises `FetchFailed`, `DigestMismatch` as `fetch`, `EnvironmentFailed` for an archive that is not unpacked.
    """
    place = work.environments / f"resources-{external.digest()}"
    note = work.environments / "recipes" / f"{place.name}.tree"
    if place.is_dir() and note.is_file() and note.read_text("ascii") == tree_digest(place):
        return place
    archives = {each.id: fetch(each, work=work) for each in external.resources}
    with space_errors(work.environments), temporary_folder(work.environments, prefix=".building-") as folder:
        made = folder / "site"
        made.mkdir(mode=0o755)
        for each in external.resources:
            try:
                _lay(each, archives[each.id], made)
            except (FileExistsError, NotADirectoryError, IsADirectoryError) as error:
                raise EnvironmentFailed(
                    f"the resource {each.id} has no place of its own",
                    details={"place": f"{external.destination}/{each.place}"},
                    remedy="give it another directory in order.toml",
                ) from error
        if place.exists():
            place.rename(folder / "spoiled")
        write_bytes(note, tree_digest(made).encode("ascii"))
        publish_folder(made, place)
    return place


def fetch(
    resource: Resource,
    *,
    work: WorkFolder,
    schemes: frozenset[str] = SCHEMES,
    silence_s: float = SILENCE_S,
    wall_s: float = WALL_S,
) -> Path:
    """The resource as a file under its digest; once it is there, no server is asked any more.

    It takes that name only when size and digest are the pinned ones. Raises `FetchFailed` when the server does not give
    it, `DigestMismatch` when it gives something else.
    """
    place = work.resources / resource.sha256
    if place.is_file():
        if file_digest(place) == resource.sha256:
            return place
        place.unlink()
    with space_errors(place):
        make_folder(place.parent)
        with temporary_file(place.parent, prefix=f".{resource.sha256}.", suffix=PART) as arriving:
            with _telling(resource):
                _stream(resource, arriving.file, schemes, silence_s, time.monotonic() + wall_s)
            arriving.file.flush()
            os.fchmod(arriving.file.fileno(), 0o644)
            os.fsync(arriving.file.fileno())
            arriving.path.replace(place)
            sync_folder(place.parent)
    return place


def _lay(resource: Resource, archive: Path, root: Path) -> None:
    target = root / resource.place
    if resource.unpacked_size is not None:
        target.mkdir(mode=0o755, parents=True, exist_ok=True)
        unpack_zip(archive, target, size=resource.unpacked_size)
        return
    target.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
    with archive.open("rb") as source, target.open("xb") as out:
        shutil.copyfileobj(source, out)
    target.chmod(0o644)


class _Elsewhere(Exception):
    """An address that must not be asked."""


def _check_address(url: str, schemes: frozenset[str]) -> None:
    parts = urlsplit(url)
    if parts.scheme not in schemes or not parts.hostname or parts.username is not None:
        raise _Elsewhere(
            f"it sends us to {parts.scheme or 'no scheme'}://{parts.hostname or ''}, which is not followed"
        )


def _stream(resource: Resource, out: IO[bytes], schemes: frozenset[str], silence_s: float, until: float) -> None:
    total, digest = 0, hashlib.sha256()
    with _answer(resource.url, schemes, silence_s) as answer:
        promised = answer.headers.get("Content-Length")
        while part := answer.read1(min(_CHUNK, resource.size - total + 1)):
            total += len(part)
            if total > resource.size:
                raise _other(resource, "size", f"more than {resource.size}")
            if time.monotonic() > until:
                raise FetchFailed(
                    f"the resource {resource.id} takes too long",
                    details={"arrived": f"{total} of {resource.size} bytes"},
                    remedy="run the same command again",
                )
            digest.update(part)
            out.write(part)
    if promised is not None and promised.isdigit() and total < int(promised):
        raise http.client.IncompleteRead(b"", int(promised) - total)
    if total < resource.size:
        raise _other(resource, "size", str(total))
    if digest.hexdigest() != resource.sha256:
        raise _other(resource, "sha256", digest.hexdigest())


def _answer(url: str, schemes: frozenset[str], silence_s: float) -> http.client.HTTPResponse:
    """The answer of the server, or of the one that it sends us to. Raises `urllib.error.URLError`, `_Elsewhere`."""
    # No handler of files, FTP or data, and none that follows by itself.
    opener = urllib.request.OpenerDirector()
    for handler in (
        urllib.request.ProxyHandler(),
        urllib.request.HTTPHandler(),
        urllib.request.HTTPSHandler(),
        urllib.request.HTTPDefaultErrorHandler(),
        urllib.request.HTTPErrorProcessor(),
    ):
        opener.add_handler(handler)
    for _ in range(_HOPS):
        _check_address(url, schemes)
        request = urllib.request.Request(url, headers=_HEADERS)  # noqa: S310 (the scheme was looked at)
        try:
            answer: http.client.HTTPResponse = opener.open(request, timeout=silence_s)
        except urllib.error.HTTPError as error:
            with error:
                location = error.headers.get("Location")
            if error.code not in _REDIRECTS or not location:
                raise
            url = urljoin(url, location)
            continue
        return answer
    raise _Elsewhere(f"it sends us on more than {_HOPS} times")


@contextmanager
def _telling(resource: Resource) -> Iterator[None]:
    """Turn what can go wrong on the way into `FetchFailed`."""
    try:
        yield
    except urllib.error.HTTPError as error:
        raise _no_answer(resource, f"HTTP {error.code}") from error
    except urllib.error.URLError as error:
        raise _no_answer(resource, str(error.reason)) from error
    except _Elsewhere as error:
        raise _no_answer(resource, str(error)) from None
    except http.client.IncompleteRead as error:
        raise _no_answer(resource, "it breaks off before its end") from error
    except (http.client.HTTPException, TimeoutError, ConnectionError, ssl.SSLError, ValueError) as error:
        raise _no_answer(resource, f"{type(error).__name__}: {error}") from error


def _no_answer(resource: Resource, fact: str) -> FetchFailed:
    return FetchFailed(
        f"the resource {resource.id} cannot be fetched",
        details={"from": urlsplit(resource.url).hostname or "", "fact": fact[:_SHOWN]},
        remedy="run the same command again; if it stays so, name another address in order.toml",
    )


def _other(resource: Resource, what: str, seen: str) -> DigestMismatch:
    pinned = {"size": str(resource.size), "sha256": resource.sha256}[what]
    return DigestMismatch(
        f"the resource {resource.id} is not the file that was pinned",
        details={f"pinned {what}": pinned, "arrived": seen},
        remedy="find out why it changed; only then put the new size and digest into order.toml",
    )
