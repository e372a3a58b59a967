"""The product side of the wire: started by the broker, it gives every op a fresh child and answers what came of it.

With uids of its own there are two processes beside those of the op: this one, which watches over ops, and a nursery
forked at the start, which forks them. Without, this one does the work for the one tree that it is there for.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from environments.driver.call import OFFERED, answer, refusal, send
from environments.driver.clock import clock_variables
from environments.driver.nursery import Forks, Nursery
from environments.driver.pack import Pack, load_pack
from environments.driver.scene import FIRST_UID, Scene, hide_from_debuggers
from environments.driver.settled import settle
from environments.driver.sockets import at_rest
from environments.driver.terminal import has_terminals, keep_to_ourselves
from environments.driver.trees import close_shared
from taskpack.wire.frames import Frame, Malformed
from taskpack.wire.messages import STREAM_CAP, Hello, Reply, read_hello, wire_error
from taskpack.wire.pipes import Closed, FramePipe

HELLO_S = 60.0
LAST_UID = 59_999
_FIRST = 1
"""Who is it, or was started by it, has the process namespace to itself; whoever else says so is not believed."""


def main(argv: Sequence[str] | None = None) -> int:
    """Speak on standard input and output until the broker closes; 0 then, else a line on standard error."""
    options = _options(sys.argv[1:] if argv is None else argv)
    pipe = _take_stdio()
    try:
        hello = read_hello(pipe.receive(HELLO_S))
        language = load_pack(options.language)
    except (Malformed, ImportError) as error:
        return _refuse(pipe, "wire.Refused", str(error))
    scene = _scene(options, hello, language)
    (scene.place / "trees").mkdir(mode=0o711, exist_ok=True)
    if scene.uids:
        close_shared()
        keep_to_ourselves()
    else:
        hide_from_debuggers()
    language.prepare(scene)
    if scene.uids:
        settle(scene.place)
    pipe.send(Frame(header=_hello(scene, language).header()))
    try:
        return _serve_trees(pipe, scene, language) if scene.uids else _serve_one_tree(pipe, scene, language)
    except Closed:
        return 0
    except Malformed as error:
        return _refuse(pipe, "wire.Malformed", str(error))


def _options(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="driver")
    parser.add_argument("--language", required=True, help="the pack that makes a call a process")
    parser.add_argument("--workspace", type=Path, required=True, help="the candidate's folder")
    parser.add_argument("--product", type=Path, action="append", default=[], help="a product path in the workspace")
    parser.add_argument("--scenarios", type=Path, required=True, help="folder with the suite's scenario files")
    parser.add_argument("--site", type=Path, default=None, help="folder with the product's dependencies")
    parser.add_argument("--place", type=Path, default=Path("/run"), help="a folder of the driver's own")
    parser.add_argument("--memory-mb", type=int, default=1024, help="address space of one process; 0 for no bound")
    return parser.parse_args(argv)


def _take_stdio() -> FramePipe:
    """Move the wire to descriptors of its own; 0 is empty then, 1 goes where 2 goes."""
    reader, writer = os.dup(0), os.dup(1)
    empty = os.open(os.devnull, os.O_RDONLY)
    os.dup2(empty, 0)
    os.close(empty)
    os.dup2(2, 1)
    return FramePipe(reader, writer)


def _refuse(pipe: FramePipe, kind: str, fact: str) -> int:
    """The last word to a broker that cannot be understood."""
    pipe.send(Frame(header=Reply(id=0, outcome="malformed", error=wire_error(kind, fact)).header()))
    return 3


def _scene(options: argparse.Namespace, hello: Hello, language: Pack) -> Scene:
    return Scene(
        workspace=options.workspace,
        product=tuple(options.product),
        site=options.site,
        scenarios=options.scenarios,
        place=options.place,
        memory_mb=options.memory_mb and max(options.memory_mb, language.memory_mb),
        uids="uids" in hello.features,
        alone="alone" in hello.features and _FIRST in {os.getpid(), os.getppid()},
        clock=clock_variables(),
    )


def _hello(scene: Scene, language: Pack) -> Hello:
    features = {*OFFERED, *language.features(scene), *(["uids"] if scene.uids else [])}
    features |= {"clock"} if scene.clock and language.obeys_clock else set()
    features |= {"terminal"} if has_terminals() else set()
    limits = {"memory_mb": scene.memory_mb, "stream_bytes": STREAM_CAP}
    return Hello(
        side="product",
        pack=language.name,
        language=language.language,
        features=tuple(sorted(features)),
        limits=limits if scene.uids else limits | {"trees": 1},
    )


def _serve_one_tree(pipe: FramePipe, scene: Scene, language: Pack) -> int:
    """Answer until the tree is dropped; an anonymous one is dropped after its op."""
    ids, only = 1, None
    while True:
        frame = pipe.receive()
        name = frame.header.get("tree")
        wrong = _wrong_id(frame, ids) or ("this sandbox holds another tree" if ids > 1 and name != only else "")
        ids, only = ids + 1, name
        reply = refusal(frame, "wire.Refused", wrong) if wrong else answer(frame, scene, language, Forks(), None)
        send(pipe, reply)
        if name is None or frame.header.get("op") == "drop":
            return 0


def _serve_trees(pipe: FramePipe, scene: Scene, language: Pack) -> int:
    """Answer until the broker closes, each tree under a uid of its own."""
    nursery = Nursery(scene, language)
    at_rest()
    uids: dict[str, int] = {}
    ids, free = 1, FIRST_UID
    try:
        while True:
            frame = pipe.receive()
            name, op = frame.header.get("tree"), frame.header.get("op")
            uid = uids.get(name, free) if type(name) is str else free
            wrong = _wrong_id(frame, ids) or ("there are no uids left" if uid > LAST_UID else "")
            ids += 1
            if wrong:
                pipe.send(refusal(frame, "wire.Refused", wrong))
                continue
            free += uid == free
            if type(name) is str:
                uids[name] = uid
            reply = answer(frame, scene, language, nursery, uid)
            if op == "drop" and type(name) is str and reply.header["outcome"] == "returned":
                del uids[name]  # no uid is used for two trees
            send(pipe, reply)
    finally:
        nursery.close()


def _wrong_id(frame: Frame, wanted: int) -> str:
    seen = frame.header.get("id")
    return "" if type(seen) is int and seen == wanted else f"ids count from 1, one by one: {wanted} is next"


if __name__ == "__main__":
    sys.exit(main())
