"""Signature algorithms: raw signatures from a key and a value in bytes."""

import hashlib
import hmac


def raw_hmac(key, message, digest_method):
    """Return the raw HMAC of ``message`` under ``key``."""
    return hmac.new(key, message, digest_method).digest()


class SealAlgorithm:
    """Base of signature algorithms; subclasses define ``get_signature``."""

    def get_signature(self, key, value):
        """Return the raw signature of ``value`` under ``key``."""
        raise NotImplementedError("a signature algorithm must define get_signature")

    def verify_signature(self, key, value, sig):
        """Tell whether ``sig`` is the raw signature of ``value`` under ``key``."""
        return hmac.compare_digest(self.get_signature(key, value), sig)


class HmacAlgorithm(SealAlgorithm):
    """Signs with an HMAC."""

    #: Hash constructor that holds when none is given.
    default_digest_method = staticmethod(hashlib.sha1)

    def __init__(self, digest_method=None):
        if digest_method is None:
            # Looked up on the class, so that a plain function set by a
            # subclass is not turned into a bound method.
            digest_method = type(self).default_digest_method
        self.digest_method = digest_method

    def get_signature(self, key, value):
        """Return the raw HMAC of ``value`` keyed with ``key``."""
        return raw_hmac(key, value, self.digest_method)


class NullAlgorithm(SealAlgorithm):
    """Makes no signature at all: every raw signature is empty."""

    def get_signature(self, key, value):
        """Return ``b""`` for every key and value."""
        return b""
