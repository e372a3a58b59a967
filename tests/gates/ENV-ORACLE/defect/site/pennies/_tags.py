"""Keyed tags."""

import hmac


def tag(text, key):
    """The tag of a text under a key, in hexadecimal."""
    mac = hmac.new(key, text.encode("utf-8"), "sha256")
    return mac.hexdigest()
