"""What a call came to, as a test reads it. Printed it is one short line, however large it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from taskpack.wire.caught import caught_as
from taskpack.wire.messages import Reply
from taskpack.wire.show import show
from taskpack.wire.values import Decoder

_NAME = 160
_LAST = 4096


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Error:
    """An error as its product stated it."""

    type: str
    """Its public name, such as `package.Name`."""
    bases: tuple[str, ...]
    """Every other name under which a caller could catch it, ancestors included."""
    builtin: str | None
    """The nearest class in its ancestry that is really the language's own."""
    attrs: Mapping[str, Any]
    message: str

    def is_a(self, name: str) -> bool:
        """Whether a caller that catches `name` catches this: `package.Name`, `ValueError` for the language's own."""
        return caught_as(self.names, name)

    @property
    def names(self) -> tuple[str, ...]:
        return (self.type, *self.bases)

    def __str__(self) -> str:
        return f"{self.type[:_NAME]}({show(self.message)})"

    def __repr__(self) -> str:
        return f"<error {self}>"


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Seen:
    """The observation of one call."""

    outcome: str
    stdout: bytes
    stderr: bytes
    seconds: float
    exit: int | None = None
    signal: int | None = None
    limit: str | None = None
    cut: tuple[str, ...] = ()
    returned: Any = None
    """The value, when `outcome` is `returned`; tests read `value`."""
    files: tuple[Mapping[str, Any], ...] = ()
    """What `list` found: each with path, kind, mode, size."""
    failure: Error | None = None
    """The error, when there is one; tests read `error`."""

    @property
    def value(self) -> Any:
        """What was returned. Fails the test, naming outcome and error, when nothing was."""
        if self.outcome != "returned":
            raise AssertionError(f"expected a value, seen {self}")
        return self.returned

    @property
    def error(self) -> Error:
        """What was raised. Fails the test, naming the outcome, when nothing was."""
        if self.outcome != "raised" or self.failure is None:
            raise AssertionError(f"expected an error, seen {self}")
        return self.failure

    def __str__(self) -> str:
        more = {
            "exited": f" with {self.exit}",
            "signalled": f" by {self.signal}",
            "limit": f": {str(self.limit)[:_NAME]}",
        }
        text = f"{self.outcome}{more.get(self.outcome, '')}"
        if self.outcome == "returned":
            return f"{text} {show(self.returned)}"
        if self.failure is not None:
            text += f" {self.failure}"
        last = self.stderr[-_LAST:].decode("utf-8", "replace").strip().rpartition("\n")[2]
        return f"{text}; standard error ends: {last[:200]}" if last and self.outcome == "exited" else text

    def __repr__(self) -> str:
        return f"<seen {self}>"


def read_seen(reply: Reply, body: bytes) -> Seen:
    """A checked reply as an observation."""
    decoder = Decoder(body)
    failure = None
    if reply.error is not None:
        error = reply.error
        failure = Error(
            type=error["type"],
            bases=tuple(error["bases"]),
            builtin=error["builtin"],
            attrs={name: decoder.value(value) for name, value in error["attrs"].items()},
            message=decoder.value(error["message"]),
        )
    return Seen(
        outcome=reply.outcome,
        stdout=_slice(body, reply.stdout),
        stderr=_slice(body, reply.stderr),
        seconds=reply.seconds,
        exit=reply.exit,
        signal=reply.signal,
        limit=reply.limit,
        cut=reply.cut,
        files=reply.files,
        returned=decoder.value(reply.value) if reply.outcome == "returned" else None,
        failure=failure,
    )


def _slice(body: bytes, place: tuple[int, int]) -> bytes:
    return body[place[0] : sum(place)]
