"""One verdict of a suite of a wanted size: `python -m benchmarks.sized NODES [--backend B] [--case CASE]`.

The suite is made for this: each node makes one call of a small product, with fresh input. A process of its own for
each size, so that peaks of memory are that size's. Prints one line of JSON: seconds of the verdict, and peak memory in
MiB of this process (the broker), of the bench and of the driver, the last two as looked at ten times a second.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Self

from environments.choose import Backend, choose_sandbox
from flows.bench import court, recorded_bench
from flows.settings import resolve
from judge.bundle_lib import copy_lib
from taskpack.record import to_json
from taskpack.suite import TestManifest

_PRODUCT = '''
def total(amounts):
    """The sum, and how many there were."""
    return [sum(amounts), len(amounts)]
'''
_SCENARIO = """
import tillroll

def totalled(amounts):
    return tillroll.total(amounts)
"""
_TESTS = """
import pytest
from judge.harness import clause, same


@clause("FP-01.N1")
@pytest.mark.parametrize("number", range({count}))
def test_total(product, inputs, number):
    amounts = [inputs.integer(0, 10**6) for _ in range(5)]
    assert same(product.call("totalled", amounts=amounts).value, [sum(amounts), 5])
"""
_FILE = "tests/F01_acceptance.py"
_ROLES = {"bench": b"judge.harness.main", "driver": b"environments.driver.main"}
"""What the command line of each has."""


class Peaks:
    """Looks at resident memory while the `with` block runs."""

    def __init__(self) -> None:
        self.mib = dict.fromkeys(_ROLES, 0.0)
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._over.wait(0.1):
            for place in Path("/proc").iterdir():
                if not place.name.isdigit():
                    continue
                try:
                    command = (place / "cmdline").read_bytes()
                    pages = int((place / "statm").read_bytes().split()[1])
                except OSError:
                    continue
                for role, mark in _ROLES.items():
                    if mark in command and b"python" in command.partition(b"\0")[0]:
                        self.mib[role] = max(self.mib[role], pages * resource.getpagesize() / 2**20)


def lay_out(folder: Path, nodes: int) -> tuple[Path, Path]:
    """A suite with so many nodes, and a workspace that is right."""
    suite, workspace = folder / "final", folder / "workspace"
    (workspace / "src").mkdir(parents=True)
    (workspace / "src/tillroll.py").write_text(_PRODUCT)
    (suite / "tests/scenarios").mkdir(parents=True)
    (suite / "tests/scenarios/F01.py").write_text(_SCENARIO)
    (suite / _FILE).write_text(_TESTS.format(count=nodes))
    copy_lib(suite / "tests")
    ids = tuple(sorted(f"{_FILE}::test_total[{number}]" for number in range(nodes)))
    manifest = TestManifest(
        test_files=(_FILE,),
        test_command=f"python3 -m pytest {_FILE}",
        test_command_template="python3 -m pytest {test_files}",
        execution_groups={"F01": (_FILE,)},
        expected_test_count=nodes,
        node_ids=ids,
        clauses=dict.fromkeys(ids, ("FP-01.N1",)),
        product_paths=("src",),
        language="python",
    )
    (suite / "test_manifest.json").write_bytes(to_json(manifest.model_dump(mode="json")))
    return suite, workspace


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.sized")
    parser.add_argument("nodes", type=int)
    parser.add_argument("--backend", type=Backend, default=Backend.LOCAL)
    parser.add_argument("--case", default="case001", help="whose bench judges")
    options = parser.parse_args(argv)
    settings = resolve(cases=None, work=None)
    sandbox = choose_sandbox(settings.work, options.backend)
    bench = court(recorded_bench(settings.case(options.case)), work=settings.work, sandbox=sandbox)
    with tempfile.TemporaryDirectory(prefix="repowright-bench-") as name:
        suite, workspace = lay_out(Path(name), options.nodes)
        with Peaks() as peaks:
            started = time.monotonic()
            verdict = bench.judge(suite, workspace, seed="sized")
            seconds = time.monotonic() - started
    if verdict.reward != 1:
        print("\n".join(verdict.causes), file=sys.stderr)
        return 1
    broker = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"nodes": options.nodes, "seconds": seconds, "broker": broker, **peaks.mib}))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
