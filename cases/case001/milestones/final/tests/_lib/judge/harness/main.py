"""The bench's program: runs the suite under pytest and sends one report, over the pipes it was started with."""

from __future__ import annotations

import argparse
import io
import os
import sys
from pathlib import Path

import pytest

from judge.harness import plugin
from judge.harness.link import BrokerLink
from judge.harness.quiet import LEFT_OUT, Quiet
from judge.harness.recorder import Recorder
from judge.harness.watch import Watch
from taskpack.wire.frames import Frame
from taskpack.wire.pipes import FramePipe


def main() -> int:
    """0 once the report is sent, whatever the tests came to; pytest's own code when pytest itself broke."""
    parser = argparse.ArgumentParser(prog="bench")
    parser.add_argument("--suite", type=Path, required=True)
    parser.add_argument("--seed", required=True)
    parser.add_argument("--collect-only", action="store_true")
    parser.add_argument("--only", action="append", default=[], help="a node id; the others are not run")
    options = parser.parse_args()
    pipe = _take_stdio()
    recorder = Recorder()
    tests = options.suite / "tests"
    sys.path.insert(0, str(tests))
    pytest.register_assert_rewrite(*(path.stem for path in tests.glob("F??_helpers.py")))
    arguments = [
        "-c",
        os.devnull,
        f"--rootdir={options.suite}",
        "--no-header",
        "--noconftest",
        "--import-mode=importlib",
        "--capture=no",
        "--tb=short",
        "--color=no",
        *LEFT_OUT,
        *(["--collect-only", "-q"] if options.collect_only else []),
        *(options.only or sorted(map(str, tests.glob("F[0-9][0-9]_acceptance.py")))),
    ]
    os.chdir(options.suite)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    watch = Watch()
    code = pytest.main(
        arguments, plugins=[recorder, plugin, watch, Quiet(), _Setup(BrokerLink(pipe, watch), options.seed)]
    )
    watch.rest()
    if code in {pytest.ExitCode.INTERNAL_ERROR, pytest.ExitCode.USAGE_ERROR}:
        return int(code)
    pipe.send(Frame(header={"report": recorder.report()}))
    return 0


class _Setup:
    """Gives the fixtures their link and seed."""

    def __init__(self, link: BrokerLink, seed: str) -> None:
        self._link = link
        self._seed = seed

    def pytest_configure(self, config: pytest.Config) -> None:
        config.stash[plugin.LINK] = self._link
        config.stash[plugin.SEED] = self._seed


def _take_stdio() -> FramePipe:
    """Move the wire to descriptors of its own, so that nothing a test prints can reach it; 0 is empty, 1 is the log."""
    reader, writer = os.dup(0), os.dup(1)
    empty = os.open(os.devnull, os.O_RDONLY)
    os.dup2(empty, 0)
    os.dup2(2, 1)
    return FramePipe(reader, writer)


if __name__ == "__main__":
    sys.exit(main())
