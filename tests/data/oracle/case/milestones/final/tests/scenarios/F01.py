"""The product's side of FP-01."""

import io

import tally


def table_of(text):
    return tally.parse(text)


def texts_of(text):
    return tally.parse(text, number=str)


def table_in(data):
    return tally.parse_file(io.BytesIO(data))
