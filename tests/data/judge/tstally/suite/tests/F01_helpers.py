"""Ledgers built from their answer."""


def ledger(inputs, names=3, lines=8):
    """Text, its rows in order, and the sum of each name."""
    people = [inputs.word(6) for _ in range(names)]
    rows = [(inputs.choice(people), inputs.integer(-9999, 9999)) for _ in range(lines)]
    sums = {}
    for name, amount in rows:
        sums[name] = sums.get(name, 0) + amount
    return text_of(rows), rows, sums


def text_of(rows):
    return "".join(f"{name} {amount}\n" for name, amount in rows)
