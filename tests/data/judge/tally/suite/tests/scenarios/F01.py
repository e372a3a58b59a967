import tally


def totals(text):
    return tally.total(text)


def rows(text):
    return tally.parse(text).rows


def as_json(text):
    return tally.parse(text).to_json()
