"""Exit codes of commands that answered. Faults have theirs in `taskpack.errors`."""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    DONE = 0
    NO = 1
    """The answer is no: rejected, reward 0, a gate failed, a self-test row failed."""
    WAITING = 3
    """Replies are wanted: see `repowright inbox`."""
    UNJUDGED = 14
    """The machinery broke outside the candidate: no reward."""
    UNDECIDED = 20
    """An audit found only places that a person has to decide on."""
    UNREAD = 21
    """An audit could not read everything."""
    UNKNOWING = 22
    """An audit found nothing, and did not know what to look for."""


MEANINGS = {
    0: "done; the answer is yes (released, reward 1, all checks pass, neutral)",
    1: "done; the answer is no (rejected, reward 0, a check fails, it names its source)",
    2: "bad input: a flag, file or value cannot be used",
    3: "waiting for replies: see `repowright inbox`",
    4: "a stored record cannot be read",
    5: "a registry or repository did not answer; try again",
    6: "what arrived is not what was pinned",
    7: "no sandbox passes its self-probe here; nothing was run",
    8: "a sandbox broke for a reason outside the code in it; try again",
    9: "the disk is full; finished work is kept",
    10: "another run holds the case",
    11: "the replay store has no such reply",
    12: "an environment could not be built",
    13: "the Prefect server did not start, did not answer, or went away; finished stages are kept",
    14: "the machinery broke while judging: no reward",
    15: "no key for the model's vendor, or it was refused",
    16: "the model's vendor did not answer or is overloaded; try again",
    17: "the model's vendor or the model refused a request, or its reply was cut",
    18: "a budget of the order is reached; finished work is kept",
    19: "the result could not be written to standard output; run again",
    20: "an audit needs decisions: nothing names the source for certain",
    21: "an audit is incomplete: something was not scanned, and nothing else names the source",
    22: "an audit knew nothing of the source and found nothing: that is not neutral",
    70: "a bug in Repowright; a log was written",
    129: "stopped with SIGHUP: the terminal was closed; finished stages are kept",
    130: "stopped with Ctrl-C; finished stages are kept",
    143: "stopped with SIGTERM; finished stages are kept",
}
"""Every exit code, for the README and for a test that compares both with the code."""
