"""Values on the wire: null, true, false and well-formed strings as they are, all else as a one-key object.

One value has one encoding. `encoding` and `decoding` hold the table, tag by tag.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from taskpack.wire.decoding import Decoder
from taskpack.wire.encoding import Body, Encoder, declared_names
from taskpack.wire.frames import Json
from taskpack.wire.kinds import ClassNames

__all__ = ["Body", "Decoder", "Encoder", "decode", "encode", "encode_args"]


def encode(value: object, body: Body, names: Callable[[type], ClassNames] = declared_names) -> Json:
    """The wire value of `value`; large strings and bytes go to `body`.

    Raises `TooLarge` when it nests too deep or has too many nodes.
    """
    return Encoder(body, names).value(value)


def encode_args(args: Mapping[str, object], body: Body) -> dict[str, Json]:
    """Arguments by name."""
    encoder = Encoder(body)
    return {name: encoder.value(value) for name, value in args.items()}


def decode(value: Json, body: bytes = b"", *, native: bool = False) -> Any:
    """The value of a wire value.

    `native` gives dicts and sets, as a program is called with; else `Map` and `Set`, in which types never blur.
    Raises `Malformed`.
    """
    return Decoder(body, native=native).value(value)
