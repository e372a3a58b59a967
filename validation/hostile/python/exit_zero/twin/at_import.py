import contextlib as _contextlib
import sys as _sys

with _contextlib.suppress(SystemExit):
    _sys.exit(0)
