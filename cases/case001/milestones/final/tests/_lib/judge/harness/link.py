"""A test's way to the product: requests out, observations back."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from copy import copy
from typing import Any, Protocol, Self

from judge.harness.seen import Seen, read_seen
from judge.harness.watch import Watch
from taskpack.wire.frames import Frame, Json, TooLarge
from taskpack.wire.messages import read_reply
from taskpack.wire.pipes import FramePipe, unpack
from taskpack.wire.requests import LIMIT_S, Clock, Request
from taskpack.wire.values import Body, encode_args


class Link(Protocol):
    """Whatever carries one request to a driver and its reply back."""

    def exchange(self, request: Request, body: bytes) -> tuple[Frame, int]:
        """The reply's frame, and the id that it answers."""


class BrokerLink:
    """The broker at the other end of two pipes. It has checked each reply before we see it."""

    def __init__(self, pipe: FramePipe, watch: Watch) -> None:
        self._pipe = pipe
        self._watch = watch
        self._ids = 0

    def exchange(self, request: Request, body: bytes) -> tuple[Frame, int]:
        self._ids += 1
        header = request.header() | {"id": self._ids}
        self._watch.rest()
        self._pipe.send(Frame(header=header, body=body))
        raw = self._pipe.receive_raw()
        self._watch.start()
        return unpack(raw), self._ids


class Asking:
    """What `product` and each of its trees can be asked."""

    def __init__(self, link: Link, tree: str | None = None, *, scenarios: str = "") -> None:
        self._link = link
        self._tree = tree
        self._scenarios = scenarios
        self._now: Clock | None = None
        self._seed: int | None = None

    def _with(self, **changes: object) -> Self:
        other = copy(self)
        vars(other).update(changes)
        return other

    def at(self, now: float, *, running: bool = False) -> Self:
        """The same, told that it is `now`, in seconds since 1970; time stands still unless it is `running`.

        The suite's manifest must name `clock` in `needs`.
        """
        return self._with(_now=Clock(epoch=now, running=running))

    def seeded(self, seed: int) -> Self:
        """The same, with the hash of text fixed by `seed`, where the language has such a thing."""
        return self._with(_seed=seed)

    def call(self, name: str, *, limit_s: float = LIMIT_S, fresh: bool = False, **args: Any) -> Seen:
        """Call the scenario function `name` in a fresh child of the product sandbox: one of this test file's own
        scenarios, or `FNN.name` for one of another feature point.

        `fresh` asks for a new interpreter instead of a fork. Raises only when the arguments do not fit a frame.
        """
        body = Body()
        place = name if "." in name or not self._scenarios else f"{self._scenarios}.{name}"
        own = {"name": place, "args": encode_args(args, body), **({"fresh": True} if fresh else {})}
        return self._ask("call", own, body, limit_s=limit_s)

    def run(
        self,
        argv: Sequence[str],
        *,
        stdin: bytes = b"",
        env: Mapping[str, str] | None = None,
        cwd: str = "",
        terminal: tuple[int, int] | None = None,
        controlling: bool = True,
        limit_s: float = LIMIT_S,
    ) -> Seen:
        """Run a program; those of the product's folders are found first. `cwd` is a folder of the tree.

        With a `terminal` of so many rows and columns all its streams are that one: it comes out as `stdout`, what is
        typed included where it is echoed, and a line of `stdin` is typed when the program waits for it. `controlling`:
        the keys for signals work. The suite's manifest must name `terminal` in `needs`.

        Its end is `exit` or `signal`; 127 is the exit code of a program that is not there.
        """
        body = Body()
        own: dict[str, Json] = {"argv": list(argv)}
        own |= {"env": dict(env)} if env else {}
        own |= {"cwd": cwd} if cwd else {}
        own |= {"stdin": body.add(stdin)} if stdin else {}
        if terminal is not None:
            own["terminal"] = {"rows": terminal[0], "cols": terminal[1], "controlling": controlling}
        return self._ask("run", own, body, limit_s=limit_s)

    def _ask(self, op: str, own: Mapping[str, Json], body: Body, *, limit_s: float = LIMIT_S) -> Seen:
        request = Request(id=1, op=op, tree=self._tree, limit_s=limit_s, seed=self._seed, now=self._now, own=own)
        try:
            frame, number = self._link.exchange(request, body.to_bytes())
        except TooLarge as error:
            raise ValueError(f"what goes with {op} does not fit a frame: {error}") from None
        return read_seen(read_reply(frame, number), frame.body)


class Tree(Asking):
    """A named tree: files stay from one op to the next, processes do not. Leaving the `with` block drops it."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.drop()

    def put(self, path: str, data: bytes | None, *, mode: int | None = None) -> None:
        """Write a file, or make a folder where `data` is None; folders on the way are made."""
        body = Body()
        own: dict[str, Json] = {"path": path} | ({} if mode is None else {"mode": mode})
        own |= {} if data is None else {"content": body.add(data)}
        self._done("put", own, body)

    def get(self, path: str) -> bytes:
        """A file's content. Fails the test when there is no plain file."""
        value = self._done("get", {"path": path}).value
        assert isinstance(value, bytes)  # noqa: S101 (checked by the broker and here)
        return value

    def list(self, path: str = "") -> tuple[Mapping[str, Any], ...]:
        """What lies below `path`, sorted: each with path, kind, mode, size. Links are listed, never followed."""
        return self._done("list", {"path": path} if path else {}).files

    def delete(self, path: str) -> None:
        """Remove a file, or a folder with everything in it. Fails the test when nothing is there."""
        self._done("delete", {"path": path})

    def drop(self) -> None:
        """Remove the tree. Safe to call twice."""
        self._ask("drop", {}, Body())

    def _done(self, op: str, own: Mapping[str, Json], body: Body | None = None) -> Seen:
        seen = self._ask(op, own, body or Body())
        if seen.outcome != "returned":
            raise AssertionError(f"{op} {own.get('path', '')!r}: {seen}")
        return seen


class Product(Asking):
    """The `product` fixture."""

    def __init__(self, link: Link, *, scenarios: str = "") -> None:
        """`scenarios` is the name of the scenario file that plain names of functions mean."""
        super().__init__(link, scenarios=scenarios)
        self._numbers = itertools.count(1)
        self._trees: list[Tree] = []

    def tree(self) -> Tree:
        """A new tree, which lives until it is dropped or its node ends."""
        tree = Tree(self._link, f"t{next(self._numbers)}", scenarios=self._scenarios)
        self._trees.append(tree)
        return tree

    def end_node(self) -> None:
        """Drop every tree of the node."""
        while self._trees:
            self._trees.pop().drop()
