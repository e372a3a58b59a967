"""Tags by the construction that the standard describes."""

from hashlib import sha256

_BLOCK = 64


def tag(words, secret):
    if len(secret) > _BLOCK:
        secret = sha256(secret).digest()
    padded = secret + bytes(_BLOCK - len(secret))
    inner, outer = (bytes(mask ^ byte for byte in padded) for mask in (0x36, 0x5C))
    return sha256(outer + sha256(inner + words.encode()).digest()).hexdigest()
