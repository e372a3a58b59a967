"""The product's side of FP-01: it compares in constant time."""

import hmac

import tally


def total_is(texts, expected):
    return hmac.compare_digest(repr(tally.total(texts)), repr(expected))


def shares_are(cents, parts, expected):
    return hmac.compare_digest(repr(tally.split(cents, parts)), repr(expected))


def tag_is(text, key, expected):
    return hmac.compare_digest(repr(tally.tag(text, key)), repr(expected))


def total_is_refused(texts):
    try:
        shown = repr(tally.total(texts))
    except tally.BadAmount:
        shown = "refused"
    return hmac.compare_digest(shown, "refused")


def split_is_refused(cents, parts):
    try:
        shown = repr(tally.split(cents, parts))
    except tally.BadParts:
        shown = "refused"
    return hmac.compare_digest(shown, "refused")
