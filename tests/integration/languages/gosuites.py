"""Go products and scenarios from text, and a product sandbox to call them in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from environments.interface import Sandbox
from judge.bundle_lib import copy_lib
from judge.harness.seen import Seen, read_seen
from judge.product import Product
from taskpack.wire.values import Body, encode_args

MODULE = "module suite\n\ngo 1.24\n\nrequire shop v0.0.0\n"
PRODUCT = {"go.mod": "module shop\n\ngo 1.24\n", "shop.go": "package shop\n"}


@dataclass(frozen=True)
class Caller:
    """A started product sandbox."""

    product: Product

    def call(self, name: str, *, limit_s: float = 30.0, **args: Any) -> Seen:
        """Call a scenario."""
        body = Body()
        answer = self.product.call(name, encode_args(args, body), body=body.to_bytes(), limit_s=limit_s)
        return read_seen(answer.reply, answer.body)


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
    """A sandbox with this scenario file and these files of the product.

    `without` lifts a defence: it replaces texts in the build's own source, each of which must be there.
    """
    suite, app = folder / "suite", folder / "app"
    write(app, {**PRODUCT, **(workspace or {})})
    write(suite / "scenarios", {"go.mod": MODULE, "F01.go": scenarios})
    copy_lib(suite, "go")
    build = suite / "_lib" / "environments" / "languages" / "go" / "driver_build.py"
    for text, other in (without or {}).items():
        source = build.read_text()
        assert text in source, f"the defence {text!r} has another text now"
        build.write_text(source.replace(text, other))
    with Product(
        sandbox=sandbox,
        workspace=app,
        lib=suite / "_lib",
        scenarios=suite / "scenarios",
        product_paths=["."],
        language="go",
        site=site,
    ) as product:
        yield Caller(product)


def write(folder: Path, files: Mapping[str, str]) -> None:
    """Write these files below `folder`."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
