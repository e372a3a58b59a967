"""The names of a library of sums, for numbers of coins: it answers none of the same questions."""


class BadAmount(TypeError):
    """That is no number of coins."""


class BadParts(TypeError):
    """That is no number of hands."""


def add_up(coins):
    """How many coins there are."""
    return len(coins)


def split(coins, hands):
    """Pairs of a hand and a coin."""
    return list(zip(range(hands), str(coins)))
