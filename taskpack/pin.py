"""The pin: one commit of the upstream in a local git store, and what is known of it."""

from __future__ import annotations

from taskpack.order import CommitId, Sha256, Source
from taskpack.record import Part, Record


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
