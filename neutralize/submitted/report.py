"""What the scan of a submitted workspace gives."""

from __future__ import annotations

from dataclasses import dataclass

from judge.printable import printable

PREFIX = "denylist: "
"""How a verdict's cause begins when the scan is its reason."""
_TEXT = 160


@dataclass(frozen=True, kw_only=True, order=True)
class Hit:
    """A banned thing in the workspace."""

    path: str
    """Within the workspace; `archive!/member` inside an archive."""
    line: int
    """Counted from 1; 0 where the path or the whole file is the reason."""
    token: str
    """As the denylist spells it."""
    text: str
    """The line, or what was found."""

    def render(self) -> str:
        return printable(f"{PREFIX}{self.token}: {self.path}:{self.line}: {self.text.strip()[:_TEXT]}")


@dataclass(frozen=True, kw_only=True)
class Limits:
    """Bounds of one scan. What lies beyond is told, never passed over in silence."""

    file_bytes: int = 16 * 1024 * 1024
    total_bytes: int = 256 * 1024 * 1024
    """Of all files together. A workspace with more is refused: what is banned could lie behind what is not."""
    archive_members: int = 50_000
    archive_bytes: int = 256 * 1024 * 1024
    """Unpacked, of all archives together."""
    archive_depth: int = 3
    parsed_bytes: int = 1024 * 1024
    """Of one file that is parsed as a whole; a larger one is read line by line."""
    parsed_total: int = 16 * 1024 * 1024
    hits: int = 200


@dataclass(frozen=True, kw_only=True)
class Report:
    """The whole scan."""

    hits: tuple[Hit, ...]
    """Sorted by path and line, each once."""
    unread: tuple[str, ...]
    """`path: reason` of what could not be read, or not as a whole."""
    files: int
    """Files and members of archives that were read."""
    beyond: str = ""
    """The bound of the whole scan that the workspace is beyond; empty when it is within."""

    @property
    def causes(self) -> tuple[str, ...]:
        """Why the workspace scores 0, as causes of a verdict; empty when it is clean."""
        beyond = (f"{PREFIX}it was not looked through: {self.beyond}",) if self.beyond else ()
        return (*beyond, *(hit.render() for hit in self.hits))
