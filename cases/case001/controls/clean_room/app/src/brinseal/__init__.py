"""brinseal: seal values with a secret key and notice when they were changed."""

from .encoding import as_bytes, base64_decode, base64_encode
from .errors import BrokenData, BrokenSeal
from .algorithms import HmacAlgorithm, NullAlgorithm
from .sealer import Sealer

__all__ = [
    "BrokenData",
    "BrokenSeal",
    "HmacAlgorithm",
    "NullAlgorithm",
    "Sealer",
    "as_bytes",
    "base64_decode",
    "base64_encode",
]
