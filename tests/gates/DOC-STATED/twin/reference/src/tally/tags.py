"""Keyed tags."""

import hmac


def tag(text, key, digest="sha256"):
    """The tag of a text under a key, in hexadecimal."""
    mac = hmac.new(key, text.encode("utf-8"), digest)
    return mac.hexdigest()
