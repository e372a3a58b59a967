"""What a call leaves where a later call could find it, and what a workspace leaves in the causes."""

from __future__ import annotations

import ast
import os
import secrets
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from environments.interface import Sandbox
from judge.bundle_lib import copy_lib
from judge.harness.seen import Seen, read_seen
from judge.product import Product
from taskpack.verdict import Judged, Verdict
from taskpack.wire.values import Body, encode_args
from tests.integration.judge.channels import CHANNELS, SCENARIO
from tests.integration.judge.sandboxes import WithoutUids

pytestmark = pytest.mark.sandbox

CHECKOUT = Path(__file__).resolve().parents[3]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return lay_channels(tmp_path)


def lay_channels(folder: Path) -> Path:
    """A workspace and a suite of channels."""
    (folder / "app/src").mkdir(parents=True)
    (folder / "app/src/channels.py").write_text(CHANNELS)
    (folder / "app/src/bits").mkdir()
    for place in range(24):
        (folder / f"app/src/bits/bit{place}.py").touch()
    (folder / "scenarios").mkdir()
    (folder / "scenarios/F01.py").write_text(SCENARIO)
    copy_lib(folder / "tests")
    return folder


def start(sandbox: Sandbox, folder: Path) -> Product:
    return Product(
        sandbox=sandbox,
        workspace=folder / "app",
        lib=folder / "tests/_lib",
        scenarios=folder / "scenarios",
        product_paths=("src",),
    )


def call(product: Product, name: str, **args: Any) -> Seen:
    body = Body()
    answer = product.call(name, encode_args(args, body), body=body.to_bytes())
    return read_seen(answer.reply, answer.body)


@pytest.fixture(params=["range of uids", "no range"])
def product(request: pytest.FixtureRequest, sandbox: Sandbox, folder: Path) -> Iterator[Product]:
    made: Any = sandbox if request.param == "range of uids" else WithoutUids(sandbox)
    with start(made, folder) as product:
        yield product


def test_a_call_finds_nothing_of_an_earlier_one(product: Product) -> None:
    """Every channel is one: the call that leaves something finds it as long as it lasts. Keys, and shared memory where
    nothing measures it, are refused altogether."""
    mark = secrets.token_hex(8)
    channels = {"a file in ~", "a message queue", "a semaphore", "an abstract socket", "a port"}
    channels |= {"a process", "memory", "an unreachable socket"}
    left = set(call(product, "left", mark=mark, rest=f"{mark}-the-rest").value)
    assert left >= channels | ({"when something was read"} if "uids" in product.features else set())
    assert call(product, "found", mark=mark).value == []
    mark = secrets.token_hex(8)  # last: of each file the kernel writes down one reading a day
    assert set(call(product, "both", mark=mark, rest=f"{mark}-the-rest").value) >= channels


def test_a_connection_that_outlives_its_call_ends_the_sandbox(product: Product) -> None:
    """Nobody but the kernel can end it, and that takes minutes: the call has failed, and the next one is elsewhere."""
    mark = secrets.token_hex(8)
    assert call(product, "deaf_left", mark=mark).outcome in {"malformed", "returned"}
    assert call(product, "deaf_found", mark=mark).value == []


@pytest.mark.parametrize(
    "shape",
    ["range of uids", "no range"],
)
def test_no_other_process_can_be_written_by_a_call(sandbox: Sandbox, folder: Path, shape: str) -> None:
    """Whoever opens the pipes of the first process speaks to the broker in the driver's place; whoever writes to its
    memory stays when the call's processes are killed."""
    made: Any = sandbox if shape == "range of uids" else WithoutUids(sandbox)
    with start(made, folder) as product:
        if shape == "range of uids" and "uids" not in product.features:
            pytest.skip("a plain user has no range of uids")
        assert call(product, "open_processes").value == []


def test_a_call_finds_nothing_that_an_earlier_one_wrote_on_the_shared_folders_themselves(
    sandbox: Sandbox, folder: Path
) -> None:
    with start(sandbox, folder) as product:
        if "uids" not in product.features:
            pytest.skip("each call has a sandbox of its own here")
        mark = secrets.token_hex(8)
        assert {"the time of /tmp", "a rule of /tmp"} <= set(call(product, "folders_both", mark=mark).value)
        mark = secrets.token_hex(8)
        call(product, "folders_left", mark=mark)
        assert call(product, "folders_found", mark=mark).value == []


def test_another_sandbox_finds_nothing_either(sandbox: Sandbox, folder: Path) -> None:
    """Calls of two sandboxes have the same uids inside, and never the same outside."""
    mark = secrets.token_hex(8)
    with start(sandbox, folder) as one:
        assert call(one, "left", mark=mark, rest=f"{mark}-the-rest").value != []
        with start(sandbox, folder) as beside:
            assert call(beside, "found", mark=mark).value == []
    with start(sandbox, folder) as after:
        assert call(after, "found", mark=mark).value == []


UNDEFENDED = """
import fcntl, os, pathlib, socket, struct, sys
from tests.integration.judge import test_leftovers as here
space = {}
exec(here.CHANNELS, space)
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asks:  # the loopback of a new namespace is down
    fcntl.ioctl(asks, 0x8914, struct.pack("16sh22x", b"lo", 1))
folder = pathlib.Path(sys.argv[1])
for place in range(24):
    (folder / str(place)).write_text("x")
    os.utime(folder / str(place), (10**9, 10**9))
space["bytecode"] = lambda place: str(folder / str(place))
names = ("the speed of an address", "a label of a flow", "when something was read")
mark = "abcdef0123456789"
for half in (space["LEAVE"], space["FIND"]):
    print(space["worked"]({name: half[name] for name in names}, mark))
"""


def test_channels_that_a_sandbox_closes_at_once_are_found_where_nothing_closes_them(tmp_path: Path) -> None:
    """Else the call that leaves something could not find it either, and a broken probe would look like a closed one."""
    command = [*unshared_net(), sys.executable, "-c", UNDEFENDED, str(tmp_path)]
    done = subprocess.run(
        command, cwd=CHECKOUT, env={**os.environ, "PYTHONPATH": str(CHECKOUT)}, capture_output=True, text=True, check=False
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    names = ["the speed of an address", "a label of a flow", "when something was read"]
    if os.statvfs(tmp_path).f_flag & os.ST_NOATIME:
        names.remove("when something was read")
    left, found = (set(line) for line in map(ast.literal_eval, done.stdout.splitlines()))
    assert set(names) <= left & found


def unshared_net() -> list[str]:
    """What runs a program in a network namespace of its own, with the right to set it up."""
    command = ["unshare", "--net", *([] if os.geteuid() == 0 else ["--map-root-user"])]
    if subprocess.run([*command, "true"], capture_output=True, check=False).returncode:
        pytest.skip("no network namespace can be made here")
    return command


IN_A_SESSION = """
import ctypes, sys
from pathlib import Path
from environments.choose import choose_sandbox
from taskpack.layout import WorkFolder
from tests.integration.judge import test_leftovers as here
space = {}
exec(here.CHANNELS, space)
if space["KEYS"] is None or space["LIBC"].syscall(space["KEYS"][1], 1, None) < 0:
    sys.exit(77)
folder = here.lay_channels(Path(sys.argv[1]))
sandbox = choose_sandbox(WorkFolder(root=folder / "work"))
with here.start(sandbox, folder) as product:
    here.call(product, "key_left", mark="mark")
    print("a later call:", here.call(product, "key_found", mark="mark").outcome)
try:
    space["find_key"](space["SESSION"], "mark")
    print("this machine: found")
except OSError:
    print("this machine: nothing")
space["key"](space["SESSION"], "mark")
space["find_key"](space["SESSION"], "mark")
"""


def test_a_key_of_the_session_is_found_by_no_later_call_and_not_left_here(tmp_path: Path) -> None:
    """A login gives its processes a session keyring; whoever has it may write to it, whatever its uid."""
    done = subprocess.run(
        [sys.executable, "-c", IN_A_SESSION, str(tmp_path)],
        cwd=CHECKOUT,
        env={**os.environ, "PYTHONPATH": str(CHECKOUT)},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode == 77:
        pytest.skip("the kernel gives no session keyring here")
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.splitlines() == ["a later call: raised", "this machine: nothing"]


def test_names_in_a_workspace_cannot_steer_the_terminal_that_shows_the_causes(
    verdict_of: Callable[[Path], Verdict], workspace: Path
) -> None:
    (workspace / "\x1b[2J\x1b[1;1H\nreward 1\u202e").symlink_to("/etc/passwd")
    (workspace / "src/tally/ledger.py").write_text(
        textwrap.dedent("""
        class BadLine(ValueError): pass
        BadLine.__qualname__ = BadLine.__module__ = "\\x1b]0;title\\x07\\nreward 1"
        def total(text): raise BadLine("\\x1b[2J")
        parse = total
        """)
    )
    verdict = verdict_of(workspace)
    assert (verdict.outcome, verdict.reward) == (Judged.JUDGED, 0)
    assert any(
        "\\x1b[2J\\x1b[1;1H\\nreward 1\\u202e: a link that leaves the workspace" in each for each in verdict.causes
    )
    assert [cause for cause in verdict.causes if not cause.isprintable()] == []
    assert [node for node in verdict.nodes if not node.cause.isprintable()] == []
