"""Go products and scenarios from text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from environments.interface import Sandbox
from tests.integration.languages.suites import Caller, called

MODULE = "module suite\n\ngo 1.24\n\nrequire shop v0.0.0\n"
PRODUCT = {"go.mod": "module shop\n\ngo 1.24\n", "shop.go": "package shop\n"}


@contextmanager
def started(
    folder: Path,
    sandbox: Sandbox,
    site: Path,
    scenarios: str,
    workspace: Mapping[str, str] | None = None,
    *,
    without: Mapping[str, str] | None = None,
) -> Iterator[Caller]:
    """A sandbox with this scenario file and these files of the product; `without` lifts a defence of the build."""
    files = {"go.mod": MODULE, "F01.go": scenarios}
    product = {**PRODUCT, **(workspace or {})}
    with called(folder, sandbox, site, "go", scenarios=files, workspace=product, without=without) as caller:
        yield caller
