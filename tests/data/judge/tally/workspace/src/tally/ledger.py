"""Lines in, sums out."""

import json
from decimal import Decimal, InvalidOperation


class BadLine(ValueError):
    """A line that is not `name amount`; `number` counts from 1."""

    def __init__(self, number, line):
        super().__init__(f"line {number} is not a name and an amount")
        self.number = number
        self.line = line


class Ledger:
    def __init__(self, rows):
        self.rows = rows

    def to_json(self):
        return json.dumps([[name, str(amount)] for name, amount in self.rows])


def parse(text):
    rows = []
    for number, line in enumerate(text.splitlines(), 1):
        name, _, amount = line.rpartition(" ")
        try:
            rows.append((name, Decimal(amount)))
        except InvalidOperation:
            raise BadLine(number, line) from None
        if not name:
            raise BadLine(number, line)
    return Ledger(rows)


def total(text):
    sums = {}
    for name, amount in parse(text).rows:
        sums[name] = sums.get(name, Decimal(0)) + amount
    return sums
