"""JavaScript products and scenarios from text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from environments.interface import Sandbox
from tests.integration.languages.suites import Caller, called

SUITE = {"package.json": '{"dependencies": {"shop": "*"}}'}
PRODUCT = {"package.json": '{"type": "module", "exports": "./shop.ts"}', "shop.ts": "export {};\n"}


@contextmanager
def started(
    folder: Path,
    sandbox: Sandbox,
    site: Path,
    scenarios: str | Mapping[str, str],
    workspace: Mapping[str, str] | None = None,
    *,
    clock: Path | None = None,
    without: Mapping[str, str] | None = None,
) -> Iterator[Caller]:
    """A sandbox with these scenario files, `F01.ts` where it is one text, and these files of the product."""
    files = {**SUITE, **({"F01.ts": scenarios} if isinstance(scenarios, str) else scenarios)}
    product = {**PRODUCT, **(workspace or {})}
    with called(
        folder, sandbox, site, "javascript", scenarios=files, workspace=product, clock=clock, without=without
    ) as caller:
        yield caller
