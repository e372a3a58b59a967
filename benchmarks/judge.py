"""What judging costs: `python -m benchmarks.judge [--calls N] [--backend B] [--sizes N,N,...] [CASE]`.

One product sandbox with the case's stored right control. Wall clock and processor time of one call: of this process,
which is the broker; of the driver, which watches over the op; and of the op's own process together with its fork.
The calls of both kinds come in turns, so that a noisy machine does them the same wrong. Then one verdict of the case,
sandboxes a second, and verdicts of made suites of several sizes (`benchmarks/sized.py`), each told with its time for a
node and the peaks of memory.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from environments.choose import Backend, choose_sandbox
from environments.interface import Launch, Sandbox
from flows.bench import Court, court, recorded_bench, right_control
from flows.settings import resolve
from judge.bundle_lib import copy_lib
from judge.product import Product
from taskpack.layout import CaseFolder
from taskpack.suite import TestManifest
from taskpack.wire.values import Body, encode_args

SCENARIO = """
import {product}

def asked(value):
    return value
"""
_TICKS = os.sysconf("SC_CLK_TCK")
_ROUND = 20
_STARTS = 20
_SIZES = (100, 250, 1000, 5000)
_DRIVER = b"environments.driver.main"


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.judge")
    parser.add_argument("case", nargs="?", default="case001")
    parser.add_argument("--calls", type=int, default=400, help="of each kind")
    parser.add_argument("--sizes", type=_sizes, default=_SIZES, help="nodes of made suites, with commas between them")
    parser.add_argument("--backend", type=Backend, default=Backend.LOCAL)
    options = parser.parse_args(argv)
    settings = resolve(cases=None, work=None)
    case = settings.case(options.case)
    workspace = right_control(case)
    if workspace is None:
        print(f"{case.id} has no stored control that scores 1", file=sys.stderr)
        return 2
    sandbox = choose_sandbox(settings.work, options.backend)
    bench = court(recorded_bench(case), work=settings.work, sandbox=sandbox)
    _calls(case, workspace, sandbox, bench, options.calls)
    started = time.monotonic()
    verdict = bench.judge(case.suite, workspace, seed=None, reference=None)
    print(f"one verdict: {len(verdict.nodes)} nodes, reward {verdict.reward}, {time.monotonic() - started:.1f} s")
    _sandboxes(sandbox)
    _sized(options.sizes, options.backend, options.case)
    return 0


def _sizes(text: str) -> tuple[int, ...]:
    return tuple(int(word) for word in text.split(","))


def _sandboxes(sandbox: Sandbox) -> None:
    """Starts of an empty program one after the other, and two at a time."""
    launch = Launch(argv=["/bin/true"], uids=True)
    for at_once in (1, 2):
        with ThreadPoolExecutor(max_workers=at_once) as pool:
            started = time.monotonic()
            done = list(pool.map(lambda _: sandbox.run(launch).exit_code, range(_STARTS)))
            seconds = time.monotonic() - started
        if any(done):
            raise SystemExit(f"a sandbox ended with {max(done)}")
        print(f"{_STARTS / seconds:.1f} sandboxes a second, {at_once} at a time")


def _sized(sizes: Sequence[int], backend: Backend, case: str) -> None:
    print(f"{'nodes':>8}{'s':>8}{'ms/node':>9}   peak MiB: broker, bench, driver")
    for nodes in sizes:
        command = [sys.executable, "-m", "benchmarks.sized", str(nodes), "--backend", backend.value, "--case", case]
        row = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
        peaks = ", ".join(f"{row[role]:.0f}" for role in ("broker", "bench", "driver"))
        print(f"{nodes:8}{row['seconds']:8.1f}{row['seconds'] / nodes * 1000:9.1f}   {peaks}")


def _calls(case: CaseFolder, workspace: Path, sandbox: Sandbox, bench: Court, calls: int) -> None:
    manifest = TestManifest.model_validate_json(case.test_manifest.read_bytes())
    with tempfile.TemporaryDirectory(prefix="repowright-bench-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        copy_lib(folder)
        (folder / "scenarios").mkdir()
        product = workspace / manifest.product_paths[0]
        package = next(path.name for path in sorted(product.iterdir()) if (path / "__init__.py").is_file())
        (folder / "scenarios/F01.py").write_text(SCENARIO.format(product=package))
        others = frozenset(driver_processes())
        with Product(
            sandbox=sandbox,
            workspace=workspace,
            lib=folder / "_lib",
            scenarios=folder / "scenarios",
            product_paths=manifest.product_paths,
            site=bench.product_site,
            clock=bench.clock() if "clock" in manifest.needs else None,
        ) as started:
            _measure(started, calls, others)


def _measure(product: Product, calls: int, others: Set[int]) -> None:
    _ask(product, _ROUND, fresh=False)
    spent: dict[bool, Counter[str]] = {False: Counter(), True: Counter()}
    rounds = max(calls // _ROUND, 1)
    for _ in range(rounds):
        for fresh, counts in spent.items():
            before, began = processor_time(others), time.monotonic()
            _ask(product, _ROUND, fresh=fresh)
            counts["wall"] += round((time.monotonic() - began) * 1e6)
            counts.update({role: value - before[role] for role, value in processor_time(others).items()})
    print(f"{rounds * _ROUND} calls of each kind; ms a call")
    print(f"{'':8}{'wall':>8}{'CPU':>8}   of it: broker, driver, op")
    for fresh, counts in spent.items():
        each = {role: value / rounds / _ROUND / 1000 for role, value in counts.items()}
        parts = [each[role] for role in ("broker", "driver", "op")]
        shown = ", ".join(f"{part:.1f}" for part in parts)
        print(f"{'fresh' if fresh else 'fork':8}{each['wall']:8.1f}{sum(parts):8.1f}   {shown}")
    fork, new = (sum(spent[kind][role] for role in ("broker", "driver", "op")) for kind in (False, True))
    print(f"a fork is {new / fork:.1f} times cheaper")


def _ask(product: Product, times: int, *, fresh: bool) -> None:
    for _ in range(times):
        body = Body()
        answer = product.call("asked", encode_args({"value": [1, "two"]}, body), body=body.to_bytes(), fresh=fresh)
        if answer.reply.outcome != "returned":
            raise SystemExit(f"the call came to {answer.reply}")


def processor_time(others: Set[int]) -> Mapping[str, int]:
    """Microseconds spent so far: by this process, by drivers, and by nurseries with what they have forked.

    Drivers of `others` are left out: they were there before.
    """
    own = os.times()
    found = Counter({"broker": round((own.user + own.system) * 1e6), "driver": 0, "op": 0})
    drivers = driver_processes()
    for parent, times in (drivers[process] for process in drivers.keys() - others):
        role = "op" if parent in drivers else "driver"
        found[role] += sum(times if role == "op" else times[:2]) * 1_000_000 // _TICKS
    return found


def driver_processes() -> dict[int, tuple[int, list[int]]]:
    """Processes of drivers: parent, and time of their own and of their children, each user and system, in ticks."""
    found = {}
    for place in Path("/proc").iterdir():
        if not place.name.isdigit():
            continue
        try:
            words = (place / "cmdline").read_bytes().split(b"\0")
            fields = (place / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if b"python" in words[0] and any(_DRIVER in word for word in words):
            found[int(place.name)] = (int(fields[1]), [int(field) for field in fields[11:15]])
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
