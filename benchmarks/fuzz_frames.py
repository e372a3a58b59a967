"""Fuzz the frame parser and every reader of messages, led by coverage: `python -m benchmarks.fuzz_frames [SECONDS]`.

It needs `atheris`, which is not among the project's own tools: install it beside them for such a run. Each input is
checked as the tests check theirs: read or refused, the same in a second reading, the same again when written. What
breaks that is printed with its bytes; a run without a finding ends with what it did.
"""

from __future__ import annotations

import importlib
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

_SECONDS = 120
_LARGEST = 4096


def main(argv: list[str]) -> int:
    """0 when the time was over without a finding; the fuzzer itself ends the process otherwise."""
    try:
        atheris: Any = importlib.import_module("atheris")
    except ImportError:
        print("atheris is not installed here: uv pip install atheris", file=sys.stderr)
        return 3
    with atheris.instrument_imports(include=["taskpack.wire"]):
        fuzzed: Any = importlib.import_module("tests.unit.wire.test_fuzz_frames")

    def one_input(data: bytes) -> None:
        """Half of the inputs are a header alone: lengths that fit are hard to find by chance."""
        if data[:1] and data[0] & 1:
            data = len(data[1:]).to_bytes(4, "big") + bytes(4) + data[1:]
        fuzzed.check(data)

    seconds = int(argv[1]) if len(argv) > 1 else _SECONDS
    with tempfile.TemporaryDirectory() as corpus:
        for number, (header, body) in enumerate(fuzzed.SEEDS):
            text = json.dumps(header).encode()
            lengths = len(text).to_bytes(4, "big") + len(body).to_bytes(4, "big")
            Path(corpus, f"frame-{number}").write_bytes(lengths + text + body)
            Path(corpus, f"header-{number}").write_bytes(b"\1" + text)
        atheris.Setup([argv[0], f"-max_total_time={seconds}", f"-max_len={_LARGEST}", "-timeout=20", corpus], one_input)
        atheris.Fuzz()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
