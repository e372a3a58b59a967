"""What broke around one verdict: kept in a log, whose path its causes name. One that was reached leaves none."""

from __future__ import annotations

import contextlib
import os
import tempfile
import traceback
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path

from taskpack.errors import NoSpace, SandboxFailed
from taskpack.files import FULL

_NO_THREAD = "can't start new thread"


class Evidence:
    """Notes on one verdict, in the order taken."""

    def __init__(self, *, folder: Path | None, about: Mapping[str, str]) -> None:
        """`folder` is where the log goes, made when it is needed; None: the system's temporary folder. `about` are the
        log's first lines."""
        self._folder = folder
        self._lines = [f"{label}: {value}" for label, value in about.items()]

    def note(self, when: str, error: BaseException) -> None:
        """Keep an error with its time and where it came from."""
        told = error.render() if isinstance(error, SandboxFailed | NoSpace) else str(error)
        trace = "".join(traceback.format_exception(error))
        self._lines += [f"\n{datetime.now(UTC).isoformat(timespec='seconds')} {when}: {told}", trace]

    def keep(self) -> str:
        """The path of the log, written now; or why there is none."""
        fact = ""
        for folder in (self._folder, Path(tempfile.gettempdir())):
            if folder is not None:
                try:
                    return _write(folder, "\n".join(self._lines))
                except OSError as error:
                    fact = fact or f"not written: {folder}: {error.strerror}"
        return fact

    @contextlib.contextmanager
    def kept(self) -> Iterator[None]:
        """Errors of the machinery leave with the log's path in them, and with a name."""
        try:
            with named_refusals():
                yield
        except (SandboxFailed, NoSpace) as error:
            self.note("no verdict", error)
            error.details["log"] = self.keep()
            raise


@contextlib.contextmanager
def named_refusals() -> Iterator[None]:
    """Turn what the system refuses this process into `NoSpace` or `SandboxFailed`."""
    try:
        yield
    except OSError as error:
        where = str(error.filename or "unnamed")
        fact = error.strerror or str(error)
        if error.errno in FULL:
            raise NoSpace(
                "no space left on the disk", details={"file": where}, remedy="free some space and run again"
            ) from error
        raise _refused(fact, where) from error
    except MemoryError as error:
        raise _refused("there is no memory left for it", "none") from error
    except RuntimeError as error:
        if _NO_THREAD not in str(error):
            raise
        raise _refused("it may start no more threads", "none") from error


def _refused(fact: str, where: str) -> SandboxFailed:
    return SandboxFailed(
        "the system refused the judge something",
        details={"fact": fact, "file": where},
        remedy="look at the limits of this process (ulimit -a) and at the disk, and judge it again",
    )


def _write(folder: Path, text: str) -> str:
    folder.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix="judge-", suffix=".log", dir=folder)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(text + "\n")
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    return name
