"""The pin: one commit of the upstream in a local git store, and what is known of it."""

from __future__ import annotations

from taskpack.order import CommitId, Source
from taskpack.record import Part, Record, Sha256


class LicenceFile(Part):
    """A licence text found in the pin."""

    path: str
    sha256: Sha256
    detected: str
    """SPDX id by content, or an empty string when none is recognised."""


class Inventory(Part):
    """Counts over the pinned tree."""

    files: int
    bytes: int
    source_files: int
    test_files: int
    links: int = 0
    """Symbolic links, which `files` counts as well."""
    native_files: int = 0
    """Sources and binaries of compiled extensions."""
    pointers: int = 0
    """Files of Git LFS whose content is not in the pin."""


class Resolution(Record):
    """What a branch, a tag or a folder was when it was pinned, kept in the case: the pin does not move by itself."""

    source: Source
    """As the order had it."""
    commit: CommitId
    dropped: tuple[str, ...] = ()
    """Entries of a folder that were left out: `path: why`."""


class Pin(Record):
    """A commit that anyone can make again from the source."""

    source: Source
    file_name: str
    """Name of the archive that arrived, empty for git."""
    file_sha256: str
    """SHA-256 of that archive, empty for git."""
    commit: CommitId
    tree: CommitId
    """The tree id depends on content alone."""
    recipe: int
    """Version of the recipe that turns an archive into a commit."""
    dropped: tuple[str, ...]
    """Members of the archive left out, with the reason: `path: why`."""
    licence: str
    """SPDX expression that metadata and texts agree on."""
    licence_files: tuple[LicenceFile, ...]
    inventory: Inventory
