"""The class ``Sealer``, and the base class for signature algorithms."""

import hashlib

from .algorithms import HmacAlgorithm, NullAlgorithm, SealAlgorithm
from .derivation import derive
from .encoding import URLSAFE_ALPHABET, as_bytes, base64_decode, base64_encode
from .errors import BrokenData, BrokenSeal

__all__ = ["HmacAlgorithm", "NullAlgorithm", "SealAlgorithm", "Sealer"]

_DEFAULT_SALT = b"brinseal.Sealer"

# No separator may be a piece of these bytes, in this order.
_UNFIT_FOR_SEPARATOR = URLSAFE_ALPHABET + b"="


def _key_list(secret_key):
    """Return one key, or an iterable of keys, as a new list of bytes."""
    if isinstance(secret_key, (str, bytes)):
        return [as_bytes(secret_key)]
    return [as_bytes(key) for key in secret_key]


class Sealer:
    """Seals values with a secret key and takes them back.

    ``secret_key`` is one text or bytes, or an iterable of them from oldest to
    newest. The newest key seals; all of them are accepted when checking.
    """

    #: Key derivation that holds when none is given.
    default_key_derivation = "infix-concat"

    #: Hash constructor that holds when none is given.
    default_digest_method = staticmethod(hashlib.sha1)

    def __init__(
        self,
        secret_key,
        salt=_DEFAULT_SALT,
        sep=b".",
        key_derivation=None,
        digest_method=None,
        algorithm=None,
    ):
        self.secret_keys = _key_list(secret_key)
        self.salt = _DEFAULT_SALT if salt is None else as_bytes(salt)
        self.sep = as_bytes(sep)
        if self.sep in _UNFIT_FOR_SEPARATOR:  # true of the empty one as well
            raise ValueError("the separator is empty or could be part of a signature")
        if key_derivation is None:
            key_derivation = type(self).default_key_derivation
        self.key_derivation = key_derivation
        if digest_method is None:
            # On the class, lest a plain function become a bound method.
            digest_method = type(self).default_digest_method
        self.digest_method = digest_method
        if algorithm is None:
            algorithm = HmacAlgorithm(self.digest_method)
        self.algorithm = algorithm

    @property
    def secret_key(self):
        """The newest secret key; ``IndexError`` when there is none."""
        return self.secret_keys[-1]

    def derive_key(self, secret_key=None):
        """Return the key derived from ``secret_key``, by default the newest."""
        key = self.secret_key if secret_key is None else as_bytes(secret_key)
        return derive(self.key_derivation, self.salt, key, self.digest_method)

    def get_signature(self, value):
        """Return the signature of ``value`` under the newest secret key."""
        value = as_bytes(value)
        return base64_encode(self.algorithm.get_signature(self.derive_key(), value))

    def seal(self, value):
        """Return the value, the separator and the signature, joined."""
        value = as_bytes(value)
        return value + self.sep + self.get_signature(value)

    def verify_signature(self, value, sig):
        """Tell whether ``sig`` is right for ``value`` under any secret key."""
        value = as_bytes(value)
        try:
            raw = base64_decode(sig)
        except BrokenData:
            return False
        return any(
            self.algorithm.verify_signature(self.derive_key(key), value, raw)
            for key in reversed(self.secret_keys)
        )

    def unseal(self, signed_value):
        """Return the value's bytes once its signature has been found right.

        ``BrokenSeal`` is raised when the signature is missing or not right.
        """
        value, sep, sig = as_bytes(signed_value).rpartition(self.sep)
        if not sep:
            raise BrokenSeal(f"the separator {self.sep!r} does not occur")
        if not self.verify_signature(value, sig):
            raise BrokenSeal("the signature does not match the value", payload=value)
        return value

    def validate(self, signed_value):
        """Tell whether ``unseal`` would return a value."""
        try:
            self.unseal(signed_value)
        except BrokenSeal:
            return False
        return True
