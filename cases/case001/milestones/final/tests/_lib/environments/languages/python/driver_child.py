"""One call, seen from inside: the child that imports the product anew, calls the scenario and says what came of it."""

from __future__ import annotations

import contextlib
import os
import sys
import types
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from environments.driver.unnamed import unnamed_file
from environments.languages.python.driver_error import public_attributes
from environments.languages.python.driver_names import nearest_builtin, public_names
from taskpack.wire.encoding import Body, Encoder, encode_text, well_formed
from taskpack.wire.frames import Frame, Json, Malformed, TooLarge, pack
from taskpack.wire.kinds import Described
from taskpack.wire.pipes import unpack
from taskpack.wire.requests import Request, read_request
from taskpack.wire.values import Decoder

_RESULT_FD = 3
_ENVELOPE_FD = 4
_ITEMS_CAP = 10_000
"""Items taken from a generator."""
_BROKEN = 70
"""Exit code of a child whose own machinery was broken by the code it ran."""
_BOOT = (
    "import sys; early = set(sys.modules); sys.path.append(sys.argv[1]);"
    "from environments.languages.python.driver_child import main; main(early)"
)


@dataclass(frozen=True, kw_only=True)
class Stage:
    """What all calls of Python scenarios share."""

    import_path: tuple[str, ...]
    always_fresh: bool
    """A module of the product has the name of one that the driver has loaded."""
    codes: dict[Path, types.CodeType]
    """The scenario files, compiled: they are the suite's own."""
    bytecode: Path | None
    """Where bytecode lies, see `prepare_bytecode`."""


@dataclass(frozen=True, kw_only=True)
class Target:
    """What one call is to do."""

    path: Path
    """The file that defines the function."""
    args: dict[str, Any]


def read_args(request: Request, frame: Frame) -> dict[str, Any]:
    """The arguments as Python has them. Raises `Malformed` for what it cannot hold, such as a list in a set."""
    decoder = Decoder(frame.body, native=True)
    try:
        return {name: decoder.value(value) for name, value in request.own["args"].items()}
    except TypeError as error:
        raise Malformed(f"an argument that Python cannot hold: {error}") from None


def call(request: Request, frame: Frame, stage: Stage, target: Target) -> NoReturn:
    """Run the scenario here, or in a new interpreter; ends the process."""
    if starts_fresh(request, stage):
        _become_fresh(request, stage, _envelope(stage, target.path, frame))
    sys.pycache_prefix = str(stage.bytecode) if stage.bytecode else None
    run(request, list(stage.import_path), target, stage.codes[target.path])
    os._exit(0)


def starts_fresh(request: Request, stage: Stage) -> bool:
    """Whether a call needs an interpreter of its own."""
    return stage.always_fresh or request.own.get("fresh", False) or request.seed is not None


def _become_fresh(request: Request, stage: Stage, envelope: int) -> NoReturn:
    os.dup2(envelope, _ENVELOPE_FD, inheritable=True) if envelope != _ENVELOPE_FD else os.set_inheritable(
        envelope, True
    )
    if request.seed is not None:
        os.environ["PYTHONHASHSEED"] = str(request.seed % 2**32)
    isolation = ["-I"] if request.seed is None else ["-s", "-P"]
    library = str(Path(__file__).parents[3])
    compiled = ["-X", f"pycache_prefix={stage.bytecode}"] if stage.bytecode else []
    argv = [sys.executable, *isolation, "-S", "-B", "-X", "utf8", *compiled, "-c", _BOOT, library]
    os.execv(sys.executable, argv)  # noqa: S606 (no shell is wanted)


def main(early: set[str]) -> None:
    """The same in a new interpreter: the request comes from a descriptor, and our own imports are taken out again."""
    code = _BROKEN
    try:
        with open(_ENVELOPE_FD, "rb") as envelope:
            import_path, path, request_frame = _open_envelope(envelope.read())
        for name in set(sys.modules) - early:
            del sys.modules[name]
        request = read_request(request_frame)
        run(request, import_path, Target(path=path, args=read_args(request, request_frame)))
        code = 0
    except BaseException as error:  # noqa: BLE001 (the last words of a child whose machinery broke)
        os.write(2, f"{type(error).__name__}: {error}\n".encode("utf-8", "backslashreplace"))
    finally:
        os._exit(code)


def run(request: Request, import_path: list[str], target: Target, code: types.CodeType | None = None) -> None:
    """Call the scenario and write the child's own statement."""
    path = target.path
    function = request.own["name"].rpartition(".")[2]
    code = code or compile(path.read_bytes(), str(path), "exec")
    statement = _outcome(import_path, path, code, function, target.args)
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(BaseException):  # the product may have put anything there
            stream.flush()
    data = memoryview(statement)
    while data:
        data = data[os.write(_RESULT_FD, data) :]


def _outcome(import_path: list[str], path: Path, code: types.CodeType, function: str, args: dict[str, Any]) -> bytes:
    body = Body()
    encoder = Encoder(body, public_names)
    said: dict[str, Json]
    try:
        value = _finish(_load(import_path, path, code, function)(**args))
        sys.set_int_max_str_digits(0)
        said = {"outcome": "returned", "value": encoder.value(value)}
        return pack(Frame(header=said, body=body.to_bytes()))
    except SystemExit as error:
        said = {"outcome": "exited", "exit": _exit_code(error)}
    except (TooLarge, _TooMany) as error:
        said = {"outcome": "limit", "limit": "items" if isinstance(error, _TooMany) else "value"}
    except BaseException as error:  # noqa: BLE001 (whatever the product raises is the observation)
        return _raised(error)
    return pack(Frame(header=said))


def _load(import_path: list[str], path: Path, code: types.CodeType, function: str) -> Callable[..., Any]:
    sys.path[:] = import_path
    sys.path_importer_cache.clear()
    sys.dont_write_bytecode = True
    sys.argv[:] = [path.name]
    module = types.ModuleType(f"scenarios_{path.stem}")
    module.__file__ = str(path)
    module.__dict__["describe"] = describe
    sys.modules[module.__name__] = module
    exec(code, module.__dict__)  # noqa: S102 (the suite's own file)
    loaded: Callable[..., Any] = module.__dict__[function]
    return loaded


def describe(subject: object, *names: str) -> Described:
    """Offered to every scenario: show `subject` with these attributes of it, read as a caller reads them."""
    return Described(subject, {name: getattr(subject, name) for name in names})


class _TooMany(Exception):
    pass


def _finish(value: Any) -> Any:
    """Await a coroutine, drain a generator into a list."""
    if type(value) is types.CoroutineType:
        import asyncio  # noqa: PLC0415 (only a call that needs it pays for it, and the product's path decides)

        return _finish(asyncio.run(value))
    if type(value) is types.AsyncGeneratorType:
        return _finish(_drain_async(value))
    if type(value) is not types.GeneratorType:
        return value
    items: list[Any] = []
    for item in value:
        if len(items) == _ITEMS_CAP:
            raise _TooMany
        items.append(item)
    return items


async def _drain_async(source: types.AsyncGeneratorType[Any, Any]) -> list[Any]:
    items: list[Any] = []
    async for item in source:
        if len(items) == _ITEMS_CAP:
            raise _TooMany
        items.append(item)
    return items


def _exit_code(error: SystemExit) -> int:
    code = error.code
    if code is None or type(code) is int:
        return (code or 0) & 0xFF
    with contextlib.suppress(BaseException):  # its text is the product\'s own
        os.write(2, f"{code}\n".encode("utf-8", "backslashreplace"))
    return 1


def _raised(error: BaseException) -> bytes:
    """The error as data: its names, its text, and what it carries."""
    sys.set_int_max_str_digits(0)
    body = Body()
    encoder = Encoder(body, public_names)
    try:
        message = str.__str__(str(error))
    except BaseException:  # noqa: BLE001 (the product's own method)
        message = ""
    names = public_names(type(error))
    said: dict[str, Json] = {
        "type": names.type,
        "bases": list(names.bases),
        "builtin": nearest_builtin(type(error)),
        "message": encode_text(message[:_ITEMS_CAP], body),
        "attrs": {},
    }
    try:
        for name, value in public_attributes(error).items():
            said["attrs"][well_formed(name)] = encoder.value(value)
        return pack(Frame(header={"outcome": "raised", "error": said}, body=body.to_bytes()))
    except BaseException:  # noqa: BLE001 (too large, or tampered with)
        said["attrs"] = {}
        said["message"] = well_formed(message[:1000])
        return pack(Frame(header={"outcome": "raised", "error": said}))


def _envelope(stage: Stage, path: Path, frame: Frame) -> int:
    """A descriptor with what a new interpreter must know, and the request."""
    first = pack(Frame(header={"path": str(path), "import_path": list(stage.import_path)}))
    return unnamed_file(len(first).to_bytes(4, "big") + first + pack(frame), os.environ["TMPDIR"])


def _open_envelope(data: bytes) -> tuple[list[str], Path, Frame]:
    size = int.from_bytes(data[:4], "big")
    first = unpack(data[4 : 4 + size]).header
    return first["import_path"], Path(first["path"]), unpack(data[4 + size :])
