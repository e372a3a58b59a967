"""Money as decimal numbers, shares and keyed tags."""

import decimal
import hashlib
import hmac
import re


class BadAmount(ValueError):
    pass


class BadParts(ValueError):
    pass


def total(texts):
    amounts = []
    for text in texts:
        if not re.fullmatch(r"-?[0-9]+(\.[0-9]{1,2})?", text):
            raise BadAmount(text)
        amounts.append(decimal.Decimal(text))
    return str(sum(amounts, decimal.Decimal("0.00")) + 0)


def split(cents, parts):
    if parts < 1:
        raise BadParts(parts)
    return sorted(((cents + place) // parts for place in range(parts)), reverse=True)


def tag(text, key):
    return hmac.HMAC(key, text.encode(), hashlib.sha256).hexdigest()
