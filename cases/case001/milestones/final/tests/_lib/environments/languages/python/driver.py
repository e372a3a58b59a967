"""The product side of the wire: started by the broker, it gives every call a fresh child and answers what came of it.

Three kinds of process: this one only moves frames; a nursery forked at the start, which never sees a request, so that
no child inherits another call's data; and one supervisor a call, forked from the nursery, which does the work.
"""

from __future__ import annotations

import argparse
import ast
import os
import select
import socket
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from environments.languages.python.driver_bytecode import compile_product
from environments.languages.python.driver_call import serve_call
from environments.languages.python.driver_preload import preload
from environments.languages.python.driver_scene import FIRST_UID, Scene, close_shared_folders, hide_from_debuggers
from taskpack.wire.frames import Frame, Malformed
from taskpack.wire.messages import STREAM_CAP, Hello, Reply, read_hello, wire_error
from taskpack.wire.pipes import Closed, FramePipe

LANGUAGE = "python"
PACK = "python/1"
HELLO_S = 60.0
_LIBRARY = Path(__file__).parents[3]


def main(argv: Sequence[str] | None = None) -> int:
    """Speak on standard input and output until the broker closes; 0 then, else a line on standard error."""
    options = _options(sys.argv[1:] if argv is None else argv)
    pipe = _take_stdio()
    try:
        hello = read_hello(pipe.receive(HELLO_S))
    except Malformed as error:
        refused = Reply(id=0, outcome="malformed", error=wire_error("wire.Refused", str(error)))
        pipe.send(Frame(header=refused.header()))
        return 3
    uids = "uids" in hello.features
    if uids:
        preload()  # a driver that serves one call would load more than the call needs
    scene = _scene(options, uids=uids)
    if scene.uids:
        close_shared_folders()
    else:
        hide_from_debuggers()
    pipe.send(Frame(header=_hello(scene).header()))
    nursery, process = _start_nursery(scene)
    try:
        _relay(pipe, FramePipe(nursery.fileno(), nursery.fileno()), scene)
    except Closed:
        pass
    finally:
        nursery.close()
        os.waitpid(process, 0)
    return 0


def _options(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="driver")
    parser.add_argument("--scenarios", type=Path, required=True, help="folder with the suite's scenario files")
    parser.add_argument("--product", type=Path, action="append", default=[], help="a folder of the import path")
    parser.add_argument("--site", type=Path, default=None, help="folder with the product's dependencies")
    parser.add_argument("--memory-mb", type=int, default=1024, help="address space of one call")
    return parser.parse_args(argv)


def _take_stdio() -> FramePipe:
    """Move the wire to descriptors of its own; 0 is empty then, 1 goes where 2 goes."""
    reader, writer = os.dup(0), os.dup(1)
    empty = os.open(os.devnull, os.O_RDONLY)
    os.dup2(empty, 0)
    os.close(empty)
    os.dup2(2, 1)
    return FramePipe(reader, writer)


def _hello(scene: Scene) -> Hello:
    features = ["call", "fresh", "seed", *([] if scene.always_fresh else ["fork"]), *(["uids"] if scene.uids else [])]
    limits = {"memory_mb": scene.memory_mb, "stream_bytes": STREAM_CAP}
    return Hello(
        side="product",
        pack=PACK,
        language=LANGUAGE,
        features=tuple(sorted(features)),
        limits=limits if scene.uids else limits | {"calls": 1},
    )


def _scene(options: argparse.Namespace, *, uids: bool) -> Scene:
    product = tuple(options.product)
    loaded = {name.partition(".")[0] for name in sys.modules}
    return Scene(
        product=product,
        site=options.site,
        functions=find_functions(options.scenarios),
        memory_mb=options.memory_mb,
        uids=uids,
        always_fresh=any(name in loaded for folder in product for name in _module_names(folder)),
        stdlib=tuple(path for path in sys.path if path != str(_LIBRARY)),
        codes={path: compile(path.read_bytes(), str(path), "exec") for path in options.scenarios.glob("*.py")},
        bytecode=compile_product(product) if uids else None,
    )


def _module_names(folder: Path) -> Iterator[str]:
    """Top-level modules that the import system could find in `folder`, by name alone: what an entry is, the candidate
    decides, and to ask may fail. A file that is none costs a fresh interpreter a call."""
    try:
        with os.scandir(folder) as entries:
            names = [entry.name for entry in entries]
    except OSError:
        return
    for name in names:
        yield name.partition(".")[0]


def find_functions(folder: Path) -> dict[str, tuple[Path, ...]]:
    """Public functions at the top of the scenario files, by name and by `file.name`. Nothing is executed."""
    found: dict[str, tuple[Path, ...]] = {}
    for path in sorted(folder.glob("*.py")):
        for node in ast.parse(path.read_bytes(), filename=str(path)).body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not node.name.startswith("_"):
                for name in (node.name, f"{path.stem}.{node.name}"):
                    found[name] = (*found.get(name, ()), path)
    return found


def _start_nursery(scene: Scene) -> tuple[socket.socket, int]:
    mine, theirs = socket.socketpair()
    process = os.fork()
    if process:
        theirs.close()
        return mine, process
    code = 70
    try:
        mine.close()
        _keep_only({0, 1, 2, theirs.fileno()})
        code = _nurse(theirs, scene)
    except BaseException:  # noqa: BLE001 (as in _nurse)
        sys.excepthook(*sys.exc_info())
    finally:
        os._exit(code)


def _keep_only(wanted: set[int]) -> None:
    last = -1
    for number in [*sorted(wanted), os.sysconf("SC_OPEN_MAX")]:
        # An empty range would be read as one without an end.
        if number > last + 1:
            os.closerange(last + 1, number)
        last = number


def _nurse(link: socket.socket, scene: Scene) -> int:
    """Fork a supervisor for each uid that is announced; it reads the request from the link itself."""
    while True:
        select.select([link], [], [])
        announced = link.recv(4)
        if not announced:
            return 0
        process = os.fork()
        if process == 0:
            code = 71
            try:
                serve_call(FramePipe(link.fileno(), link.fileno()), scene, int.from_bytes(announced, "big"))
                code = 0
            except BaseException:  # noqa: BLE001 (the driver dies of it; its reason goes to the log)
                sys.excepthook(*sys.exc_info())
            finally:
                os._exit(code)
        _, status = os.waitpid(process, 0)
        if status:
            return 72


def _relay(pipe: FramePipe, link: FramePipe, scene: Scene) -> None:
    """Frames to and fro, one at a time. Their content is left alone here."""
    uid = FIRST_UID
    while True:
        request = pipe.receive_raw()
        link.send_raw(uid.to_bytes(4, "big") + request)
        pipe.send_raw(link.receive_raw())
        if not scene.uids:
            return
        uid += 1


if __name__ == "__main__":
    sys.exit(main())
