"""The command line. Commands live in `flows/commands/`, one file each; this is the one place that catches."""

from __future__ import annotations

import contextlib
import logging
import os
import platform
import sys
import tempfile
import traceback
from typing import Annotated

import typer

from flows.commands import audit, author, doctor, explain, inbox, judge, names, new, selftest, status
from flows.console import arriving, complain
from flows.settings import engine_version
from taskpack.errors import BadInput, NoSpace, RepowrightError
from taskpack.record import to_json

app = typer.Typer(
    name="repowright",
    help="Turn a pinned open-source project into a from-scratch repository task that execution has proved.",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
for command in (new, names, author, judge, audit, status, explain, selftest, doctor):
    command.register(app)
app.add_typer(inbox.app, name="inbox")


@app.callback(invoke_without_command=True)
def options(
    context: typer.Context,
    debug: Annotated[bool, typer.Option("--debug", help="Show logs, and tracebacks of bugs.")] = False,  # noqa: ARG001
    version: Annotated[bool, typer.Option("--version", help="Show the version and exit.")] = False,
) -> None:
    """Options of the whole program. `--debug` may stand anywhere: `main` takes it out before parsing."""
    if version:
        with arriving():
            sys.stdout.write(f"repowright {engine_version()}\n")
        raise typer.Exit
    if context.invoked_subcommand is None:
        with arriving():
            sys.stdout.write(f"{context.get_help()}\n")
        raise typer.Exit(BadInput.exit_code)


def main() -> None:
    """Parse, run, exit. Exit codes are in the README."""
    debug = "--debug" in sys.argv
    if debug:
        sys.argv.remove("--debug")
    logging.basicConfig(level=logging.INFO if debug else logging.ERROR, format="%(levelname)s %(name)s: %(message)s")
    try:
        code = app(standalone_mode=False)
    except SystemExit as ended:
        if ended.code == 130:  # the parser's own answer to Ctrl-C
            raise KeyboardInterrupt from ended
        raise
    except RepowrightError as error:
        _complain(error)
        sys.exit(error.exit_code)
    except Exception as error:  # noqa: BLE001 (the one place that catches)
        sys.exit(_unforeseen(error, debug=debug))
    if code == 130:  # or it returns that answer
        raise KeyboardInterrupt
    sys.exit(code if isinstance(code, int) else 0)


def _unforeseen(error: Exception, *, debug: bool) -> int:
    usage = _usage(error)
    if usage is not None:
        _complain(usage)
        return usage.exit_code
    if isinstance(error, OSError) and error.errno in {28, 122}:
        full = NoSpace(
            f"no space left on the disk: {error.filename or 'unnamed file'}",
            remedy="free some space and run again",
        )
        _complain(full)
        return full.exit_code
    if isinstance(error, PermissionError):
        denied = BadInput(
            f"permission denied: {error.filename or error}", remedy="run as the owner, or name other folders"
        )
        _complain(denied)
        return denied.exit_code
    report = "".join(traceback.format_exception(error))
    if debug:
        complain(report)
    versions = f"python {platform.python_version()}, {platform.platform()}\ncommand: {sys.argv[1:]}\n\n"
    try:
        handle, name = tempfile.mkstemp(prefix="repowright-bug-", suffix=".log")
        with os.fdopen(handle, "w") as file:
            file.write(versions + report)
    except OSError:
        complain(versions + report)
        name = "above: it could not be written to a file"
    _complain(
        RepowrightError(
            f"this is a bug in Repowright: {type(error).__name__}: {error}",
            details={"log": name},
            remedy="run again with --debug, and report the log",
        )
    )
    return RepowrightError.exit_code


def _usage(error: Exception) -> BadInput | None:
    """Typer's own complaints about flags and arguments, in our form."""
    if type(error).__name__ == "Abort":
        raise KeyboardInterrupt from error
    formatted = getattr(error, "format_message", None)
    if formatted is None:
        return None
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "repowright"
    return BadInput(str(formatted()).rstrip("."), remedy=f"{path} --help")


def _complain(error: RepowrightError) -> None:
    if "--json" in sys.argv:
        details = {
            "message": error.message,
            "details": error.details,
            "remedy": error.remedy,
            "exit_code": error.exit_code,
        }
        with contextlib.suppress(RepowrightError), arriving():  # the exit code says it, and stderr
            sys.stdout.buffer.write(to_json({"error": details}))
            sys.stdout.buffer.flush()
    complain(error.render() + "\n")


if __name__ == "__main__":
    main()
