"""Texts for a shelf."""


def words(inputs, count=4):
    """Names that differ."""
    return sorted({inputs.word(6) for _ in range(count)})


def lines(inputs, count=5):
    return [inputs.text(9) for _ in range(count)]


def text(rows):
    return "".join(f"{row}\n" for row in rows).encode()


def end(seen):
    """How a program ended, and what it had said: a cause shows the first that differs."""
    return seen.outcome, seen.stdout, seen.exit
