"""The product's side of FP-01."""

import tally


def total_of(texts):
    return tally.total(texts)


def shares_of(cents, parts):
    return tally.split(cents, parts)


def tag_of(text, key):
    return tally.tag(text, key)


def cents_of(text):
    return tally.amounts._cents(text)
