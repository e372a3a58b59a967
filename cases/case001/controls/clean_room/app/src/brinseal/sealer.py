"""Sealing of text and bytes, and the algorithms that make signatures."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable
from typing import Any

from .encoding import as_bytes, base64_decode, base64_encode
from .errors import BrokenData, BrokenSeal

# A separator must not be readable as a stretch of this.
_SIGNATURE_BYTES = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_="


def key_list(secret_key: str | bytes | Iterable[str] | Iterable[bytes]) -> list[bytes]:
    """A fresh list of all secret keys as bytes, in the order given."""
    if isinstance(secret_key, (str, bytes, bytearray, memoryview)):
        return [as_bytes(secret_key)]
    return [as_bytes(key) for key in secret_key]


class SealAlgorithm:
    """Base of signature algorithms: a subclass defines ``get_signature``."""

    def get_signature(self, key: bytes, value: bytes) -> bytes:
        raise NotImplementedError

    def verify_signature(self, key: bytes, value: bytes, sig: bytes) -> bool:
        return hmac.compare_digest(self.get_signature(key, value), sig)


class NullAlgorithm(SealAlgorithm):
    """Signs with nothing at all."""

    def get_signature(self, key: bytes, value: bytes) -> bytes:
        return b""


class HmacAlgorithm(SealAlgorithm):
    """Signs with an HMAC."""

    default_digest_method: Any = hashlib.sha1

    def __init__(self, digest_method: Any = None) -> None:
        # Read from the class: a plain function set there must not get bound.
        if digest_method is None:
            digest_method = type(self).default_digest_method
        self.digest_method = digest_method

    def get_signature(self, key: bytes, value: bytes) -> bytes:
        return hmac.new(key, value, self.digest_method).digest()


class Sealer:
    """Seals values with the newest secret key, takes back those of any key."""

    default_key_derivation: str = "infix-concat"
    default_digest_method: Any = hashlib.sha1

    def __init__(
        self,
        secret_key: str | bytes | Iterable[str] | Iterable[bytes],
        salt: str | bytes | None = b"brinseal.Sealer",
        sep: str | bytes = b".",
        key_derivation: str | None = None,
        digest_method: Any = None,
        algorithm: SealAlgorithm | None = None,
    ) -> None:
        defaults = type(self)
        self.secret_keys: list[bytes] = key_list(secret_key)
        self.salt: bytes = b"brinseal.Sealer" if salt is None else as_bytes(salt)
        self.sep: bytes = as_bytes(sep)
        if self.sep in _SIGNATURE_BYTES:  # so is the empty one
            raise ValueError("this separator could be mistaken for a part of a signature")
        if key_derivation is None:
            key_derivation = defaults.default_key_derivation
        self.key_derivation: str = key_derivation
        if digest_method is None:
            digest_method = defaults.default_digest_method
        self.digest_method: Any = digest_method
        if algorithm is None:
            algorithm = HmacAlgorithm(digest_method)
        self.algorithm: SealAlgorithm = algorithm

    @property
    def secret_key(self) -> bytes:
        """The newest secret key."""
        return self.secret_keys[-1]

    def derive_key(self, secret_key: str | bytes | None = None) -> bytes:
        """The key that signs, made from the salt and a secret key."""
        secret = self.secret_key if secret_key is None else as_bytes(secret_key)
        way = self.key_derivation
        if way == "infix-concat":
            return self.digest_method(self.salt + b"sealer" + secret).digest()
        if way == "concat":
            return self.digest_method(self.salt + secret).digest()
        if way == "hmac":
            return hmac.new(secret, self.salt, self.digest_method).digest()
        if way == "none":
            return secret
        raise TypeError(f"there is no key derivation {way!r}")

    def get_signature(self, value: str | bytes) -> bytes:
        """Signature of a value under the newest secret key, in base64."""
        covered = as_bytes(value)
        return base64_encode(self.algorithm.get_signature(self.derive_key(), covered))

    def verify_signature(self, value: str | bytes, sig: str | bytes) -> bool:
        """Whether a signature in base64 is right under any of the secret keys."""
        covered = as_bytes(value)
        try:
            raw = base64_decode(sig)
        except BrokenData:
            return False
        return any(
            self.algorithm.verify_signature(self.derive_key(secret), covered, raw)
            for secret in reversed(self.secret_keys)
        )

    def seal(self, value: str | bytes) -> bytes:
        """The value, the separator and the signature."""
        covered = as_bytes(value)
        return covered + self.sep + self.get_signature(covered)

    def unseal(self, signed_value: str | bytes) -> bytes:
        """The value of a sealed value whose signature is right."""
        covered, right = self._inspect(signed_value)
        if not right:
            raise BrokenSeal("the signature is not right", covered)
        return covered

    def validate(self, signed_value: str | bytes) -> bool:
        """Whether ``unseal`` would return a value."""
        try:
            self.unseal(signed_value)
        except BrokenSeal:
            return False
        return True

    def _inspect(self, signed_value: str | bytes) -> tuple[bytes, bool]:
        """What the signature covers, and whether the signature is right."""
        covered, found, sig = as_bytes(signed_value).rpartition(self.sep)
        if not found:
            raise BrokenSeal("there is no separator and so no signature")
        return covered, self.verify_signature(covered, sig)
