"""Products and scenarios from text, in any language, and a product sandbox to call them in."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from environments.interface import Sandbox
from judge.bundle_lib import copy_lib
from judge.harness.seen import Seen, read_seen
from judge.product import Product
from taskpack.verdict import Judged, NodeResult, Verdict
from taskpack.wire.messages import Reply
from taskpack.wire.requests import Clock
from taskpack.wire.values import Body, encode_args


@dataclass(frozen=True)
class Caller:
    """A started product sandbox."""

    product: Product

    def call(self, name: str, *, limit_s: float = 30.0, now: Clock | None = None, **args: Any) -> Seen:
        """Call a scenario."""
        reply, body = self.ask(name, limit_s=limit_s, now=now, **args)
        return read_seen(reply, body)

    def ask(self, name: str, *, limit_s: float = 30.0, now: Clock | None = None, **args: Any) -> tuple[Reply, bytes]:
        """The same as it came: its wire values, and the body."""
        body = Body()
        answer = self.product.call(name, encode_args(args, body), body=body.to_bytes(), limit_s=limit_s, now=now)
        return answer.reply, answer.body


@contextmanager
def called(
    folder: Path,
    sandbox: Sandbox,
    site: Path,
    language: str,
    *,
    scenarios: Mapping[str, str],
    workspace: Mapping[str, str],
    product_paths: tuple[str, ...] = (".",),
    clock: Path | None = None,
    without: Mapping[str, str] | None = None,
) -> Iterator[Caller]:
    """A sandbox with these scenario files and these files of the product.

    `without` lifts a defence: it replaces texts in the pack's own source, each of which must be there.
    """
    suite, app = folder / "suite", folder / "app"
    write(app, workspace)
    write(suite / "scenarios", scenarios)
    copy_lib(suite, language)
    pack = suite / "_lib" / "environments" / "languages" / language
    for text, other in (without or {}).items():
        sources = [path for path in pack.glob("driver_*.py") if text in path.read_text()]
        assert len(sources) == 1, f"the defence {text!r} has another text now"
        sources[0].write_text(sources[0].read_text().replace(text, other))
    with Product(
        sandbox=sandbox,
        workspace=app,
        lib=suite / "_lib",
        scenarios=suite / "scenarios",
        product_paths=product_paths,
        language=language,
        site=site,
        clock=clock,
    ) as product:
        yield Caller(product)


def write(folder: Path, files: Mapping[str, str]) -> None:
    """Write these files below `folder`."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


DATA = Path(__file__).parents[2] / "data" / "judge"


def suite_of(name: str, language: str, dest: Path) -> Path:
    """The suite of that name in the test data, with its library."""
    shutil.copytree(DATA / name / "suite", dest)
    copy_lib(dest / "tests", language)
    return dest


def changed(name: str, dest: Path, file: str, text: str, other: str) -> Path:
    """The workspace of that name with one text in it replaced."""
    shutil.copytree(DATA / name / "workspace", dest)
    return replaced(dest, file, text, other)


def replaced(workspace: Path, file: str, text: str, other: str) -> Path:
    """The workspace, in which a text that is there once is another one now."""
    source = (workspace / file).read_text()
    assert source.count(text) == 1, f"{text!r} is there {source.count(text)} times"
    (workspace / file).write_text(source.replace(text, other))
    return workspace


def fallen(verdict: Verdict) -> set[str]:
    """Nodes that did not pass, of a verdict of 0."""
    assert (verdict.outcome, verdict.reward) == (Judged.JUDGED, 0), verdict
    return {node.id for node in verdict.nodes if node.result is not NodeResult.PASSED}
