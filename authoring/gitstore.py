"""Bare repositories that hold pins: making a commit from members, fetching one commit, reading files back.

Every git process gets an environment built from nothing and works in a repository that we made, never in a
folder that somebody else wrote.
"""

from __future__ import annotations

import contextlib
import re
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from authoring.gitprocess import GitSaidNo, TooMuch, fetch_one, init_store, run_git
from authoring.giturl import check_repository, check_url, local_path
from authoring.importstream import REF, write_stream
from authoring.members import (
    Bounds,
    Member,
    Mode,
    Refused,
    RefusedMember,
    by_bytes,
    check_members,
    clean_name,
    is_git_internal,
    printable,
    write_members,
)
from taskpack.errors import BadInput, DigestMismatch, FetchFailed, RecordUnreadable
from taskpack.files import publish_folder, space_errors

if TYPE_CHECKING:
    from authoring.barerepo import BareRepo

_COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_FETCH_S = 300
_ROW_BYTES = 1200
"""Of one row in a listing: a path as long as we take it, with its facts."""


@dataclass(frozen=True, kw_only=True)
class Commit:
    """Ids of a commit and of its tree."""

    commit: str
    tree: str


@dataclass(frozen=True, kw_only=True)
class Files:
    """What a commit holds, as far as we take it."""

    ids: Commit
    members: tuple[Member, ...]
    dropped: tuple[str, ...]
    """`path: why`, sorted."""


def commit_members(store: Path, members: Sequence[Member]) -> Commit:
    """Put `members` into one commit of a new bare repository at `store`; the same members give the same ids
    anywhere.

    An existing store wins when it holds that commit and is replaced when it does not. The store appears whole
    or not at all.
    """
    with _new_store(store) as repo:
        folder = Path(repo.git_dir)
        stream = folder / "stream"
        with space_errors(stream):
            write_stream(stream, members)
        with stream.open("rb") as source:
            run_git(folder, "fast-import", "--quiet", "--done", "--date-format=raw", stdin=source)
        stream.unlink()
        return _ids(folder, REF)


def fetch_commit(url: str, commit: str, store: Path) -> Commit:
    """Fetch exactly one commit, without history, tags or submodules, into a bare repository at `store`.

    Raises `BadInput` for an address or a commit id that we do not take, `FetchFailed` when the repository
    does not give it in time, `DigestMismatch` when another commit arrives, `RefusedMember` when it sends more than is
    taken.
    """
    _check_commit_id(commit, url)
    protocol, local = check_url(url), local_path(url)
    if local is not None:
        check_repository(local)
    with _new_store(store, sha256=len(commit) == 64) as repo:
        folder = Path(repo.git_dir)
        try:
            fetch_one(repo, str(local or url), commit, protocol=protocol, local_source=local, seconds=_FETCH_S)
        except GitSaidNo as error:
            if error.too_large:
                raise RefusedMember("", "the repository sends more than is taken") from error
            raise _fetch_failed(url, commit, error) from error
        arrived = (folder / "FETCH_HEAD").read_text("utf-8", "replace").split("\t")[0].strip()
        if arrived != commit:
            raise DigestMismatch(
                "the repository gave another commit than the pinned one",
                details={"repository": url[:200], "asked for": commit, "arrived": arrived[:80]},
                remedy="check the repository, then the commit in order.toml",
            )
        ids = _ids(folder, commit)
        if ids.commit != commit:
            raise BadInput(
                f"{commit} is no commit",
                details={"repository": url[:200], "it leads to": ids.commit},
                remedy="write the id of the commit itself, not of a tag",
            )
        run_git(folder, "update-ref", REF, commit)
        return ids


def _check_commit_id(commit: str, url: str) -> None:
    if not _COMMIT.fullmatch(commit):
        raise BadInput(
            f"`{commit[:80]}` is not a full commit id",
            details={"repository": url[:200]},
            remedy="write all 40 (or 64) hexadecimal digits; names and short ids can change their meaning",
        )


def _fetch_failed(url: str, commit: str, error: GitSaidNo) -> FetchFailed:
    said = printable(error.stderr[-200:].replace("\n", " / "))
    return FetchFailed(
        "the repository did not give the pinned commit",
        details={
            "repository": url[:200],
            "commit": commit,
            "git said": f"nothing for {_FETCH_S} s" if error.late else said,
        },
        remedy="check address, commit and access, then run the same command again",
    )


def has_commit(store: Path, commit: str) -> bool:
    """Whether `store` is a repository that holds `commit`."""
    if not (store / "HEAD").is_file():
        return False
    try:
        run_git(store, "cat-file", "-e", f"{commit}^{{tree}}")
    except GitSaidNo:
        return False
    return True


def read_commit(store: Path, commit: str, bounds: Bounds | None = None) -> Files | Refused:
    """All files of `commit` from the object store: no filters, no attributes, no line-ending changes.

    `Refused` when an entry breaks a rule. Raises `RecordUnreadable` when the store does not hold the commit.
    """
    bounds = bounds or Bounds()
    try:
        return _read(store, commit, bounds)
    except RefusedMember as error:
        return error.refused
    except (GitSaidNo, FileNotFoundError) as error:
        raise RecordUnreadable(
            f"the git store does not hold {commit[:12]}",
            details={"store": str(store)},
            remedy=f"delete {store} and the stage store's `pin` folder, so that both are made again",
        ) from error


def checkout(store: Path, commit: str, dest: Path) -> None:
    """Write the files of `commit` into the new or empty folder `dest`, without `.git`.

    Raises `BadInput` when `dest` has content, `RecordUnreadable` when the store lacks the commit or it breaks
    a rule.
    """
    if dest.is_symlink() or (dest.exists() and (not dest.is_dir() or any(dest.iterdir()))):
        raise BadInput("the folder for the source is not empty", details={"folder": str(dest)}, remedy="name a new one")
    files = read_commit(store, commit)
    if isinstance(files, Refused):
        raise RecordUnreadable(
            f"{commit[:12]} cannot be written to a folder",
            details={"entry": files.member, "fact": files.why},
            remedy=f"delete {store}, so that it is made again",
        )
    with space_errors(dest):
        write_members(dest, files.members)


def _read(store: Path, commit: str, bounds: Bounds) -> Files:
    wanted: list[tuple[str, Mode, str]] = []
    dropped: list[str] = []
    total = 0
    for row in _rows(store, commit, bounds):
        if not row:
            continue
        facts, _, raw = row.partition(b"\t")
        mode, _, oid, size = facts.decode().split()
        name = clean_name(raw.decode("utf-8", "surrogateescape"))
        if name.encode() != raw:
            raise RefusedMember(name, "not a plain path")
        if mode == "160000":
            dropped.append(f"{name}: submodule")
        elif name.lower().rpartition("/")[2] == ".gitmodules":
            dropped.append(f"{name}: read by git itself")
        elif is_git_internal(name):
            raise RefusedMember(name, "`.git` inside a commit")
        else:
            total += int(size)
            _check_size(name, int(size), total, len(wanted) + 1, bounds)
            wanted.append((name, _mode(mode), oid))
    if not wanted:
        raise RefusedMember("", "the commit holds no files")
    blobs = _blobs(store, [oid for _, _, oid in wanted])
    members = [Member(path=name, mode=mode, data=data) for (name, mode, _), data in zip(wanted, blobs, strict=True)]
    check_members(members)
    return Files(ids=_ids(store, commit), members=by_bytes(members), dropped=tuple(sorted(dropped)))


def _rows(store: Path, commit: str, bounds: Bounds) -> list[bytes]:
    """`ls-tree` of the whole commit. Few objects can make any number of rows, so it is read up to a bound."""
    most = bounds.members * _ROW_BYTES
    try:
        return run_git(store, "ls-tree", "-r", "-z", "-l", "--full-tree", commit, most=most).split(b"\0")
    except TooMuch:
        raise RefusedMember("", f"more than {bounds.members:,} members") from None
    except GitSaidNo as error:
        if error.broke:
            raise RefusedMember("", "git cannot list it: folders are too deep, or objects are broken") from error
        raise


def _check_size(name: str, size: int, total: int, count: int, bounds: Bounds) -> None:
    if size > bounds.member_bytes:
        raise RefusedMember(name, f"more than {bounds.member_bytes:,} bytes")
    if total > bounds.total_bytes:
        raise RefusedMember(name, f"more than {bounds.total_bytes:,} bytes in all")
    if count > bounds.members:
        raise RefusedMember(name, f"more than {bounds.members:,} members")


def _mode(text: str) -> Mode:
    if text == Mode.LINK.octal:
        return Mode.LINK
    # Old repositories also hold 100664, which git itself reads as 100644.
    return Mode.EXECUTABLE if int(text, 8) & 0o100 else Mode.FILE


def _blobs(store: Path, oids: Sequence[str]) -> list[bytes]:
    with tempfile.TemporaryFile() as ask:
        ask.write("".join(f"{oid}\n" for oid in oids).encode())
        ask.seek(0)
        answer = memoryview(run_git(store, "cat-file", "--batch", "--buffer", stdin=ask))
    found: list[bytes] = []
    at = 0
    for _ in oids:
        end = bytes(answer[at : at + 200]).index(b"\n") + at
        size = int(bytes(answer[at:end]).split()[2])
        found.append(bytes(answer[end + 1 : end + 1 + size]))
        at = end + 1 + size + 1
    return found


@contextlib.contextmanager
def _new_store(store: Path, *, sha256: bool = False) -> Iterator[BareRepo]:
    """A fresh bare repository that becomes `store` when the block ends well; a useless one there is replaced."""
    store.parent.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix=f".{store.name}.", dir=store.parent))
    try:
        with space_errors(store):
            yield init_store(folder, sha256=sha256)
            made = _ids(folder, REF)
            (folder / "FETCH_HEAD").unlink(missing_ok=True)
            if store.exists() and not has_commit(store, made.commit):
                shutil.rmtree(store)
            folder.chmod(0o755)
            publish_folder(folder, store)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _ids(store: Path, name: str) -> Commit:
    commit, tree = (run_git(store, "rev-parse", "--verify", f"{name}^{{{kind}}}") for kind in ("commit", "tree"))
    return Commit(commit=commit.decode().strip(), tree=tree.decode().strip())
