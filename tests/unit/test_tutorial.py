"""Commands in the tutorial exist with their flags, and the reasons that it names are ours."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
import typer.main

from flows.main import app
from flows.order_page import decisions
from taskpack.outcome import Reason

PAGES = ("docs/tutorial.md", "README.md")


def commands(text: str) -> list[str]:
    """Indented lines and words between ticks that start with the program's name."""
    found = re.findall(r"(?m)^ {4}(?:\.venv/bin/)?(repowright [^#\n]+)", text) + re.findall(
        r"`(repowright [^`]+)`", text
    )
    return [line.strip() for line in found]


@pytest.mark.parametrize("page", PAGES)
def test_every_command_that_is_shown_parses(checkout: Path, page: str) -> None:
    shown = commands((checkout / page).read_text())
    assert len(shown) > 5
    for line in shown:
        _parse(shlex.split(line)[1:])


def _parse(words: list[str]) -> None:
    """Raises for a command that is unknown, and for arguments that it does not take. A bare name is only looked up."""
    named_alone = len(words) < 2
    command = typer.main.get_command(app)
    while (
        words and (known := getattr(command, "commands", None)) and (words[0] in known or not words[0].startswith("-"))
    ):
        command, words = known[words[0]], words[1:]
    if not named_alone:
        command.make_context("repowright", words)


def test_reasons_in_the_tutorial_are_reasons(checkout: Path) -> None:
    rows = [line for line in (checkout / "docs/tutorial.md").read_text().splitlines() if line.startswith("| `")]
    named = {word for row in rows for word in re.findall(r"`([a-z-]+)`", row.split("|")[2])}
    assert named
    assert named <= {str(reason) for reason in Reason}


def test_the_fields_that_the_tutorial_says_are_open_are_those_of_the_shown_order(checkout: Path) -> None:
    text = (checkout / "docs/tutorial.md").read_text()
    order = text.split("```toml\n# A task from", 1)[1].split("```", 1)[0]
    said = re.search(r"(?m)^  decide +(.*)$", text)
    assert said is not None
    assert said[1].split(", ") == list(decisions(f"# A task from{order}"))
