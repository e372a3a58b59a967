"""How members become a commit: git's import stream, so that the same members give the same ids anywhere."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from authoring.members import Member, by_bytes

RECIPE = 1
"""Version of the rules below that turn members into a commit."""
REF = "refs/heads/pin"
_WHO = b"Repowright <pin@repowright.invalid> 1577836800 +0000"
_MESSAGE = b"Pinned source\n"


def write_stream(path: Path, members: Sequence[Member]) -> None:
    """Members as git's import stream: one commit without parents."""
    with path.open("xb") as stream:
        stream.write(b"feature done\ncommit %s\n" % REF.encode())
        stream.write(b"author %s\ncommitter %s\ndata %d\n%s\n" % (_WHO, _WHO, len(_MESSAGE), _MESSAGE))
        for member in by_bytes(members):
            quoted = member.path.encode().replace(b"\\", b"\\\\").replace(b'"', b'\\"')
            stream.write(b'M %s inline "%s"\ndata %d\n' % (member.mode.octal.encode(), quoted, len(member.data)))
            stream.write(member.data)
            stream.write(b"\n")
        stream.write(b"done\n")
