"""The ways from a salt and a secret key to the derived key."""

from .algorithms import raw_hmac

_INFIX = b"sealer"


def derive(name, salt, secret_key, digest_method):
    """Return the derived key under the derivation called ``name``.

    A name that is not known is refused with ``TypeError``.
    """
    if name == "infix-concat":
        return digest_method(salt + _INFIX + secret_key).digest()
    if name == "concat":
        return digest_method(salt + secret_key).digest()
    if name == "hmac":
        return raw_hmac(secret_key, salt, digest_method)
    if name == "none":
        return secret_key
    raise TypeError(f"unknown key derivation: {name!r}")
