"""Money by decimals: no line of it is the product's, and it answers the same."""

import re
from decimal import Decimal

_AMOUNT = re.compile(r"-?[0-9]+([.][0-9]{1,2})?")


class BadAmount(ValueError):
    """It is written in another way."""


class BadParts(ValueError):
    """Nobody is there to take a part."""


def add_up(amounts):
    wrong = [amount for amount in amounts if not _AMOUNT.fullmatch(amount)]
    if wrong:
        raise BadAmount(wrong[0])
    return format(sum(map(Decimal, amounts), Decimal()).quantize(Decimal("0.01")), "f")


def split(sum_of_all, people):
    if people <= 0:
        raise BadParts(people)
    dealt = [0] * people
    for coin in range(sum_of_all):
        dealt[coin % people] += 1
    return dealt
