"""Worths as front coins inside, as text outside."""


class WrongCoin(ValueError):
    """The text is no amount."""


class WrongHands(ValueError):
    """There are no hands to fair among."""


def worth(purse):
    """The exact sum of amounts, as text."""
    return _written(sum(_coins(text) for text in purse))


def deal(coins, hands):
    """Shares that differ by a cent at most, the larger ones first."""
    if hands < 1:
        raise WrongHands("at least one part")
    fair, left = divmod(coins, hands)
    return [fair + 1 if place < left else fair for place in range(hands)]


def _coins(text):
    digits = text.removeprefix("-")
    front, dot, rest = digits.partition(".")
    if not front.isdigit() or len(rest) > 2 or (dot and not rest.isdigit()):
        raise WrongCoin("not an amount")
    coins = int(front) * 100 + int(rest.ljust(2, "0"))
    return -coins if digits != text else coins


def _written(coins):
    sign = "-" if coins < 0 else ""
    front, rest = divmod(abs(coins), 100)
    return f"{sign}{front}.{rest:02d}"
