"""Texts built from their counts."""


def prose(inputs, lines=5):
    """Bytes, and their lines, words and size."""
    rows = [[inputs.text(inputs.integer(2, 9)) for _ in range(inputs.integer(0, 7))] for _ in range(lines)]
    data = "".join(" \t "[inputs.integer(0, 1) :].join(row) + "\n" for row in rows).encode()
    return data, (lines, sum(map(len, rows)), len(data))


def report(counts, *more, between=" "):
    """One line of output."""
    return between.join([*map(str, counts), *more]).encode() + b"\n"
