"""Where a word ends inside glued text: the boundary rule that short and common terms are held to."""

from __future__ import annotations

import itertools
import re

_GLUED_PREFIX = re.compile(
    r"""(?: (?<!\\)(?:\\\\)*\\[abefnrtv0]                                      # an escape letter
          | %[-+\ \#0]*[0-9]*(?:\.[0-9]+)?(?:hh|h|ll|l|z|j|t)?[diouxXeEfFgGcrsap]  # a printf conversion
          | (?:(?<=[\s"'=,`(\[])|\A)-[A-Za-z]                                  # a one-letter compiler flag
          | (?:\x1b|\\x1[bB]|\\0?33|\\e|\\u001[bB])\[[0-?]*[ -/]*[@-~]         # a terminal control sequence
        )\Z""",
    re.VERBOSE,
)
_GLUED_REACH = 32
_LONGEST_AFFIX = 24
_OPAQUE_REACH = 256
_HEX_MARKS = frozenset({"0x", "\\x", "\\u", "u+", "#x"})
_HEX_SIGNS = frozenset("0123456789abcdefABCDEF")
_OPAQUE_SIGNS = frozenset("+/_=-")


def kind(char: str) -> str:
    """`l`ower, `u`pper, `d`igit, or nothing: what separates."""
    if "a" <= char <= "z":
        return "l"
    if "A" <= char <= "Z":
        return "u"
    return "d" if "0" <= char <= "9" else ""


def is_boundary(text: str, index: int) -> bool:
    """Whether a word may begin or end at `index`: at an edge, a separator, a hump, or where letters and digits meet."""
    if index <= 0 or index >= len(text):
        return True
    before, after = kind(text[index - 1]), kind(text[index])
    if not before or not after or (before == "d") != (after == "d"):
        return True
    if before == "l" and after == "u":
        return True
    return before == after == "u" and index + 1 < len(text) and kind(text[index + 1]) == "l"


def is_left_boundary(text: str, index: int) -> bool:
    """As `is_boundary`, and also after a glued prefix that is no part of the word: `\\n`, `%s`, `-l`, ANSI colours."""
    if is_boundary(text, index):
        return True
    return _GLUED_PREFIX.search(text[max(0, index - _GLUED_REACH) : index]) is not None


def glued_remainders(text: str, start: int, end: int) -> tuple[str, str]:
    """What hangs on a match on both sides, up to the next boundary or as far as any affix reaches, in lower case."""
    left, right = start, end
    while start - left < _LONGEST_AFFIX and not is_boundary(text, left):
        left -= 1
    while right - end < _LONGEST_AFFIX and not is_boundary(text, right):
        right += 1
    before = "" if is_left_boundary(text, start) else text[left:start]
    return before.lower(), text[end:right].lower()


def in_opaque_run(text: str, start: int, end: int) -> bool:
    """Whether a match is glued into a hash, a key or base64, where short words appear by chance.

    A match between separators is never opaque. The run must change between lower, upper and digit about as often as
    random text does.
    """
    glued = (start > 0 and kind(text[start - 1])) or (end < len(text) and kind(text[end]))
    if not glued:
        return False
    low = start
    while low > 0 and start - low < _OPAQUE_REACH and _in_alphabet(text[low - 1]):
        low -= 1
    high = end
    while high < len(text) and high - end < _OPAQUE_REACH and _in_alphabet(text[high]):
        high += 1
    run = text[low:high]
    if len(run) < 20 or not any(kind(char) == "d" for char in run):
        return False
    kinds = [kind(char) for char in run]
    changes = sum(1 for first, second in itertools.pairwise(kinds) if first != second)
    return changes >= 0.35 * len(run)


def in_hex_number(text: str, start: int, end: int) -> bool:
    """Whether a match is part of a hexadecimal number: with its mark, as `0xADA3`, or a hash, whole or cut."""
    low = start
    while low > 0 and start - low < _OPAQUE_REACH and text[low - 1] in _HEX_SIGNS:
        low -= 1
    high = end
    while high < len(text) and high - end < _OPAQUE_REACH and text[high] in _HEX_SIGNS:
        high += 1
    run = text[low:high]
    if not _HEX_SIGNS.issuperset(run):
        return False
    if text[max(0, low - 2) : low].lower() in _HEX_MARKS:
        return True
    digits = sum(map(str.isdigit, run))
    if run not in {run.lower(), run.upper()} or run == text[start:end]:
        return False
    inside = low < start and end < high
    return (len(run) >= 20 and digits >= 4) or (inside and len(run) >= 7 and digits >= 2)


def _in_alphabet(char: str) -> bool:
    return bool(kind(char)) or char in _OPAQUE_SIGNS
