"""`make accept-2`: the wire, the sandboxes and the judge, whole. A container engine of its own is started for it."""

from __future__ import annotations

import contextlib
import json
import re
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from tests.accept.checklist import CHECKOUT, Checklist, need, pytest_passes, repowright, tail
from tests.accept.engine import engine_for_all
from tests.engine import NoEngine

CASE = "case001"
RIGHT = CHECKOUT / "cases" / CASE / "controls" / "clean_room" / "app"
BACK_ENDS = ("local", "docker")


class Part2:
    """The claims of part 2 over one scratch folder."""

    def __init__(self, scratch: Path) -> None:
        self.scratch = scratch
        self.work = scratch / "work"
        self.engine = ""
        """Where the engine answers; empty when none could be started."""
        self.no_engine = ""

    # 2 sandboxes

    def started(self) -> str:
        need(bool(self.engine), self.no_engine)
        return "on a socket of its own"

    def base(self) -> str:
        done = repowright("doctor", "--build-base", "--work", self.work, timeout=900)
        need(done.code == 0, tail(done.out + done.err, 20))
        found = re.search(r"rootfs:[0-9a-f]+", done.out)
        need(found is not None, f"doctor names no root file system\n{tail(done.out, 20)}")
        return str(found and found[0])

    # 5 one suite, three places

    def judged(self, workspace: Path, back_end: str) -> dict[str, object]:
        done = repowright("judge", CASE, workspace, "--backend", back_end, "--work", self.work, "--json", timeout=900)
        need(done.code in {0, 1}, tail(done.out + done.err, 12))
        verdict: dict[str, object] = json.loads(done.out)
        return verdict

    def alike(self) -> str:
        """Reference-grade and empty workspaces, node by node, on both back ends with one base."""
        (self.scratch / "empty").mkdir()
        said = []
        for workspace, reward in ((RIGHT, 1), (self.scratch / "empty", 0)):
            with ThreadPoolExecutor() as pool:
                one, two = pool.map(partial(self.judged, workspace), BACK_ENDS)
            need(one["reward"] == two["reward"] == reward, f"rewards {one['reward']} and {two['reward']}")
            need(one["base"] == two["base"], f"bases {one['base']} and {two['base']}")
            results = [{node["id"]: node["result"] for node in each["nodes"]} for each in (one, two)]  # type: ignore[attr-defined]
            need(results[0] == results[1], "the nodes differ")
            said.append(f"reward {reward}, {len(results[0])} nodes alike")
        return "; ".join(said)

    def one_container(self) -> str:
        return pytest_passes("tests/integration/judge/test_one_container.py", timeout=1200)


def main() -> int:
    book = Checklist(title="part 2")
    with tempfile.TemporaryDirectory(prefix="repowright-accept-") as name:
        Path(name).chmod(0o755)
        part = Part2(Path(name))
        with contextlib.ExitStack() as stack:
            try:
                part.engine = stack.enter_context(engine_for_all())
            except NoEngine as reason:
                part.no_engine = str(reason)
            claims(book, part)
    return book.close()


def claims(book: Checklist, part: Part2) -> None:
    """What only computes goes beside what waits for limits and looks at the machine."""
    book.claim("2 a container engine of our own comes up", part.started)
    book.claim("2 one root file system is built from its recipe, for both back ends", part.base)
    with ThreadPoolExecutor(1) as beside:
        rest = beside.submit(_claims_beside, book, part)
        _claims(book, part)
        rest.result()


def _claims_beside(book: Checklist, part: Part2) -> None:
    book.claim("1 frames, requests, replies, every value both ways, `same`; a fuzzer finds nothing but Malformed",
               lambda: pytest_passes("tests/unit/wire"))  # fmt: skip
    book.claim("3 Go: builds, calls and values as the page says",
               lambda: pytest_passes("-m", "not docker", "tests/integration/languages", "-k", "test_go"))  # fmt: skip
    book.claim("3 a Go product with Go scenarios and a C++ program, judged on both back ends",
               lambda: pytest_passes("tests/integration/languages/test_verdicts.py"))  # fmt: skip
    book.claim("5 the suite of part 1, unchanged, comes out alike on both back ends", part.alike)
    book.claim("5 and under plain pytest, in one container as one user", part.one_container)


def _claims(book: Checklist, part: Part2) -> None:
    book.claim("1 a second client, written from the page, speaks with the driver; a hostile driver for each rule",
               lambda: pytest_passes("tests/integration/wire"))  # fmt: skip
    book.claim("1 calls, programs, files, trees, clock, fork and fresh", lambda: pytest_passes(
        *(f"tests/integration/judge/test_{name}.py" for name in ("driver", "relays", "trees", "clock", "bytecode"))))  # fmt: skip
    book.claim("1 caps, whose fault it is, three tries, unjudgeable",
               lambda: pytest_passes(*(f"tests/integration/judge/test_{name}.py" for name in ("product", "suites", "verdicts"))))  # fmt: skip
    book.claim("2 the contract suite, unchanged, on both back ends", lambda: pytest_passes(
        *(f"tests/integration/sandbox/test_contract{name}.py" for name in ("", "_limits", "_isolation"))))  # fmt: skip
    book.claim("2 local: filter, slices, self-probe, certain end", lambda: pytest_passes(
        *(f"tests/integration/sandbox/test_{name}.py" for name in ("syscalls", "slices", "selfprobe", "end"))))  # fmt: skip
    book.claim("2 docker: engine stopped in the middle, dead owners swept, nothing left",
               lambda: pytest_passes("tests/integration/docker"))  # fmt: skip
    book.claim("2 the parity gates fail on their seeded defects and pass on the twins",
               lambda: pytest_passes("tests/integration/validation/test_parity.py"))  # fmt: skip
    book.claim("3 the same builds, calls and values on docker",
               lambda: pytest_passes("-m", "docker", "tests/integration/languages", "-k", "test_go"))  # fmt: skip
    book.claim("4 hostile candidates score 0 with a cause, none is infra; their twins score 1; nothing is left",
               lambda: pytest_passes("-k", "not plain_user", "tests/integration/validation/test_hostile_candidates.py",
                                   "tests/integration/judge/test_leftovers.py", timeout=1200))  # fmt: skip
    book.claim("4 each attack profits, or does harm, where its defence is missing",
               lambda: pytest_passes("tests/integration/validation/test_hostile_naive.py"))  # fmt: skip
    book.claim("4 the same rewards on docker",
               lambda: pytest_passes("tests/integration/validation/test_hostile_docker.py", timeout=1200))  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
