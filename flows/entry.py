"""The console command's door: it can be stopped with Ctrl-C while the rest is still being imported."""

from __future__ import annotations

import sys


def main() -> None:
    """Import and run the command line."""
    try:
        from flows.main import main as run  # noqa: PLC0415 (that import is what may be interrupted)

        run()
    except KeyboardInterrupt:
        sys.stderr.write("error: stopped\n  try  run the same command again: finished stages are kept\n")
        sys.exit(130)
