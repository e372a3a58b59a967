"""The suite's side: a bench sandbox with pytest and the hidden tests, and the broker between it and the product."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from environments.interface import Launch, Limits, Mount, Running, Sandbox
from judge.ends import check_ended_by_itself
from judge.product import Product
from taskpack.errors import SandboxFailed
from taskpack.wire.frames import Frame, Malformed, TooLarge, pack
from taskpack.wire.messages import Reply, wire_error
from taskpack.wire.pipes import Closed, FramePipe, Silence
from taskpack.wire.requests import Request, read_request

_SUITE = "/suite"
_SITE = "/bench/site"
_BOOT = (
    "import sys; sys.path[:0] = [sys.argv.pop(1)]; sys.path.append(sys.argv.pop(1));"
    "from judge.harness.main import main; sys.exit(main())"
)
_END_S = 10.0
_SEND_S = 60.0


class BenchBroke(SandboxFailed):
    """The bench ended, fell silent or spoke nonsense."""

    def __init__(self, message: str, *, details: Mapping[str, str], remedy: str, answered: bool) -> None:
        super().__init__(message, details=details, remedy=remedy)
        self.answered = answered
        """It had been given an answer of the product before: that may be what broke it."""


class Phase(BaseModel):
    """One of setup, call, teardown."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    when: str
    outcome: str
    cause: str = ""


class BenchNode(BaseModel):
    """What pytest did with one node."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    collected: int
    clauses: tuple[str, ...]
    phases: tuple[Phase, ...]


class BenchReport(BaseModel):
    """The bench's one report."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    nodes: tuple[BenchNode, ...]
    problems: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class BenchSpec:
    """What a bench sandbox is made of."""

    sandbox: Sandbox
    suite: Path
    """Folder with `tests/`, copied in whole."""
    site: Path
    """Folder with pytest and what it needs."""
    seed: str
    wall_s: float
    only: tuple[str, ...] = ()
    """Ids of the nodes to run; empty for all."""


@dataclass
class Bench:
    """A run of the suite.

    Raises `BenchBroke`; `SandboxFailed` or `DriverSilent` where a sandbox is not there; `SandboxFailed` as well when
    not every file of the suite can be collected, which no product has a part in.
    """

    spec: BenchSpec
    calls: int = 0
    answers: int = field(default=0, init=False)
    """How many of them were answered while the bench was still there."""
    out_of_time: bool = field(default=False, init=False)
    """The wall was reached while the product had used up most of it: the candidate's fault."""

    def run(self, product: Product) -> BenchReport:
        """Run every node; requests go to `product`."""
        return self._run(product, collect_only=False)

    def collect(self) -> BenchReport:
        """Collect only. No product is needed."""
        return self._run(None, collect_only=True)

    def _run(self, product: Product | None, *, collect_only: bool) -> BenchReport:
        deadline = time.monotonic() + self.spec.wall_s
        with self.spec.sandbox.start(_launch(self.spec, collect_only=collect_only)) as running:
            pipe = FramePipe(running.stdout.fileno(), running.stdin.fileno())
            if product is not None:
                product.start()
            try:
                return self._serve(running, pipe, product, deadline)
            except Silence:
                spent = product.seconds if product is not None else 0.0
                if product is not None and spent > self.spec.wall_s / 2:
                    self.out_of_time = True
                    fact = f"the suite's {self.spec.wall_s:.0f} s were over, {spent:.0f} s of them in product calls"
                    return BenchReport(nodes=(), problems=(fact,))
                raise self._broken(running, f"no report within {self.spec.wall_s:.0f} s") from None
            except (Closed, Malformed, TooLarge, ValidationError) as error:
                raise self._broken(running, f"{type(error).__name__}: {error}") from error

    def _serve(self, running: Running, pipe: FramePipe, product: Product | None, deadline: float) -> BenchReport:
        while True:
            left = deadline - time.monotonic()
            if left <= 0:
                raise Silence
            frame = pipe.receive(left)
            if "report" in frame.header:
                return _collected(BenchReport.model_validate(frame.header["report"]), collect_only=product is None)
            request = read_request(frame)
            if product is None:
                raise Malformed("a test called the product while being collected")
            self.calls += 1
            answer = _forward(product, request, frame.body)
            self.answers += running.wait(0) is None
            pipe.send_raw(answer, _SEND_S)

    def _broken(self, running: Running, fact: str) -> BenchBroke:
        code = running.wait(_END_S)
        check_ended_by_itself("the bench", code, running, self.spec.sandbox.limits_by)
        bound = {"past its bound": str(running.limited_by)} if running.limited_by else {}
        log_end = running.stderr_tail()[-1500:]
        return BenchBroke(
            "the bench broke",
            details={"fact": fact[:400], **bound, "exit code": str(code), "its log ends": log_end},
            remedy="run the suite on the reference; if that breaks too, the suite is at fault",
            answered=self.answers > 0,
        )


def _collected(report: BenchReport, *, collect_only: bool) -> BenchReport:
    """The report, where its files could be collected; who only collects looks at the problems himself."""
    if report.problems and not collect_only:
        raise SandboxFailed(
            "the suite cannot be collected",
            details={"fact": "; ".join(report.problems[:3])[:1000]},
            remedy="look whether the suite's files are whole; author the case again if not",
        )
    return report


def _forward(product: Product, request: Request, body: bytes) -> bytes:
    answer = product.relay(request, body)
    try:
        return pack(Frame(header=answer.reply.header() | {"id": request.id}, body=answer.body))
    except TooLarge as error:
        # It fitted only in the product's own spelling.
        fault = Reply(id=request.id, outcome="malformed", error=wire_error("wire.Malformed", str(error)))
        return pack(Frame(header=fault.header()))


def _launch(spec: BenchSpec, *, collect_only: bool) -> Launch:
    argv = [spec.sandbox.python, "-I", "-S", "-B", "-X", "utf8", "-c", _BOOT]
    argv += [f"{_SUITE}/tests/_lib", _SITE, "--suite", _SUITE, "--seed", spec.seed]
    argv += [f"--only={node}" for node in spec.only]
    return Launch(
        argv=[*argv, *(["--collect-only"] if collect_only else [])],
        cwd="/",
        env={"LANG": "C.UTF-8", "TZ": "UTC", "HOME": "/tmp", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},  # noqa: S108
        mounts=[Mount(source=spec.suite, dest=_SUITE), Mount(source=spec.site, dest=_SITE)],
        limits=Limits(wall_s=spec.wall_s + _SEND_S),
    )
