"""Ledgers built from their answer."""

from decimal import Decimal


def ledger(inputs, names=3, lines=8):
    """Text, and the sum of each name."""
    people = [inputs.word(6) for _ in range(names)]
    sums = {}
    rows = []
    for _ in range(lines):
        name, amount = inputs.choice(people), Decimal(inputs.integer(-9999, 9999)) / 100
        sums[name] = sums.get(name, Decimal(0)) + amount
        rows.append(f"{name} {amount}")
    return "\n".join(rows), sums
