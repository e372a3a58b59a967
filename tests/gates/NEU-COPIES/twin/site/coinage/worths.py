"""Worths by fractions: another way to the same end, which shares no line with the product."""

from fractions import Fraction

PLACES = 2


class Purse:
    """Coins that were put in."""

    def __init__(self):
        self.inside = []

    def put(self, coin):
        if not coin.strip("-0123456789."):
            self.inside.append(Fraction(coin))
        return self

    def written(self, places=PLACES):
        return "%.*f" % (places, float(sum(self.inside)))


def deal(purse, hands):
    """A purse for each hand."""
    dealt = [Purse() for _ in hands]
    for number, coin in enumerate(sorted(purse.inside, reverse=True)):
        dealt[number % len(dealt)].inside.append(coin)
    return dict(zip(hands, dealt))
