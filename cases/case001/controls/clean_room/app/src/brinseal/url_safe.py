"""Packing of objects into text that may stand in a URL."""

from __future__ import annotations

import json
import zlib
from typing import Any

from .encoding import as_bytes, base64_decode, base64_encode
from .errors import BrokenData, BrokenPayload
from .packer import Packer
from .timed import TimedPacker

_COMPRESSED = b"."


class _CompactJson:
    """JSON without blanks and with non-ASCII characters as they are."""

    loads = staticmethod(json.loads)

    @staticmethod
    def dumps(obj: Any, **kwargs: Any) -> str:
        settings = {"separators": (",", ":"), "ensure_ascii": False} | kwargs
        return json.dumps(obj, **settings)


class WebPackerMixin(Packer):
    """Compresses payloads where that pays off, and writes them in base64."""

    default_serializer: Any = _CompactJson()

    def dump_payload(self, obj: Any) -> bytes:
        """The encoded bytes of an object, marked by a dot when compressed."""
        raw = as_bytes(super().dump_payload(obj))
        squeezed = zlib.compress(raw)
        if len(squeezed) + 2 <= len(raw):
            return _COMPRESSED + base64_encode(squeezed)
        return base64_encode(raw)

    def load_payload(
        self, payload: bytes, *args: Any, serializer: Any = None, **kwargs: Any
    ) -> Any:
        """The object of an encoded payload; the keyword ``serializer`` is not used."""
        if not isinstance(payload, (bytes, bytearray)):
            raise TypeError(f"a payload is bytes, not {type(payload).__name__}")
        encoded = payload.removeprefix(_COMPRESSED)
        try:
            raw = base64_decode(encoded)
            if len(encoded) != len(payload):
                raw = zlib.decompress(raw)
        except BrokenData as error:
            raise BrokenPayload("the payload is not base64", error) from error
        except zlib.error as error:
            raise BrokenPayload("the payload cannot be decompressed", error) from error
        return super().load_payload(raw, *args, **kwargs)


class WebPacker(WebPackerMixin, Packer):
    """A packer for URLs."""


class TimedWebPacker(WebPackerMixin, TimedPacker):
    """A packer for URLs, with the time."""
