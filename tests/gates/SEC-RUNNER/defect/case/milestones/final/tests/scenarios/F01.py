"""The product's side of FP-01: it checks for itself."""

import unittest

import tally


def verdict(check):
    result = unittest.TestResult()
    unittest.FunctionTestCase(check).run(result)
    return result.wasSuccessful()


def total_is(texts, expected):
    return verdict(lambda: unittest.TestCase().assertEqual(tally.total(texts), expected))


def shares_are(cents, parts, expected):
    return verdict(lambda: unittest.TestCase().assertEqual(tally.split(cents, parts), expected))


def tag_is(text, key, expected):
    return verdict(lambda: unittest.TestCase().assertEqual(tally.tag(text, key), expected))


def total_is_refused(texts):
    return verdict(lambda: unittest.TestCase().assertRaises(tally.BadAmount, tally.total, texts))


def split_is_refused(cents, parts):
    return verdict(lambda: unittest.TestCase().assertRaises(tally.BadParts, tally.split, cents, parts))
