"""What a call of a JavaScript product costs, against Node alone: `python -m benchmarks.node [--rounds N]`.

Product sandboxes take turns, so that a noisy machine does them the same wrong: an empty program started with
`run`, a call of a product in JavaScript, the same in TypeScript, and that again with types taken away in each call and
not once. Told are medians over rounds, of wall clock and of processor time of the op's own process and its fork.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path

from benchmarks.judge import driver_processes, processor_time
from environments.build import build
from environments.choose import Backend, choose_sandbox
from environments.interface import Sandbox
from environments.languages.javascript.toolchain import toolchain_recipe
from flows.settings import resolve
from judge.bundle_lib import copy_lib
from judge.connection import Answer
from judge.product import Product
from taskpack.wire.requests import Request
from taskpack.wire.values import Body, encode_args

PRODUCTS = {
    "js": "export function asked(value) { return value; }\n",
    "ts": "export function asked<T>(value: T): T { return value; }\n",
}
_STRIPS = Path("environments/languages/javascript/driver_strip.py")
_SOME, _NONE = "_FILES_CAP = 2000\n", "_FILES_CAP = 0\n"
SCENARIO = (
    'import { asked } from "shop";\nexport function ask({ value }: { value: unknown }) { return asked(value); }\n'
)
_CALLS = 5
"""In a round."""


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.node")
    parser.add_argument("--rounds", type=int, default=20, help=f"of {_CALLS} calls of each kind")
    parser.add_argument("--backend", type=Backend, default=Backend.LOCAL)
    options = parser.parse_args(argv)
    settings = resolve(cases=None, work=None)
    sandbox = choose_sandbox(settings.work, options.backend)
    made = build(toolchain_recipe(python=sandbox.python), work=settings.work, sandbox=sandbox)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="repowright-bench-")))
        folder.chmod(0o755)
        others = frozenset(driver_processes())
        products = {
            kind: stack.enter_context(_product(folder / kind, kind, sandbox, settings.work.root / made.folder))
            for kind in PRODUCTS
        }
        products["ts, in each"] = stack.enter_context(
            _product(folder / "each", "ts", sandbox, settings.work.root / made.folder, once=False)
        )
        asks: dict[str, Callable[[], Answer]] = {"Node alone": lambda: _start(products["js"])}
        asks |= {f"a call, {kind}": lambda product=product: _ask(product) for kind, product in products.items()}
        _measure(asks, options.rounds, others)
    return 0


def _product(folder: Path, ending: str, sandbox: Sandbox, site: Path, *, once: bool = True) -> Product:
    """`once`: whether the driver takes types away before the first call, as it does."""
    files = {
        "app/package.json": f'{{"type": "module", "exports": "./shop.{ending}"}}\n',
        f"app/shop.{ending}": PRODUCTS[ending],
        "app/empty.mjs": "",
        "scenarios/package.json": '{"dependencies": {"shop": "*"}}\n',
        "scenarios/F01.ts": SCENARIO,
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    copy_lib(folder, "javascript")
    if not once:
        pack = folder / "_lib" / _STRIPS
        left = pack.read_text().replace(_SOME, _NONE)
        assert left != pack.read_text()
        pack.write_text(left)
    return Product(
        sandbox=sandbox,
        workspace=folder / "app",
        lib=folder / "_lib",
        scenarios=folder / "scenarios",
        product_paths=["."],
        language="javascript",
        site=site,
    )


def _start(product: Product) -> Answer:
    own = {"argv": ["node", "/app/empty.mjs"]}
    return product.relay(Request(id=1, op="run", limit_s=30.0, seed=None, tree=None, now=None, own=own), b"")


def _ask(product: Product) -> Answer:
    body = Body()
    return product.call("ask", encode_args({"value": [1, "two"]}, body), body=body.to_bytes())


def _measure(asks: dict[str, Callable[[], Answer]], rounds: int, others: frozenset[int]) -> None:
    spent: dict[str, list[tuple[float, float]]] = {kind: [] for kind in asks}
    for number in range(rounds + 1):
        for kind, ask in asks.items():
            before, began = processor_time(others), time.monotonic()
            for _ in range(_CALLS):
                reply = ask().reply
                if reply.outcome != "returned" and reply.exit != 0:
                    raise SystemExit(f"{kind} came to {reply}")
            if number:  # the first round warms up
                used = processor_time(others)["op"] - before["op"]
                spent[kind].append(((time.monotonic() - began) * 1000 / _CALLS, used / 1000 / _CALLS))
    print(f"{rounds * _CALLS} of each; ms, medians of rounds of {_CALLS}\n{'':20}{'wall':>8}{'CPU':>8}")
    for kind, values in spent.items():
        walls, times = zip(*values, strict=True)
        print(f"{kind:20}{statistics.median(walls):8.1f}{statistics.median(times):8.1f}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
