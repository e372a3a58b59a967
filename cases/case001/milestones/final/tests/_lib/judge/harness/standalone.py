"""Under plain pytest, in one container as one user: the driver is a child process, one a tree.

Nothing is hidden then: a product could read the expected values. The judge's own verdicts never run this way.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from judge.import_path import product_folders, product_language, workspace_folder
from taskpack.wire.frames import Frame, Malformed
from taskpack.wire.messages import Hello, Reply, read_hello, wire_error
from taskpack.wire.pipes import Closed, FramePipe, Silence
from taskpack.wire.requests import Request

DEFAULT_SEED = "standalone"
_BOOT = "import sys; sys.path.append(sys.argv.pop(1)); from environments.driver.main import main; sys.exit(main())"
_GRACE_S = 30.0
_LINE = 400


def pytest_report_header() -> str:
    """Said at the top of such a run."""
    return "one user, one container: the product could read the expected values"


class StandaloneLink:
    """Starts a driver for every tree, on the product that `product_folders` finds."""

    def __init__(self, rootpath: Path, tests: Path) -> None:
        self._tests = (tests if (tests / "scenarios").is_dir() else rootpath / "tests").resolve()
        self._product = product_folders(self._tests)
        self._drivers: dict[str, _Driver] = {}

    def exchange(self, request: Request, body: bytes) -> tuple[Frame, int]:
        name = request.tree
        driver = self._drivers.pop(name, None) if name else None
        if driver is None:
            if request.op == "drop":
                return Frame(header=Reply(id=request.id, outcome="returned").header()), request.id
            driver = _Driver(self._command)
        frame, alive = driver.exchange(request, body)
        if alive and name and request.op != "drop":
            self._drivers[name] = driver
        else:
            driver.close()
        return frame, driver.ids

    def _command(self, place: str) -> list[str]:
        command = [sys.executable, "-I", "-S", "-B", "-X", "utf8", "-c", _BOOT, str(self._tests / "_lib")]
        command += ["--language", product_language(self._tests), "--place", place]
        command += ["--workspace", str(workspace_folder(self._tests)), "--scenarios", str(self._tests / "scenarios")]
        for folder in self._product:
            command += ["--product", str(folder)]
        site = next((part for part in sys.path if part.endswith("-packages")), None)
        return [*command, *(["--site", site] if site else [])]


class _Driver:
    """One driver process with a folder of its own: one tree."""

    def __init__(self, command: Callable[[str], list[str]]) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="product-", ignore_cleanup_errors=True)
        self._said = tempfile.TemporaryFile()  # noqa: SIM115 (closed by `close`)
        self._process = subprocess.Popen(
            command(self._folder.name),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._said,
            cwd=self._folder.name,
            env={},
        )
        self._pipe: FramePipe | None = None
        self.ids = 0

    def exchange(self, request: Request, body: bytes) -> tuple[Frame, bool]:
        """The reply's frame, and whether the driver can be asked again."""
        self.ids += 1
        try:
            pipe = self._pipe or self._greet()
            pipe.send(Frame(header=request.header() | {"id": self.ids}, body=body))
            return pipe.receive(request.limit_s + _GRACE_S), True
        except (Malformed, Closed, Silence) as error:
            outcome = "timeout" if isinstance(error, Silence) else "malformed"
            kind = "Malformed" if isinstance(error, Malformed) else type(error).__name__
            fault = wire_error(f"wire.{kind}", f"{error}{self._last_line()}")
            return Frame(header=Reply(id=self.ids, outcome=outcome, error=fault).header()), False

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()
        self._said.close()
        self._folder.cleanup()

    def _last_line(self) -> str:
        """What the driver said of its end: what its machine lacks, such as the product's interpreter."""
        self._said.seek(0)
        lines = self._said.read().decode("utf-8", "replace").split("\n")
        last = next((line for line in reversed(lines) if line), "")
        return f"; the driver said: {last[-_LINE:]}" if last else ""

    def _greet(self) -> FramePipe:
        process = self._process
        assert process.stdin is not None and process.stdout is not None  # noqa: PT018, S101 (both are pipes)
        self._pipe = FramePipe(process.stdout.fileno(), process.stdin.fileno())
        self._pipe.send(Frame(header=Hello(side="bench", pack="standalone", language="any").header()))
        read_hello(self._pipe.receive(_GRACE_S))
        return self._pipe
