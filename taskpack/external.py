"""What a task needs besides code: files from elsewhere, pinned by size and digest, and what a machine must have."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from functools import cache
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Annotated, Literal, Self
from urllib.parse import unquote, urlsplit

from pydantic import AfterValidator, Field, model_validator

from taskpack.record import Part, Record

if TYPE_CHECKING:
    from license_expression import Licensing

MOST_BYTES = 2 * 1024**3
"""Of one resource, packed or unpacked."""
MOST_BYTES_TOGETHER = 4 * 1024**3
MOST_RESOURCES = 64
ROOTS = ("/opt", "/srv", "/data", "/mnt")
_OURS = ("/opt/lib", "/opt/clock", "/opt/cbrun", "/opt/codingbench", "/opt/cb-warm", "/mnt/cb-substrate")
"""Places below them that the judge, or a harness, has for itself."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,127}")


def _fetchable(url: str) -> str:
    parts = urlsplit(url)
    if parts.scheme != "https" or not parts.hostname:
        raise ValueError("must be an https address")
    if parts.username is not None or parts.password is not None:
        raise ValueError("must not carry a user or a password: everyone who has the task can read it")
    if parts.fragment or any(letter <= " " or letter == "\x7f" for letter in url):
        raise ValueError("must be one plain address, without spaces and without #")
    if not _NAME.fullmatch(unquote(parts.path).rpartition("/")[2]):
        raise ValueError("must end with the file's name, of letters, digits and . _ + - alone")
    return url


def _below(path: str) -> str:
    parts = path.split("/") if path else []
    if any(not _NAME.fullmatch(part) for part in parts):
        raise ValueError("must be a path that stays inside the destination, of letters, digits and . _ + - alone")
    return path


def _destination(path: str) -> str:
    parts = path.split("/")[1:]
    if not path.startswith("/") or len(parts) < 2 or any(not _NAME.fullmatch(part) for part in parts):
        raise ValueError("must be an absolute path of two parts or more, such as /opt/models")
    if f"/{parts[0]}" not in ROOTS:
        raise ValueError(f"must lie below one of {', '.join(ROOTS)}")
    if any(PurePosixPath(path).is_relative_to(ours) or PurePosixPath(ours).is_relative_to(path) for ours in _OURS):
        raise ValueError(f"must be clear of what a judge has there: {', '.join(_OURS)}")
    return path


@cache
def _licensing() -> Licensing:
    from license_expression import get_spdx_licensing  # noqa: PLC0415 (reads its index when made)

    return get_spdx_licensing()


def _licence(text: str) -> str:
    try:
        _licensing().parse(text, validate=True)
    except Exception as error:
        raise ValueError("must be an SPDX expression, such as CC0-1.0") from error
    if not text.strip():
        raise ValueError("must be an SPDX expression, such as CC0-1.0")
    return text


class Resource(Part):
    """A file that is fetched when the environment is built, and is there, offline, when a workspace is judged."""

    id: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_.-]{0,63}$")]
    url: Annotated[str, AfterValidator(_fetchable)]
    """An https address without credentials. Its last part is the file's name."""
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    size: Annotated[int, Field(ge=1, le=MOST_BYTES)]
    """Bytes, exactly."""
    unpacked_size: Annotated[int, Field(ge=1, le=MOST_BYTES)] | None = None
    """Bytes of all files of a .zip together, exactly; a .zip is unpacked, anything else is kept as it is."""
    directory: Annotated[str, AfterValidator(_below)] = ""
    """Where it lies below the destination."""
    license: Annotated[str, AfterValidator(_licence)]
    """An SPDX expression."""
    source: str = ""
    """Whom to name for it."""

    @property
    def name(self) -> str:
        return unquote(urlsplit(self.url).path).rpartition("/")[2]

    @property
    def is_packed(self) -> bool:
        return self.name.lower().endswith(".zip")

    @property
    def place(self) -> str:
        """Where it lies below the destination: a folder for what is unpacked, else the file."""
        parts = [self.directory] if self.directory else []
        return "/".join(parts if self.is_packed else [*parts, self.name])

    @model_validator(mode="after")
    def _packed_or_not(self) -> Self:
        if self.is_packed != (self.unpacked_size is not None):
            raise ValueError("`unpacked_size` is given for a .zip, and for nothing else")
        return self


class External(Record):
    """`source/env/resources.json` (zero2repo, section 4), and `[external]` of the order."""

    source_revision: str = ""
    destination: Annotated[str, AfterValidator(_destination)]
    """The folder inside, read-only."""
    resources: Annotated[tuple[Resource, ...], Field(min_length=1, max_length=MOST_RESOURCES)]

    @model_validator(mode="after")
    def _apart(self) -> Self:
        _check_unique("id", (each.id for each in self.resources))
        _check_unique("place", (each.place for each in self.resources if not each.is_packed))
        if sum(each.unpacked_size or each.size for each in self.resources) > MOST_BYTES_TOGETHER:
            raise ValueError(f"all resources together have more than {MOST_BYTES_TOGETHER} bytes")
        return self

    def to_harness(self) -> bytes:
        """As other people's harnesses read it: their keys alone, and none that is empty."""
        told = self.model_dump(mode="json", exclude={"schema_version"}, exclude_defaults=True)
        text = json.dumps(told, sort_keys=True, indent=2, ensure_ascii=False)
        return (text + "\n").encode()

    @classmethod
    def from_harness(cls, data: bytes) -> Self:
        """Read what `to_harness` wrote. Raises Pydantic's `ValidationError`."""
        return cls.model_validate_json(data)


class Hardware(Part):
    """What a machine must have for a solver to build and try a product. `Hardware_Requirements.md` is made from it."""

    summary: str = ""
    """One sentence, in neutral words."""
    cpus: Annotated[int, Field(ge=1, le=64)] = 1
    memory_mb: Annotated[int, Field(ge=64, le=2048)] = 512
    """Not more than a product sandbox has."""
    disk_mb: Annotated[int, Field(ge=1, le=4096)] = 256
    """For the workspace with what is built in it."""
    accelerator: Literal["none"] = "none"
    """There is none where a workspace is judged."""


def _check_unique(what: str, values: Iterable[str]) -> None:
    seen: set[str] = set()
    for value in values:
        if value in seen:
            raise ValueError(f"two resources have the {what} {value}")
        seen.add(value)
