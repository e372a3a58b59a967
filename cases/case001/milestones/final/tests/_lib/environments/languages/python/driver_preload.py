"""Modules of the standard library that the driver loads once, so that a forked call does not pay for them.

Only modules whose import changes nothing and keeps nothing that two calls must not share: none with random state,
threads, locale, signal handlers or open files. With a module of such a name in the workspace every call is fresh.
"""

from __future__ import annotations

import importlib

PRELOADED = (
    "abc",
    "base64",
    "binascii",
    "calendar",
    "collections",
    "collections.abc",
    "contextlib",
    "copy",
    "dataclasses",
    "datetime",
    "decimal",
    "enum",
    "functools",
    "hashlib",
    "hmac",
    "inspect",
    "io",
    "itertools",
    "json",
    "math",
    "operator",
    "re",
    "string",
    "struct",
    "textwrap",
    "time",
    "types",
    "typing",
    "warnings",
)


def preload() -> None:
    """Import them all."""
    for name in PRELOADED:
        importlib.import_module(name)
