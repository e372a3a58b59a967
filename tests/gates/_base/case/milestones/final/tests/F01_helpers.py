"""Oracles and generators of FP-01."""

import hashlib
import hmac


def as_text(cents):
    return f"{cents // 100}.{cents % 100:02d}"


def tag_by_hand(text, key):
    return hmac.new(key, text.encode("utf-8"), hashlib.sha256).hexdigest()
