"""Programs, files and trees, asked for by a client that was written from the page alone."""

from __future__ import annotations

import itertools
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from environments.interface import Sandbox
from tests.integration.wire.conftest import Connect, driver
from tests.wire_client.client import Client, Reply

pytestmark = pytest.mark.sandbox
NAMES = (f"tree-{number}" for number in itertools.count(1))
NOTHING = ("null",)


@pytest.fixture(scope="module")
def greeted(sandbox: Sandbox, library: Path) -> Iterator[Client]:
    """One connection for many trees."""
    with driver(sandbox, library) as client:
        if not client.uids:
            pytest.skip("no range of uids here: a sandbox holds one tree")
        client.greet(features=["uids", "alone"])
        yield client


class Tree:
    """A named tree of one connection."""

    def __init__(self, client: Client, name: str) -> None:
        self._client, self._name = client, name

    def ask(self, op: str, body: bytes = b"", **keys: Any) -> Reply:
        return self._client.request({"op": op, "tree": self._name} | keys, body)

    def put(self, path: str, content: bytes | None = None, **keys: Any) -> Reply:
        place = {} if content is None else {"content": [0, len(content)]}
        return self.ask("put", content or b"", path=path, **place, **keys)

    def files(self, **keys: Any) -> list[tuple[str, str, int, int]]:
        reply = self.ask("list", **keys)
        assert (reply.outcome, reply.value) == ("returned", NOTHING)
        return [(entry["path"], entry["kind"], entry["mode"], entry["size"]) for entry in reply.files]

    def sh(self, script: str, body: bytes = b"", **keys: Any) -> Reply:
        return self.ask("run", body, argv=["sh", "-c", script], **keys)


@pytest.fixture
def tree(greeted: Client) -> Iterator[Tree]:
    name = next(NAMES)
    yield Tree(greeted, name)
    assert greeted.request({"op": "drop", "tree": name}).value == NOTHING


def error_of(reply: Reply) -> str:
    assert reply.outcome == "raised"
    assert reply.error is not None
    return reply.error.type


def test_hello_names_every_op_that_is_there(connect: Connect) -> None:
    with connect() as client:
        features = client.greet(features=["uids", "alone"] if client.uids else [])["features"]
    assert {"call", "run", "put", "get", "list", "delete", "drop"} <= set(features)


def test_what_was_put_is_listed_and_got_and_deleted(tree: Tree) -> None:
    content = bytes(range(256)) * 40
    assert tree.put("b/c.bin", content).value == NOTHING
    assert tree.put("a", b"", mode=0o600).value == NOTHING
    assert tree.put("d").value == NOTHING
    listed = [
        ("a", "file", 0o600, 0),
        ("b", "folder", 0o755, 0),
        ("b/c.bin", "file", 0o644, 10_240),
        ("d", "folder", 0o755, 0),
    ]
    assert tree.files() == listed
    assert tree.files(path="b") == listed[1:3]
    got = tree.ask("get", path="b/c.bin")
    assert got.value == ("bytes", content)
    assert [entry["path"] for entry in got.files] == ["b/c.bin"]
    both = tree.ask("get", paths=["b/c.bin", "a"])
    assert both.value == ("map", ((("str", "b/c.bin"), ("bytes", content)), (("str", "a"), ("bytes", b""))))
    assert tree.ask("delete", paths=["b", "a"]).value == NOTHING
    assert tree.files() == [("d", "folder", 0o755, 0)]


def test_every_kind_of_file_is_named_and_no_link_is_followed(tree: Tree) -> None:
    script = "mkdir f; mkfifo p; ln -s /etc l; ln -s nowhere m; printf 'ab' > '\\377'; chmod 4755 '\\377'"
    assert tree.sh(script).exit == 0
    kinds = {path: kind for path, kind, _, _ in tree.files()}
    assert {kinds[name] for name in "lm"} == {"link"}
    assert (kinds["f"], kinds["p"]) == ("folder", "fifo")
    assert sorted(kinds.values()) == ["fifo", "file", "folder", "link", "link"]
    assert error_of(tree.ask("get", path="m")) == "wire.IsALink"
    assert error_of(tree.ask("get", path="l/passwd")) == "wire.NotAFolder"
    assert error_of(tree.ask("get", path="f")) == "wire.IsAFolder"
    assert error_of(tree.ask("get", path="p")) == "wire.NotAFile"
    assert error_of(tree.ask("get", path="nothing")) == "wire.NoSuchPath"
    assert tree.put("m", b"own").value == NOTHING
    assert tree.ask("get", path="m").value == ("bytes", b"own")


@pytest.mark.parametrize("path", ["/etc/passwd", "../x", "a/../../x", "a\0b", "x" * 1025])
@pytest.mark.parametrize("op", ["get", "put", "list", "delete"])
def test_a_path_that_leaves_its_tree_is_refused(tree: Tree, op: str, path: str) -> None:
    reply = tree.ask(op, path=path)
    assert (reply.outcome, reply.error and reply.error.type) == ("malformed", "wire.Refused")


REFUSED: dict[str, dict[str, Any]] = {
    "a tree of no name": {"op": "list", "tree": ""},
    "a tree in a folder": {"op": "list", "tree": "a/b"},
    "a tree with a dot first": {"op": "list", "tree": ".a"},
    "a tree with a long name": {"op": "list", "tree": "a" * 65},
    "a tree with a line's end": {"op": "list", "tree": "a\n"},
    "a drop of nothing": {"op": "drop"},
    "a drop with a path": {"op": "drop", "tree": "a", "path": "b"},
    "no program": {"op": "run", "argv": []},
    "a program without a name": {"op": "run", "argv": [""]},
    "a program that is a text": {"op": "run", "argv": "true"},
    "a null in an argument": {"op": "run", "argv": ["true", "a\0"]},
    "an environment that is a list": {"op": "run", "argv": ["true"], "env": ["A=b"]},
    "an environment of numbers": {"op": "run", "argv": ["true"], "env": {"A": 1}},
    "a name with an equals sign": {"op": "run", "argv": ["true"], "env": {"A=B": "c"}},
    "a folder outside": {"op": "run", "argv": ["true"], "cwd": "/tmp"},
    "an input outside the body": {"op": "run", "argv": ["true"], "stdin": [0, 1]},
    "a terminal without columns": {"op": "run", "argv": ["true"], "terminal": {"rows": 1}},
    "a terminal of no size": {"op": "run", "argv": ["true"], "terminal": {"rows": 0, "cols": 1}},
    "nothing to put": {"op": "put", "content": [0, 0]},
    "content outside the body": {"op": "put", "path": "a", "content": [0, 1]},
    "a mode beyond modes": {"op": "put", "path": "a", "mode": 0o1777},
    "a mode that is a text": {"op": "put", "path": "a", "mode": "644"},
    "path and paths": {"op": "get", "path": "a", "paths": ["a"]},
    "no path": {"op": "get"},
    "no paths": {"op": "get", "paths": []},
    "paths of numbers": {"op": "get", "paths": [1]},
    "1,001 paths": {"op": "delete", "paths": ["a"] * 1001},
    "nothing to delete": {"op": "delete"},
    "the time where there is no clock": {"op": "list", "now": 0},
    "a time that is a text": {"op": "list", "now": "2020-01-01"},
    "a time before all time": {"op": "list", "now": -1},
    "a time with a zone": {"op": "list", "now": {"epoch": 0, "zone": "UTC"}},
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_request_that_the_page_does_not_know_is_refused(greeted: Client, name: str) -> None:
    reply = greeted.request(REFUSED[name])
    assert (reply.outcome, reply.error and reply.error.type) == ("malformed", "wire.Refused")
    assert reply.files == ()


def test_a_program_ends_with_its_code_and_its_streams(tree: Tree) -> None:
    reply = tree.sh("cat; echo err >&2; exit 3", b"in\xff", stdin=[0, 3])
    assert (reply.outcome, reply.exit, reply.stdout, reply.stderr) == ("exited", 3, b"in\xff", b"err\n")
    assert tree.sh("cat").stdout == b""


def test_a_program_that_cannot_be_started_ends_as_in_a_shell(tree: Tree) -> None:
    tree.put("plain", b"no program")
    for argv, code in ((["nothing-of-that-name"], 127), (["./nothing"], 127), (["./plain"], 126)):
        assert tree.ask("run", argv=argv).exit == code


def test_a_program_has_its_environment_and_its_folder(tree: Tree) -> None:
    tree.put("inner")
    reply = tree.sh('echo "$A $HOME"; pwd; ls -a "$HOME"', env={"A": "own"}, cwd="inner")
    first, folder, *names = reply.stdout.decode().split("\n")
    assert first == f"own {folder.removesuffix('/inner')}"
    assert "inner" in names


def test_a_program_can_be_signalled_and_timed_out(tree: Tree) -> None:
    killed = tree.sh("kill -9 $$")
    assert (killed.outcome, killed.signal) == ("signalled", signal.SIGKILL)
    assert tree.sh("sleep 60", limit_s=0.3).outcome == "timeout"
    assert tree.sh("echo still here").stdout == b"still here\n"


def test_files_of_a_tree_stay_processes_do_not(tree: Tree) -> None:
    assert tree.sh("echo one > a; echo two > /tmp/b; (sleep 60; touch late) & echo $! > pid").exit == 0
    reply = tree.sh("cat a /tmp/b; kill -0 $(cat pid)")
    assert reply.stdout == b"one\ntwo\n"
    assert reply.exit != 0


def test_calls_and_programs_of_a_tree_see_each_others_files(tree: Tree) -> None:
    tree.put("from-put", b"")
    made = tree.ask("call", name="private", args={"name": "from-call"})
    assert made.value is not None
    assert {item[1] for item in made.value[1]} == {"from-put", "from-call"}
    assert tree.sh("cat from-call").stdout == b"here"


def test_no_tree_sees_another_and_one_without_a_name_is_gone_after_its_op(greeted: Client) -> None:
    one, other = (Tree(greeted, next(NAMES)) for _ in range(2))
    one.put("secret", b"own", mode=0o666)
    home = one.sh("pwd").stdout.decode().strip()
    assert other.sh(f"cat {home}/secret").exit != 0
    assert other.files() == []
    greeted.request({"op": "put", "path": "a", "content": [0, 0]})
    assert greeted.request({"op": "list"}).files == ()
    for tree in (one, other):
        assert tree.ask("drop").value == NOTHING
    assert one.files() == []
    one.ask("drop")


def test_a_tree_that_never_was_can_be_dropped(greeted: Client) -> None:
    assert greeted.request({"op": "drop", "tree": "never-seen"}).value == NOTHING


def test_streams_of_a_program_are_cut_after_their_cap(tree: Tree) -> None:
    reply = tree.sh("head -c 3000000 /dev/zero; head -c 3000000 /dev/zero >&2")
    assert (len(reply.stdout), len(reply.stderr), reply.cut) == (1 << 20, 1 << 20, ("stdout", "stderr"))


def test_a_list_of_too_many_files_is_a_limit(tree: Tree) -> None:
    assert tree.sh("seq 1 10001 | xargs touch").exit == 0
    reply = tree.ask("list")
    assert (reply.outcome, reply.limit) == ("limit", "entries")
    assert tree.sh("mkdir deep; cd deep; for i in $(seq 70); do mkdir d; cd d; done").exit == 0
    reply = tree.ask("list", path="deep")
    assert (reply.outcome, reply.limit) == ("limit", "depth")


def test_a_file_that_fits_no_frame_is_a_limit(tree: Tree) -> None:
    assert tree.sh("head -c 40000000 /dev/zero > a; cp a b").exit == 0
    reply = tree.ask("get", paths=["a", "b"])
    assert (reply.outcome, reply.limit) == ("limit", "value")
