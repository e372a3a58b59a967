"""The console command's door: it can be stopped while the rest is still being imported, and never answers by breaking.

Python ends with 1 when nobody catches what was raised, and 1 is an answer: reward 0.
"""

from __future__ import annotations

import os
import sys
import traceback

from flows.stopping import exit_code, listen, work_is_done

_STOPPED = "error: stopped\n  try  run the same command again: finished stages are kept\n"
_BROKEN = "error: Repowright cannot be loaded\n  try  install it again, with the packages of requirements.lock\n"
_A_BUG = 70


def main() -> None:
    """Import and run the command line."""
    listen()
    _fill_closed()
    try:
        from flows.main import main as run  # noqa: PLC0415 (that import is what may be interrupted)

        try:
            run()
        finally:
            work_is_done()
    except KeyboardInterrupt:
        _tell(_STOPPED)
        sys.exit(exit_code())
    except Exception:  # noqa: BLE001 (what is raised in `flows.main` is caught there)
        _tell(traceback.format_exc() + _BROKEN)
        sys.exit(_A_BUG)


def _fill_closed() -> None:
    """Where a stream was closed before the start, its number must go to no file of ours, and what is written to it must
    be an error."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            os.open(os.devnull, os.O_RDONLY)  # takes the lowest number that is free
            setattr(sys, name, os.fdopen(number, "w" if number else "r", closefd=False))


def _tell(text: str) -> None:
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except OSError:
        pass  # the exit code says it


if __name__ == "__main__":
    main()
