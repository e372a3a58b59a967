"""The driver with real processes: what each call comes to, and that nothing of a call is left."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from environments.interface import Sandbox
from judge.bundle_lib import copy_lib
from judge.ends import EndedFromOutside
from judge.harness.seen import Seen, read_seen
from judge.product import Product
from taskpack.wire.kinds import Map, Obj
from taskpack.wire.same import same
from taskpack.wire.values import Body, encode_args
from tests.integration.judge.sandboxes import WithoutUids

pytestmark = pytest.mark.sandbox

PRODUCT = """
import enum, os, signal, subprocess, sys, time

class Broken(ValueError):
    def __init__(self, text):
        super().__init__(text)
        self.code = 7
        self.data = [b"x"]
        self._hidden = 1
    @property
    def danger(self):
        raise SystemExit(9)

Alias = Broken

class Base(Exception):
    __slots__ = ("slotted", "unset")
    level = 3
    names = ["a"]
    class Inner: pass

class Computed:
    def __get__(self, holder, kind=None): return "computed"

class Carrying(Base):
    level = 4
    given = Computed()
    def __init__(self, payload):
        super().__init__("carries")
        self._payload, self.slotted, self.method_too = payload, 2, 5
    @property
    def payload(self): return self._payload
    @property
    def broken(self): raise KeyError("gone")
    @property
    def callback(self): return len
    @property
    def _inner(self): os._exit(1)
    def method(self): os._exit(1)
    def method_too(self): os._exit(1)
    @classmethod
    def made(cls): os._exit(1)
    @staticmethod
    def still(): os._exit(1)

class Wide(Exception):
    def __init__(self):
        for number in range(5000): setattr(self, f"a{number}", number)

class ValueError(Exception):
    pass

class Same(dict):
    def __eq__(self, other):
        return True
    __hash__ = None

class Point:
    def __init__(self):
        self.x = 1
    def __eq__(self, other):
        return True

counter = [0]

def echo(value): return value
def fail(): raise Broken("no \\ud800")
def carry(): raise Carrying([b"x"])
def widen(): raise Wide()
def system(): raise OSError(2, "no such thing", "file")
def fake(): raise ValueError("fake")
def mute():
    class Mute(Exception):
        def __str__(self): raise SystemExit(3)
    raise Mute()
def leave(code): sys.exit(code)
def vanish(code): os._exit(code)
def die(): os.kill(os.getpid(), signal.SIGKILL)
def hang(): time.sleep(1000)
def spin():
    while True: pass
def generate(count): yield from range(count)
async def later(value): return value
async def stream():
    yield 1
    yield 2
def shout(size):
    os.write(1, b"o" * size); os.write(2, b"e" * size); print("end")
def count():
    counter[0] += 1
    return counter[0]
def garbage(data):
    os.write(3, data)
    os._exit(0)
def close(): os.closerange(0, 100); return 1
def attack():
    done = []
    for pid in range(1, 60):
        if pid != os.getpid():
            try: os.kill(pid, 9); done.append(pid)
            except OSError: pass
    return done
def daemon(path):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(1000)
        os._exit(0)
    os.wait()
    return "left"
def processes(): return [int(p) for p in os.listdir("/proc") if p.isdigit()]
def identity():
    status = dict(line.split(":\\t", 1) for line in open("/proc/self/status").read().splitlines() if ":\\t" in line)
    return [os.getuid(), os.getgroups(), status["CapEff"], status["CapPrm"], status["NoNewPrivs"]]
def descriptors(): return sorted(int(name) for name in os.listdir("/proc/self/fd"))
def place(): return [os.getcwd(), os.environ["HOME"], os.environ["TMPDIR"], oct(os.stat(".").st_mode), os.listdir(".")]
def litter():
    os.makedirs("a/b"); open("a/b/c", "w").write("x"); os.symlink("/usr", "link"); os.chmod("a/b", 0); os.chmod("a", 0)
    deep = "."
    os.mkdir("deep"); os.chdir("deep")
    for _ in range(1500):
        os.mkdir("d"); os.chdir("d")
def writable():
    found = []
    for folder in ("/", "/tmp", "/var/tmp", "/dev", "/dev/shm", "/run", "/run/trees", "/app", "/app/src", "/opt/lib", "/scenarios"):
        try: open(folder + "/probe", "w").close(); found.append(folder)
        except OSError: pass
    return found
def left_in_tmp(): return sorted(n for n in os.listdir("/tmp")) if os.access("/tmp", os.R_OK) else []
def bomb():
    children = 0
    try:
        while True:
            if os.fork() == 0: time.sleep(1000)
            children += 1
    except OSError: return children
def memory(): return len(bytearray(4 << 30))
def big(size): return b"x" * size
def deep(levels):
    value = []
    for _ in range(levels): value = [value]
    return value
def number(digits): return 10 ** digits
def shared():
    one = []
    return [one, one]
def point(): return Point()
def twisted(): return Same(a=1)
def low():
    sys.setrecursionlimit(80); sys.set_int_max_str_digits(640); return 10 ** 3000
def where(): return [sys.path, sys.argv, "taskpack" in sys.modules, __file__]
def hashed(): return hash("text")
def shm():
    import ctypes
    return ctypes.CDLL(None).shmget(4242, 4096, 0o1000 | 0o666)
def shm_there():
    import ctypes
    return ctypes.CDLL(None).shmget(4242, 0, 0)
"""

SCENARIOS = """
import prod
from prod import *

def call(name, args): return getattr(prod, name)(*args)
def shown(): return describe(prod.Point(), "x")
async def awaited(value): return await prod.later(value)
def _private(): return 1
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A workspace with the product, and its scenarios."""
    (tmp_path / "app/src/prod").mkdir(parents=True)
    (tmp_path / "app/src/prod/__init__.py").write_text(PRODUCT)
    (tmp_path / "scenarios").mkdir()
    (tmp_path / "scenarios/F01.py").write_text(SCENARIOS)
    copy_lib(tmp_path / "tests")
    return tmp_path


def start(sandbox: Sandbox, folder: Path) -> Product:
    return Product(
        sandbox=sandbox,
        workspace=folder / "app",
        lib=folder / "tests/_lib",
        scenarios=folder / "scenarios",
        product_paths=("src",),
    )


def call(product: Product, name: str, *args: Any, scenario: str = "call", **options: Any) -> Seen:
    body = Body()
    given = {"name": name, "args": list(args)} if scenario == "call" else dict(zip(["value"], args, strict=False))
    answer = product.call(scenario, encode_args(given, body), body=body.to_bytes(), **options)
    return read_seen(answer.reply, answer.body)


@pytest.fixture(params=["a uid for each call", "a sandbox for each call"])
def product(sandbox: Sandbox, folder: Path, request: pytest.FixtureRequest) -> Iterator[Product]:
    chosen = sandbox if request.param == "a uid for each call" else WithoutUids(sandbox)
    with start(chosen, folder) as started:
        yield started


@pytest.mark.parametrize("fresh", [False, True])
def test_values_of_every_kind_go_in_and_come_out(product: Product, fresh: bool) -> None:
    value = [1, True, 1.5, "ä\ud800", b"\0" * 5000, "x" * 5000, (None, {2}), {1: {"a": []}}, 10**4100]
    assert same(call(product, "echo", value, fresh=fresh).value, value)


@pytest.mark.parametrize("fresh", [False, True])
def test_errors_are_told_by_public_name_ancestors_and_attributes(product: Product, fresh: bool) -> None:
    error = call(product, "fail", fresh=fresh).error
    assert error.type == "prod.Alias"
    assert error.is_a("prod.Broken")
    assert error.is_a("ValueError")
    assert error.builtin == "ValueError"
    assert same(dict(error.attrs), {"code": 7, "data": [b"x"]})
    assert error.message == "no \ud800"


@pytest.mark.parametrize("fresh", [False, True])
def test_what_an_error_carries_is_seen_however_its_class_keeps_it(product: Product, fresh: bool) -> None:
    attrs = call(product, "carry", fresh=fresh).error.attrs
    wanted = {"payload": [b"x"], "slotted": 2, "level": 4, "names": ["a"], "given": "computed", "method_too": 5}
    assert same(dict(attrs), wanted)
    assert len(call(product, "widen").error.attrs) == 200
    assert same(dict(call(product, "system").error.attrs), {})


def test_a_class_that_is_only_called_value_error_is_none(product: Product) -> None:
    error = call(product, "fake").error
    assert error.type == "prod.ValueError"
    assert not error.is_a("ValueError")
    assert error.builtin == "Exception"
    assert call(product, "mute").error.message == ""


def test_every_way_to_end_has_its_outcome(product: Product) -> None:
    for code, seen_code in ((None, 0), (3, 3), ("text", 1)):
        seen = call(product, "leave", code)
        assert (seen.outcome, seen.exit) == ("exited", seen_code)
    assert (seen := call(product, "vanish", 0)).outcome == "exited"
    assert seen.exit == 0
    seen = call(product, "die")
    assert (seen.outcome, seen.signal) == ("signalled", 9)
    for name in ("hang", "spin"):
        seen = call(product, name, limit_s=0.5)
        assert seen.outcome == "timeout"
        assert seen.seconds < 5
    with pytest.raises(AssertionError, match="expected a value, seen exited with 4"):
        assert call(product, "vanish", 4).value


def test_coroutines_are_awaited_and_generators_drained_up_to_a_cap(product: Product) -> None:
    assert same(call(product, "later", 5).value, 5)
    assert same(call(product, "", 6, scenario="awaited").value, 6)
    assert same(call(product, "generate", 3).value, [0, 1, 2])
    assert same(call(product, "stream").value, [1, 2])
    seen = call(product, "generate", 10_001)
    assert (seen.outcome, seen.limit) == ("limit", "items")


def test_streams_are_captured_at_the_descriptor_and_cut_at_1_mib(product: Product) -> None:
    seen = call(product, "shout", 10)
    assert seen.stdout == b"o" * 10 + b"end\n"
    assert seen.stderr == b"e" * 10
    assert seen.cut == ()
    seen = call(product, "shout", 3_000_000)
    assert len(seen.stdout) == len(seen.stderr) == 1 << 20
    assert seen.cut == ("stdout", "stderr")
    assert seen.outcome == "returned"


def test_every_call_starts_anew(product: Product) -> None:
    assert same([call(product, "count").value, call(product, "count").value], [1, 1])


@pytest.mark.parametrize(
    "data", [b"", b"x", b"\0" * 8, b"\0\0\0\2\0\0\0\0[]", b"\0\0\0\2\0\0\0\0{}", b"\xff" * 100_000]
)
def test_garbage_in_the_place_of_the_statement_is_malformed_or_an_exit(product: Product, data: bytes) -> None:
    seen = call(product, "garbage", data, limit_s=10)
    assert seen.outcome == ("malformed" if data else "exited")
    assert same(call(product, "echo", 1).value, 1)


def test_a_forged_statement_with_values_beyond_the_page_is_malformed(product: Product) -> None:
    for text in (b'{"outcome":"returned","value":{"l":[1]}}', b'{"outcome":"fine","value":null}'):
        seen = call(product, "garbage", len(text).to_bytes(4, "big") + bytes(4) + text)
        assert seen.outcome == "malformed"


def test_a_child_that_closes_everything_has_a_clear_outcome(product: Product) -> None:
    assert call(product, "close", limit_s=5).outcome in {"exited", "timeout", "malformed"}
    assert same(call(product, "echo", 1).value, 1)


def test_what_does_not_fit_is_a_limit(product: Product) -> None:
    assert call(product, "big", 65 << 20).limit == "value"
    assert call(product, "deep", 200).limit == "value"
    assert call(product, "memory").error.is_a("MemoryError")
    assert same(call(product, "number", 5000).value, 10**5000)
    assert same(call(product, "low").value, 10**3000)


def test_objects_are_named_and_described_only_on_request(product: Product) -> None:
    assert same(call(product, "point").value, Obj("prod.Point"))
    assert same(call(product, "", scenario="shown").value, Obj("prod.Point", (), {"x": 1}))
    seen = call(product, "twisted").value
    assert same(seen, Obj("prod.Same", ("builtins.dict",), {"": {"a": 1}}))
    assert isinstance(seen.attrs[""], Map)


def test_sharing_is_kept(product: Product) -> None:
    value = call(product, "shared").value
    assert value[0] is value[1]


def test_refusals_are_clear(product: Product) -> None:
    for name in ("nothing", "_private", "F02.call"):
        answer = product.call(name, {})
        assert answer.reply.outcome == "malformed"
        assert "no scenario file has" in str(answer.reply.error)
    assert product.call("F01.call", {"name": "count", "args": {"l": []}}).reply.outcome == "returned"


def test_a_call_has_a_uid_a_place_and_descriptors_of_its_own(product: Product) -> None:
    first, second = call(product, "identity").value, call(product, "identity").value
    if "uids" in product.features:
        assert first[0] != second[0]
    assert min(first[0], second[0]) > 0
    assert first[1:] == [[], "0000000000000000", "0000000000000000", "1"]
    assert call(product, "descriptors").value[:4] == [0, 1, 2, 3]
    assert len(call(product, "descriptors").value) == 5
    cwd, home, temporary, mode, entries = call(product, "place").value
    assert cwd == home
    assert temporary == cwd.removesuffix("files") + "tmp"
    assert mode == "0o40700"
    assert entries == []


def test_nothing_of_a_call_is_left(product: Product) -> None:
    before = len(call(product, "processes").value)
    if "uids" not in product.features:
        assert call(product, "daemon", "x").value == "left"
        assert len(call(product, "processes").value) == before
        return
    assert call(product, "daemon", "x").value == "left"
    assert call(product, "litter").outcome == "returned"
    assert call(product, "bomb", limit_s=20).outcome in {"returned", "raised"}
    assert len(call(product, "processes").value) == before
    assert call(product, "writable").value == ["/tmp", "/var/tmp", "/dev/shm"]
    assert call(product, "left_in_tmp").value == []
    assert call(product, "shm").value >= 0
    assert call(product, "shm_there").value == -1


def test_a_call_cannot_end_the_driver_in_a_way_that_counts_as_ours(product: Product) -> None:
    """Where it has the call's own uid nobody can tell who ended it: that is tried again, and then the candidate's."""
    if "uids" in product.features:
        assert call(product, "attack").value == []
    else:
        with pytest.raises(EndedFromOutside) as ended:
            call(product, "attack")
        assert not ended.value.certain
    assert same(call(product, "echo", 1).value, 1)


def test_fork_and_fresh_see_the_same_import_path(product: Product) -> None:
    fork, fresh = call(product, "where").value, call(product, "where", fresh=True).value
    assert fork[0] == fresh[0]
    assert fork[0][0] == "/app/src"
    assert "/opt/lib" not in fork[0]
    assert fork[1] == fresh[1]
    assert fresh[2] is False


def test_a_seed_fixes_the_hash_of_text(product: Product) -> None:
    one, other = (call(product, "hashed", seed=7).value for _ in range(2))
    assert same(one, other)
    assert not same(call(product, "hashed", seed=8).value, one)


@pytest.mark.parametrize("module", ["json", "argparse", "selectors", "taskpack", "enum"])
def test_a_module_of_the_product_wins_over_one_that_the_driver_has_loaded(
    sandbox: Sandbox, folder: Path, module: str
) -> None:
    (folder / f"app/src/{module}.py").write_text("mine = 'mine'\n")
    (folder / "scenarios/F02.py").write_text(
        textwrap.dedent(f"""
        def own():
            import {module}
            return {module}.mine
        """)
    )
    with start(sandbox, folder) as product:
        assert "fork" not in product.features
        answer = product.call("own", {})
        assert read_seen(answer.reply, answer.body).value == "mine"
