"""Jinja2 over `templates/`: the one way in which text is made from data."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

CHECKOUT = Path(__file__).resolve().parents[1]
"""The root of this checkout: Repowright runs from it, with `templates/` and `tests/gates/` beside the code."""


@cache
def _templates() -> Environment:
    templates = Environment(
        loader=FileSystemLoader(CHECKOUT / "templates"),
        undefined=StrictUndefined,
        autoescape=False,  # noqa: S701 (Markdown for people and models, no HTML)
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    templates.filters["ticked"] = lambda text: f"`{text}`"
    return templates


def render(name: str, **values: object) -> str:
    """Render `templates/<name>`. A value that is missing raises; nothing is escaped."""
    return _templates().get_template(name).render(**values)
