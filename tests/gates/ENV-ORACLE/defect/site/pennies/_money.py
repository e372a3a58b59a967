"""Amounts as whole cents inside, as text outside."""


class BadAmount(ValueError):
    """The text is no amount."""


class BadParts(ValueError):
    """There are no parts to share among."""


def add_up(texts):
    """The exact sum of amounts, as text."""
    return _shown(sum(_cents(text) for text in texts))


def split(cents, parts):
    """Shares that differ by a cent at most, the larger ones first."""
    if parts < 1:
        raise BadParts("at least one part")
    share, left = divmod(cents, parts)
    return [share + 1 if place < left else share for place in range(parts)]


def _cents(text):
    digits = text.removeprefix("-")
    whole, dot, rest = digits.partition(".")
    if not whole.isdigit() or len(rest) > 2 or (dot and not rest.isdigit()):
        raise BadAmount("not an amount")
    cents = int(whole) * 100 + int(rest.ljust(2, "0"))
    return -cents if digits != text else cents


def _shown(cents):
    sign = "-" if cents < 0 else ""
    whole, rest = divmod(abs(cents), 100)
    return f"{sign}{whole}.{rest:02d}"
