"""brinseal: seal values with a secret key and notice when they were changed."""

from .clock import ClockSealer
from .encoding import as_bytes, base64_decode, base64_encode
from .errors import (
    BrokenData,
    BrokenHeader,
    BrokenPayload,
    BrokenSeal,
    BrokenTimeSeal,
    SealExpired,
)
from .packer import Packer
from .sealer import HmacAlgorithm, NullAlgorithm, Sealer
from .timed import TimedPacker
from .url_safe import TimedWebPacker, WebPacker

__all__ = [
    "BrokenData",
    "BrokenHeader",
    "BrokenPayload",
    "BrokenSeal",
    "BrokenTimeSeal",
    "ClockSealer",
    "HmacAlgorithm",
    "NullAlgorithm",
    "Packer",
    "SealExpired",
    "Sealer",
    "TimedPacker",
    "TimedWebPacker",
    "WebPacker",
    "as_bytes",
    "base64_decode",
    "base64_encode",
]
