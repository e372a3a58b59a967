"""One line of a shell as command lines. Nothing is run."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

_LONGEST = 20_000


def shell_commands(line: str) -> Iterator[list[str]]:
    """The command lines in one line of a shell, each as words."""
    try:
        lexer = shlex.shlex(line[:_LONGEST], posix=True, punctuation_chars=";&|()`")
        lexer.whitespace_split = True
        words = list(lexer)
    except ValueError:
        words = line[:_LONGEST].replace('"', " ").replace("'", " ").split()
    command: list[str] = []
    for word in words:
        if word and all(char in ";&|()`" for char in word):
            yield command
            command = []
        else:
            command.append(word)
    yield command
