"""Under plain pytest, in one container as one user: the driver is a child process, one a call.

Nothing is hidden then: a product could read the expected values. The judge's own verdicts never run this way.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from judge.import_path import product_folders
from taskpack.wire.frames import Frame, Malformed
from taskpack.wire.messages import Hello, Reply, Request, read_hello, wire_error
from taskpack.wire.pipes import Closed, FramePipe, Silence

DEFAULT_SEED = "standalone"
_BOOT = (
    "import sys; sys.path.append(sys.argv.pop(1));"
    "from environments.languages.python.driver import main; sys.exit(main())"
)
_GRACE_S = 30.0


def pytest_report_header() -> str:
    """Said at the top of such a run."""
    return "one user, one container: the product could read the expected values"


class StandaloneLink:
    """Starts a driver for every request, on the product that `product_folders` finds."""

    def __init__(self, rootpath: Path, tests: Path) -> None:
        self._tests = (tests if (tests / "scenarios").is_dir() else rootpath / "tests").resolve()
        self._product = product_folders(self._tests)

    def exchange(self, request: Request, body: bytes) -> tuple[Frame, int]:
        with tempfile.TemporaryDirectory() as folder:
            process = subprocess.Popen(
                self._command(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=folder, env={"TMPDIR": folder}
            )
            assert process.stdin is not None and process.stdout is not None  # noqa: PT018, S101 (both are pipes)
            try:
                pipe = FramePipe(process.stdout.fileno(), process.stdin.fileno())
                pipe.send(Frame(header=Hello(side="bench", pack="standalone", language="python").header()))
                read_hello(pipe.receive(_GRACE_S))
                pipe.send(Frame(header=request.header(), body=body))
                return pipe.receive(request.limit_s + _GRACE_S), request.id
            except (Malformed, Closed, Silence) as error:
                outcome = "timeout" if isinstance(error, Silence) else "malformed"
                fault = wire_error(f"wire.{type(error).__name__}", str(error))
                return Frame(header=Reply(id=request.id, outcome=outcome, error=fault).header()), request.id
            finally:
                process.kill()
                process.wait()
                process.stdin.close()
                process.stdout.close()

    def _command(self) -> list[str]:
        command = [sys.executable, "-I", "-S", "-B", "-X", "utf8", "-c", _BOOT, str(self._tests / "_lib")]
        command += ["--scenarios", str(self._tests / "scenarios")]
        for folder in self._product:
            command += ["--product", str(folder)]
        for place in sys.path:
            if place.endswith("-packages"):
                return [*command, "--site", place]
        return command
